"""The files that a part of a function opens, reads and writes, itself or by the functions that it calls."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.functions_run import functions_entered
from lintpickle.analyses.calls_and_values.values import external_names, literals
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Expr
from lintpickle.interpreter.abstract_values import Frame, FunctionValue
from lintpickle.payload.linker import Linker

_OPENS = frozenset({"builtins.open", "io.open", "codecs.open", "gzip.open", "bz2.open", "lzma.open"})
_READS = frozenset(
    {"numpy.load", "numpy.loadtxt", "torch.load", "joblib.load"}
    | {f"pandas.read_{kind}" for kind in ("csv", "excel", "feather", "json", "parquet", "pickle", "table")}
)
"""Functions that read the file which is their first argument."""
_WRITES = {
    **dict.fromkeys(("numpy.save", "numpy.savetxt", "numpy.savez", "numpy.savez_compressed"), 0),
    **dict.fromkeys(("torch.save", "joblib.dump", "os.rename", "os.replace", "shutil.copy", "shutil.copyfile"), 1),
    "shutil.move": 1,
}
"""Functions that write a file as a whole, and the place of the argument that says which."""
_READING = frozenset({"read_text", "read_bytes"})
_WRITING = frozenset({"write_text", "write_bytes"})
_OF_TABLES = frozenset({"to_csv", "to_excel", "to_feather", "to_json", "to_parquet", "to_pickle"})
_PUTTING_THERE = frozenset({"rename", "replace"})
"""Methods of paths that put a file in the place of the one which is their only argument."""
_OPENING = "open"
_FOLLOWED = 2
"""How many calls are followed, one in the other."""


class FileAccess(Struct, frozen=True):
    """What opens a file, what that is called, in which frame, and what is done there."""

    call: Call
    file: Expr
    frame: Frame
    reads: bool = False
    writes: bool = False
    appends: bool = False


def file_accesses(frame: Frame, span: Span, linker: Linker, depth: int = _FOLLOWED) -> Iterator[FileAccess]:
    """The accesses in a part of a function, in order, with those of first-party functions that it calls."""
    for event in frame.function.events:
        if not isinstance(event, Called) or not span.start <= event.span.start < span.end:
            continue
        access = _access(event.call, frame, linker)
        if access is not None:
            yield access
            continue
        for _, inner in functions_entered(event.call, frame, linker) if depth else ():
            yield from file_accesses(inner, inner.function.span, linker, depth - 1)


def _access(call: Call, frame: Frame, linker: Linker) -> FileAccess | None:
    names = set(external_names(call.function, frame, linker))
    given = call.positional() or ()
    if names & _OPENS:
        return _opened(call, given[0], 1, frame, linker) if given else None
    if names & _READS:
        return FileAccess(call, given[0], frame, reads=True) if given else None
    for name, place in _WRITES.items():
        if name in names:
            return FileAccess(call, given[place], frame, writes=True) if len(given) > place else None
    match call.function:
        case Attribute(base=base, name=name):
            is_of_module = any("(" not in each for each in names)
            return None if is_of_module else _access_of_method(call, base, name, given, frame, linker)
        case _:
            return None


def _access_of_method(
    call: Call, base: Expr, name: str, given: tuple[Expr, ...], frame: Frame, linker: Linker
) -> FileAccess | None:
    if name in _READING:
        return FileAccess(call, base, frame, reads=True)
    if name in _WRITING:
        return FileAccess(call, base, frame, writes=True)
    if name == _OPENING and not _is_own_method(call, frame, linker):
        return _opened(call, base, 0, frame, linker)
    if name in _OF_TABLES and given:
        mode = call.keyword("mode")
        is_added = mode is not None and "a" in _modes(mode, frame, linker)
        return FileAccess(call, given[0], frame, writes=not is_added, appends=is_added)
    if name in _PUTTING_THERE and len(given) == 1 and not call.has_unknown_arguments() and len(call.arguments) == 1:
        return FileAccess(call, given[0], frame, writes=True)
    return None


def _is_own_method(call: Call, frame: Frame, linker: Linker) -> bool:
    return any(isinstance(each.value, FunctionValue) for each in linker.evaluate(call.function, frame))


def _opened(call: Call, file: Expr, place: int, frame: Frame, linker: Linker) -> FileAccess | None:
    mode = call.argument("mode", place)
    modes = _modes(mode, frame, linker) if mode is not None else "r"
    if not modes:
        return None
    is_both = "+" in modes and "r" in modes
    return FileAccess(
        call, file, frame, reads="r" in modes, writes=is_both or "w" in modes or "x" in modes, appends="a" in modes
    )


def _modes(mode: Expr, frame: Frame, linker: Linker) -> str:
    """The letters of the mode, if it is one that is known."""
    found = literals(mode, frame, linker)
    return found[0] if found is not None and len(found) == 1 and isinstance(found[0], str) else ""
