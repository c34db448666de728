"""What `torch.load(weights_only=True)` makes of a file: as `torch/_weights_only_unpickler.py` judges each opcode.

It knows no more opcodes than torch itself writes, takes no global but those on its list and those that
`torch.serialization.add_safe_globals` adds, calls and gives a state to nothing else, and puts items into plain lists
and dictionaries only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintpickle.catalog.unpickling import AllowList, allow_lists, makers
from lintpickle.saved_files.records import FileContents, Need, PickledPart, Refusal, Standing, TorchVerdict

_FILLED = {
    "APPEND": frozenset({"builtins.list"}),
    "APPENDS": frozenset({"builtins.list"}),
    "SETITEM": frozenset({"builtins.dict", "collections.OrderedDict", "collections.Counter"}),
    "SETITEMS": frozenset({"builtins.dict", "collections.OrderedDict", "collections.Counter"}),
}
_STORAGES = frozenset({"storage", "(int)", "(unknown)"})
_DTYPE = "numpy.dtype"
_WHOLE = {
    "tar": "files of the tar format are not read with weights_only=True, whatever is in them",
    "torchscript": "TorchScript archives are not read with weights_only=True: use torch.jit.load",
}
_MOST_OPCODES = 6


def verdicts_of(contents: FileContents, needs: Sequence[Need]) -> tuple[TorchVerdict, ...]:
    """The verdict of each torch whose allow-list is known; none for files that `torch.load` does not read."""
    if contents.torch is None:
        return ()
    return tuple(_Judging(contents, needs, allowed).verdict() for allowed in allow_lists())


class _Judging:
    def __init__(self, contents: FileContents, needs: Sequence[Need], allowed: AllowList) -> None:
        self._contents = contents
        self._needs = needs
        self._allowed = allowed

    def verdict(self) -> TorchVerdict:
        whole = _WHOLE.get(self._contents.torch or "")
        if whole is not None:
            return TorchVerdict(self._allowed.torch, False, never=(Refusal(whole),))
        refused = [
            need
            for need in self._needs
            if need.path not in self._allowed.globals and (need.called or not need.by_getattr)
        ]
        asked = [need for need in refused if self._why_never(need) is None]
        never = [Refusal(why) for need in refused if (why := self._why_never(need)) is not None]
        never += [Refusal(what) for what in self._of_parts()]
        classes = sorted(set(self._dtype_classes()) - {need.path for need in refused} - self._allowed.globals)
        unsure = tuple(dict.fromkeys(self._unsure()))
        is_marked = any(need.danger is not None for need in self._needs)
        imports, allow = ((), None) if is_marked else allow_line(asked, classes)
        is_refused = bool(refused or never)
        loads = False if is_refused else (None if unsure or not self._is_whole else True)
        return TorchVerdict(
            self._allowed.torch,
            loads,
            tuple(need.path for need in refused),
            imports if allow else (),
            allow,
            tuple(never),
            unsure,
        )

    @property
    def _is_whole(self) -> bool:
        return not self._contents.problems and all(part.facts.is_whole for part in self._contents.parts)

    def _why_never(self, need: Need) -> str | None:
        if need.module in self._allowed.blocked:
            return f"{need.path}: nothing of the module {need.module} can be allowed"
        if need.danger is not None:
            return f"{need.path}: it {need.danger.does}, so no line is offered"
        if need.standing.is_missing and not need.elsewhere:
            return f"{need.path}: there is nothing here that could be allowed in its place"
        if need.standing.is_missing and len(need.elsewhere) > 1:
            places = ", ".join(place.path for place in need.elsewhere)
            return f"{need.path}: several things here could stand for it ({places}): put the right one into the line"
        return None

    def _of_parts(self) -> Iterator[str]:
        for part in self._contents.parts:
            facts = part.facts
            unknown = [
                name
                for name in sorted(facts.opcodes, key=facts.opcodes.__getitem__)
                if name not in self._allowed.opcodes
            ]
            if unknown:
                more = " …" if len(unknown) > _MOST_OPCODES else ""
                yield (
                    f"opcodes of protocol {facts.protocol} ({', '.join(unknown[:_MOST_OPCODES])}{more}): write it with "
                    "torch.save without pickle_protocol"
                )
            yield from self._filled(part)
            for kind in facts.persistent:
                if kind not in _STORAGES:
                    yield f"a persistent id of the kind '{kind}': only those of storages are read"
            if facts.odd_calls:
                yield f"{facts.odd_calls:,} calls of what is no global (of methods, or of what `getattr` gives)"

    def _filled(self, part: PickledPart) -> Iterator[str]:
        for opcode, maker in part.facts.fills:
            if maker not in _FILLED.get(opcode, ()) and makers().is_class(maker):
                to = "a plain list" if opcode.startswith("APPEND") else "a plain dict, OrderedDict or Counter"
                yield f"items of a {maker}: they are put into {to} only, even if {maker} is allowed"

    def _dtype_classes(self) -> Iterator[str]:
        for part in self._contents.parts:
            for code in part.facts.dtypes:
                class_ = makers().dtype_class(code)
                if class_ is not None:
                    yield class_

    def _unsure(self) -> Iterator[str]:
        for part in self._contents.parts:
            for maker in part.facts.builds:
                if maker != _DTYPE and not makers().is_class(maker) and maker not in self._allowed.globals:
                    yield f"the class of what {maker} makes has to be allowed as well, and the file does not name it"
            for code in part.facts.dtypes:
                if makers().dtype_class(code) is None:
                    yield f"the class of the NumPy dtype '{code}' has to be allowed as well"
            for opcode, maker in part.facts.fills:
                if maker not in _FILLED.get(opcode, ()) and not makers().is_class(maker):
                    yield f"what {maker} makes is given items, which only plain lists and dictionaries take"
            if "(unknown)" in part.facts.persistent:
                yield "persistent ids whose kind is not known: only those of storages are read"
            if part.facts.unnamed:
                yield f"{part.facts.unnamed:,} globals whose names are not known"


def allow_line(needs: Sequence[Need], classes: Sequence[str]) -> tuple[tuple[str, ...], str | None]:
    """The imports and the call that allow globals. Where the thing is elsewhere now, or goes by another name than that
    of its definition, the line gives the name in the file besides."""
    imports: dict[str, None] = {}
    items: list[str] = []
    for need in needs:
        module, name = need.module, need.name
        if need.standing.is_missing:
            module, name = need.elsewhere[0].module, need.elsewhere[0].name
        if module == "builtins":
            items.append(name)
            continue
        imports[f"import {module}"] = None
        dotted = f"{module}.{name}"
        items.append(dotted if _goes_by(need) else f'({dotted}, "{need.path}")')
    for path in classes:
        imports[f"import {path.rpartition('.')[0]}"] = None
        items.append(path)
    if not items:
        return (), None
    return ("import torch", *sorted(imports)), f"torch.serialization.add_safe_globals([{', '.join(items)}])"


def _goes_by(need: Need) -> bool:
    """Whether a global has the module and name that the file gives, as torch asks the object itself."""
    if need.standing.is_missing:
        return False
    if need.place is not None:
        return need.place.path == need.path
    return need.path in makers().plain or need.standing is Standing.STANDARD_LIBRARY
