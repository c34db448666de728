"""Settings of the process and of libraries that workers depend on but only the main process makes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

from msgspec import Struct

from lintpickle.analyses.main_setters import Met, Setter, Setting, of_the_program, set_by
from lintpickle.analyses.shown_values import makers_of_text
from lintpickle.catalog import Catalog, SettingSpec
from lintpickle.diagnostics import Span
from lintpickle.facts.methods import functions_in
from lintpickle.facts.records import Called, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Argument, Attribute, Call, Constant, Expr, chain, without_narrowing
from lintpickle.parsing.names_read import names_used
from lintpickle.parsing.syntax import BrokenSyntax, parse
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module
from lintpickle.program.program import Survey

_SURVEYED = "settings"
"""The name of a survey: which modules make any setting."""
_RECURSION = "<recursion>"
"""What depends on the recursion limit: a function that calls itself."""
_SETS = (
    *("torch.set_default", "torch.set_grad_enabled", "torch.set_num_threads", "torch.set_printoptions"),
    *("numpy.seterr", "numpy.set_printoptions", "cv2.setNumThreads", "locale.setlocale", "socket.setdefaulttimeout"),
    *("sys.setrecursionlimit", "sys.stdout", "sys.stderr"),
)
"""What replaces the one value of a setting: a function that calls it twice sets it back."""
_SHOWN = "<text of> "
"""What stands before the path of a call whose result a function makes into text."""
_LOADER = "dataloader"
_BUILTINS = "builtins."
_NAMING_BUILTINS = Words({"builtins"})
_NOT_THERE = Met("there it is as it was", "set")


class Dependence(Struct, frozen=True):
    """A use in a worker's function that depends on a setting: its place, and its name there."""

    function: WorkerFunction
    written: str
    span: Span


class _Uses(Struct, frozen=True):
    """What of the settings a function concerns, by their places in the catalog: those that it makes itself, and its
    first dependence on others, as the name and its place."""

    own: frozenset[int]
    dependences: dict[int, tuple[str, Span]]


class _Making(Struct, frozen=True):
    """A place of a function that makes a setting; not `certain` if it sets it back."""

    function: FunctionFacts
    span: Span
    certain: bool


def settings_made(code: WorkerCode, linker: Linker) -> Iterator[tuple[SettingSpec, Dependence, Setting]]:
    """The settings that the workers of a boundary depend on, each once, with how only the main process makes them."""
    asker = code.root.site.module.path
    is_any_made = linker.first_party.is_surveyed(_SURVEYED, _all_words(linker.catalog), asker)
    uses = [(each, _uses_of(each, linker)) for each in code.functions] if is_any_made else []
    own = frozenset[int]().union(*(each.own for _, each in uses))
    for place, spec in enumerate(linker.catalog.settings()):
        function, found = next(((each, found) for each, found in uses if place in found.dependences), (None, None))
        if place in own or function is None or found is None or _kind(code) in spec.given_by:
            continue
        words = Words(_setting_words(spec))
        setters = (
            Setter(module, made.function, made.span, made.certain)
            for module in linker.first_party.surveyed(_survey(place), words, asker)
            for made in _settings_in(module, linker.catalog).get(place, ())
        )
        setting = set_by(of_the_program(setters, code, linker), _NOT_THERE, linker, asker)
        if setting is not None:
            written, span = found.dependences[place]
            yield spec, Dependence(function, written, span), setting


def _kind(code: WorkerCode) -> str:
    """The kind of boundary that starts the workers; of a dataset without a visible loader, that of a loader."""
    return code.boundary.spec.kind if code.boundary is not None else _LOADER


def surveys(catalog: Catalog) -> dict[str, Survey]:
    """The surveys that are asked for here (see `Program.surveys`): whether a module makes any setting, and whether it
    makes a certain one."""
    each = {_survey(place): partial(_makes, place, catalog) for place, _ in enumerate(catalog.settings())}
    return {_SURVEYED: lambda module, words: bool(_settings_in(module, catalog)), **each}


def _survey(place: int) -> str:
    return f"{_SURVEYED} {place}"


def _makes(place: int, catalog: Catalog, module: Module, words: tuple[str, ...]) -> bool:
    return place in _settings_in(module, catalog)


def _settings_in(module: Module, catalog: Catalog) -> dict[int, tuple[_Making, ...]]:
    """The code of a module that makes settings, by their places in the catalog."""
    return module.remembered(("settings made",), lambda: _find_settings(module, catalog))


def _find_settings(module: Module, catalog: Catalog) -> dict[int, tuple[_Making, ...]]:
    found: dict[int, list[_Making]] = {}
    for block in module.outline.blocks:
        if not _form(_all_words(catalog).words).search(module.code, block.span.start, block.span.end):
            continue
        for place, spec in enumerate(catalog.settings()):
            form = _form(tuple(sorted(_setting_words(spec))))
            is_here = form.search(module.code, block.span.start, block.span.end)
            facts = module.facts_of(block) if is_here else None
            for function in functions_in(facts, form, module.code) if facts is not None else ():
                made = [(span, path) for span, path, given in _made_in(function, module) if given >= spec.arguments]
                times = Counter(path for _, path in made)
                for span, path in made:
                    if any(is_below(path, pattern) for pattern in spec.by) or (
                        path.startswith(".") and path[1:] in spec.methods and spec.word in module.code
                    ):
                        is_set_back = path.startswith(_SETS) and times[path] > 1
                        found.setdefault(place, []).append(_Making(function, span, not is_set_back))
    return {place: tuple(made) for place, made in found.items()}


def _uses_of(function: WorkerFunction, linker: Linker) -> _Uses:
    key = ("settings used", function.module.path, function.facts.span)
    return linker.remembered(key, lambda: _find_uses(function, linker.catalog))


def _find_uses(function: WorkerFunction, catalog: Catalog) -> _Uses:
    used = list(_used(function))
    own = (
        place
        for place, spec in enumerate(catalog.settings())
        if any(is_below(path, pattern) for path, _ in used for pattern in spec.own)
    )
    dependences: dict[int, tuple[str, Span]] = {}
    for place, spec in enumerate(catalog.settings()):
        first = next((each for path, each in used if _depends(path, each, spec)), None)
        if first is not None:
            dependences[place] = (first.written, first.span)
    return _Uses(frozenset(own), dependences)


def patches_made(code: WorkerCode, linker: Linker) -> Iterator[tuple[str, Dependence, Setting]]:
    """The library functions and values that workers use, each once, with how the main process replaces them."""
    told: set[str] = set()
    known = [pattern for spec in linker.catalog.settings() for pattern in spec.by]
    may_add_builtins = linker.first_party.is_anywhere(_NAMING_BUILTINS, code.root.site.module.path)
    for path, dependence in (each for function in code.functions for each in _used(function)):
        owner, _, name = path.rpartition(".")
        if path.startswith(_SHOWN) or (path.startswith(_BUILTINS) and not may_add_builtins):
            continue
        if path in told or not owner or any(is_below(path, pattern) for pattern in known):
            continue
        if linker.program.find(owner, dependence.function.module) is None or not _is_own(owner, dependence, linker):
            told.add(path)
            setting = set_by(
                of_the_program(_patching(path, name, code, linker), code, linker),
                _NOT_THERE,
                linker,
                code.root.site.module.path,
            )
            if setting is not None:
                yield path, dependence, setting


def _is_own(owner: str, dependence: Dependence, linker: Linker) -> bool:
    found = linker.program.find(owner, dependence.function.module)
    return found is not None and found.first_party


def _used(function: WorkerFunction) -> Iterator[tuple[str, Dependence]]:
    """The paths of what a function uses; of methods of unknown objects, their names after a dot."""
    module, span = function.module, function.facts.span
    if not module.first_party or module.document.cells is not None:
        return
    row = max(module.code.rfind("\n", 0, span.start), module.code.rfind("\r", 0, span.start)) + 1
    for written, start in _names_in(module.code[row : span.end], span.start - row):
        first = row + start
        place = Span(first, first + len(written)) if start >= 0 else function.facts.header
        dependence = Dependence(function, written.removeprefix(_SHOWN).lstrip("."), place)
        yield _path_used(written, function), dependence
    yield from _recursive(function)


def _path_used(written: str, function: WorkerFunction) -> str:
    """The path of a name that a function uses, also of what `builtins` has or may be given; otherwise its last part,
    after a dot."""
    module, name = function.module, written.removeprefix(_SHOWN)
    path = _path(tuple(name.split(".")), module)
    if path is not None:
        return f"{_SHOWN}{path}" if name != written else path
    is_of_builtins = name in function.facts.reads and not module.outline.binding(name)
    if is_of_builtins and name not in module.outline.imports and not module.outline.stars:
        return f"{_BUILTINS}{name}"
    return f".{name.rpartition('.')[2]}"


@lru_cache(maxsize=2048)
def _names_in(rows: str, begin: int) -> tuple[tuple[str, int], ...]:
    """The names that a function uses, which begins at an offset of these rows, each with where it first stands there;
    -1 if it stands there otherwise. Remembered, because the same functions run in the workers of many boundaries. What
    makes something that becomes text is there once more, so marked."""
    try:
        tree = parse(f"if True:\n{rows}" if rows[:1].isspace() else rows)
    except BrokenSyntax:
        return ()
    used = sorted(names_used(tree))
    shown = sorted(set(makers_of_text(tree)))
    found = (re.compile(rf"(?<!\w){re.escape(written)}\b").search(rows, begin) for written in (*used, *shown))
    marked = (*used, *(f"{_SHOWN}{written}" for written in shown))
    return tuple(
        (written, place.start() if place is not None else -1) for written, place in zip(marked, found, strict=True)
    )


def _recursive(function: WorkerFunction) -> Iterator[tuple[str, Dependence]]:
    """A function that calls itself, or has one in it that does."""
    for facts in (function.facts, *function.facts.functions):
        calling = re.compile(rf"(?<!def )\b{re.escape(facts.name)}\(")
        found = calling.search(function.module.code, facts.header.end, facts.span.end)
        if found is not None:
            yield _RECURSION, Dependence(function, facts.name, Span(*found.span()))


def _path(parts: tuple[str, ...], module: Module) -> str | None:
    """The dotted path of a name that an import at module level binds ("numpy.random.seed" of `np.random.seed`)."""
    imported = module.outline.imports.get(parts[0])
    if imported is None or imported.level:
        return None
    return ".".join(part for part in (imported.module, imported.name, *parts[1:]) if part)


def _depends(path: str, dependence: Dependence, spec: SettingSpec) -> bool:
    if path.startswith("."):
        return path[1:] in spec.read_methods and spec.word in dependence.function.module.code
    if path.startswith(_SHOWN):
        return any(is_below(path[len(_SHOWN) :], pattern) for pattern in spec.shown)
    is_read = any(is_below(path, pattern) for pattern in spec.read) and not _is_told(dependence, spec)
    return is_read and (not _names_class(path) or _is_called(dependence))


def _names_class(path: str) -> bool:
    return path.rpartition(".")[2][:1].isupper()


def _is_called(dependence: Dependence) -> bool:
    """Whether the function calls what it names: `isinstance(x, torch.Tensor)` makes none."""
    module, span = dependence.function.module, dependence.function.facts.span
    calling = re.compile(rf"(?<![\w.]){re.escape(dependence.written)}\s*\(")
    return calling.search(module.code, span.start, span.end) is not None


def _is_told(dependence: Dependence, spec: SettingSpec) -> bool:
    """Whether an argument of the call determines what would otherwise depend on the setting."""
    calls = (event.call for event in dependence.function.facts.events if isinstance(event, Called))
    here = [call for call in calls if call.span.start == dependence.span.start]
    return bool(here) and any(call.keyword(name) is not None for call in here for name in spec.unless)


def is_below(path: str, pattern: str) -> bool:
    """Whether a dotted path is the one that a pattern of the catalog's settings names, or below it (`torch.set_*`)."""
    return path.startswith(pattern[:-1]) if pattern.endswith(".*") else path == pattern


@lru_cache(maxsize=256)
def _form(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b")


def _all_words(catalog: Catalog) -> Words:
    """The words one of which stands where any setting is made."""
    return _words_of(tuple(catalog.settings()))


@lru_cache(maxsize=8)
def _words_of(specs: tuple[SettingSpec, ...]) -> Words:
    return Words({word for spec in specs for word in _setting_words(spec)})


def _setting_words(spec: SettingSpec) -> set[str]:
    """The words one of which stands where a setting is made. Of a name with ".*" it is that of the module."""
    patterns = (
        pattern.removesuffix(".*").removesuffix("()").removesuffix("[]").partition("(")[0] for pattern in spec.by
    )
    return {pattern.rpartition(".")[2] for pattern in patterns} | set(spec.methods)


def _patching(path: str, name: str, code: WorkerCode, linker: Linker) -> Iterator[Setter]:
    """The functions that store something under the path of a library's function."""
    form = re.compile(rf"\.\s*{re.escape(name)}\s*=(?!=)")
    for root in linker.activations_with({name}, form, code.root.site.module.path):
        module = root.frame.module
        for event in root.function.events:
            if isinstance(event, Store) and event.attribute == name:
                parts = chain(event.target)
                if parts is not None and _path((*parts, name), module) == path:
                    yield Setter(module, root.function, event.span, True)


def _made_in(facts: FunctionFacts, module: Module) -> Iterable[tuple[Span, str, int]]:
    """The paths of what a function calls, and of what it stores, with their places and the number of arguments."""
    for event in facts.events:
        match event:
            case Called(call=call, span=span):
                path = _path_of(call.function, module)
                yield span, path, len(call.arguments)
                match call.arguments:
                    case (Argument(value=Constant(value=str(option))), *_):
                        yield span, f"{path}({option}", len(call.arguments)
                    case _:
                        pass
            case ItemStore(target=target, span=span):
                yield span, f"{_path_of(target, module)}[]", 1
            case Store(target=target, attribute=attribute, span=span):
                yield span, f"{_path_of(target, module)}.{attribute}", 1
            case _:
                pass


def _path_of(value: Expr, module: Module) -> str:
    """The path of an expression; of a call, that of the function with "()"; of a method of whatever, its name."""
    inner = without_narrowing(value)
    if isinstance(inner, Call):
        return f"{_path_of(inner.function, module)}()"
    parts = chain(inner)
    path = _path(parts, module) if parts is not None else None
    if path is not None:
        return path
    return f".{inner.name}" if isinstance(inner, Attribute) else "?"
