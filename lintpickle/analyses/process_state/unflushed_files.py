"""Files that a worker opens once, keeps for its tasks and never flushes or closes. What is in their buffer when the
worker ends is lost.

Measured with CPython 3.11 and 3.13, 20 lines by two workers: 0 are written where the pool is terminated, as it is when
its `with` is left, under every start method. After `close()` and `join()`, or with a `ProcessPoolExecutor`, 20 are
written under spawn, and 0 under fork and forkserver, whose workers end by `os._exit()`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.values import external_names, literals
from lintpickle.analyses.process_state.terminated_pools import is_terminated_by_leaving
from lintpickle.analyses.workers.worker_functions import may_be_forked, may_be_started_by
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span, StartMethod
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Expr, Imported, Name, without_narrowing
from lintpickle.interpreter.abstract_values import Frame, ProductValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_KINDS = frozenset({"pool", "executor"})
_WRITES = frozenset({"write", "writelines"})
_ROWS = frozenset({"writerow", "writerows", "writeheader"})
_WRITERS = re.compile(r"csv\.(?:Dict)?[wW]riter")
"""What writes rows to the file that it is made with, which is its first argument."""
_DUMPS = re.compile(r"(?:json|pickle|marshal)\.dump|csv\.(?:Dict)?[wW]riter")
"""Functions that write to the file that they are given."""
_OPENS = {"builtins.open": 1, "io.open": 1, "pathlib.Path().open": 0}
"""The functions that open files, and the place of the mode; that of the buffer's size comes behind."""
_MODES = re.compile(r"[wax]|\+")
_SAVES = re.compile(r"\.flush\b|\bflush=|\b(?:fsync|[Ff]inalize|ExitStack|closing|line_buffering)\b|\batexit\.")
"""What stands in code that sees to it that buffers are written."""
_CLOSES = re.compile(r"(\w+)\s*\.\s*close\s*\(")
_ENTERED = r"\bwith\b[^\n]*(?<!\bas ){0}"
_KEPT = re.compile(r"\bglobal\b")
_DECLARING = Words({"global"})


class Unflushed(Struct, frozen=True):
    """A call that writes to a file which the worker keeps open, where that is opened, and the start methods under which
    what is written is lost. `is_terminated` says that the pool ends its workers by a signal."""

    function: WorkerFunction
    span: Span
    file: str
    opened: Site
    methods: tuple[StartMethod, ...]
    is_terminated: bool


def unflushed(code: WorkerCode, linker: Linker) -> Iterator[Unflushed]:
    """The files that tasks of a pool write to and that nothing flushes or closes, each told once."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS:
        return
    makers = linker.makers_of(boundary)
    if not makers or not (any(map(_gives_at_start, makers)) or _is_any_kept(code, linker)):
        return
    found = {id(each.value.call): each for each in _written(code, linker)}
    if not found:
        return
    beginning = [each for begun in linker.worker_codes_of_makers(boundary) for each in begun.functions]
    methods, is_terminated = _lost_under(makers, code, linker)
    if not methods:
        return
    modules = {each.module.path: each.module for each in (*beginning, *code.functions)}.values()
    for each in found.values():
        home, opening, function = each.value.frame, each.value.call, each.function
        assert home is not None and opening is not None
        is_begun = any(begun.facts is home.function for begun in beginning)
        is_inherited = not is_begun and not any(running.facts is home.function for running in code.functions)
        lost = tuple(method for method in methods if method is StartMethod.FORK) if is_inherited else methods
        is_kept = is_begun or _keeps(home, each.written)
        names = (each.written, each.file)
        if is_kept and lost and not any(_may_save(module, name, makers) for module in modules for name in names):
            text = function.module.code[each.written.span.start : each.written.span.end]
            yield Unflushed(function, each.call.span, text, Site(home.module, opening.span), lost, is_terminated)


class _Written(Struct, frozen=True):
    """A call of a worker that writes to a file: by what is `written` there, which is the file, or has it as `file`."""

    value: ProductValue
    function: WorkerFunction
    call: Call
    written: Expr
    file: Expr


def _written(code: WorkerCode, linker: Linker) -> Iterator[_Written]:
    """The buffered files that functions of workers write to."""
    for function in code.functions:
        for event in function.facts.events if function.module.first_party else ():
            if not isinstance(event, Called):
                continue
            for file in files_written(event.call, function.frame, linker):
                for traced in linker.evaluate(file, function.frame):
                    value = traced.value
                    if isinstance(value, ProductValue) and is_buffered(value, linker):
                        yield _Written(value, function, event.call, file, file)
            if isinstance(event.call.function, Attribute) and event.call.function.name in _ROWS:
                yield from _written_in_rows(event.call, event.call.function.base, function, linker)


def _written_in_rows(call: Call, writer: Expr, function: WorkerFunction, linker: Linker) -> Iterator[_Written]:
    """The buffered files of the `csv.writer` by which a call writes."""
    for made in (each.value for each in linker.evaluate(writer, function.frame)):
        if not isinstance(made, ProductValue) or not _WRITERS.fullmatch(made.path) or made.call is None:
            continue
        given = made.call.positional() or ()
        for traced in linker.evaluate(given[0], made.frame) if given and made.frame is not None else ():
            value = traced.value
            if isinstance(value, ProductValue) and is_buffered(value, linker):
                yield _Written(value, function, call, writer, given[0])


def files_written(call: Call, frame: Frame, linker: Linker) -> Iterator[Expr]:
    """The expressions in a call that are files to which it writes."""
    match call.function:
        case Attribute(base=base, name=name) if name in _WRITES:
            yield base
        case Name(name="print"):
            given = call.keyword("file")
            if given is not None:
                yield given
        case function if any(_DUMPS.fullmatch(each) for each in external_names(function, frame, linker)):
            yield from call.positional() or ()
        case _:
            pass


def is_buffered(value: ProductValue, linker: Linker) -> bool:
    """Whether a file is open for writing, with a buffer of the usual kind."""
    if value.call is None or value.frame is None or value.path not in _OPENS or not value.frame.module.first_party:
        return False
    call, place = value.call, _OPENS[value.path]
    if call.has_unknown_arguments() or call.argument("buffering", place + 1) is not None:
        return False
    mode = call.argument("mode", place)
    modes = literals(mode, value.frame, linker) if mode is not None else None
    return bool(modes) and all(isinstance(each, str) and _MODES.search(each) for each in modes or ())


def _gives_at_start(maker: BoundaryCall) -> bool:
    """Whether the workers of a pool get anything as they start: an initializer may open files."""
    return maker.open or any(name in maker.arguments for name in maker.payload)


def _is_any_kept(code: WorkerCode, linker: Linker) -> bool:
    """Whether any function of the program may keep a file in a global: see `_keeps`."""
    return linker.first_party.is_anywhere(_DECLARING, code.root.site.module.path, _KEPT)


def _keeps(home: Frame, written: Expr) -> bool:
    """Whether the function that opens a file keeps it in a global, by the name of which it is written to."""
    code, span = home.module.code, home.function.span
    is_global = isinstance(without_narrowing(written), Name | Imported)
    return is_global and not home.function.is_module_body and _KEPT.search(code, span.start, span.end) is not None


def _may_save(module: Module, written: Expr, makers: tuple[BoundaryCall, ...]) -> bool:
    """Whether a module may flush or close the file. What the functions close that make pools is the pool, unless it is
    called as the file is."""
    name = _last_name(written)
    if module.has(_SAVES) or (name and re.search(_ENTERED.format(rf"\b{name}\b\s*(?:as\b|:|,)"), module.code)):
        return True
    spans = [each.frame.function.span for each in makers if each.frame.module is module]
    return any(
        found[1] == name or not any(span.start <= found.start() < span.end for span in spans)
        for found in _CLOSES.finditer(module.code)
    )


def _last_name(written: Expr) -> str:
    match without_narrowing(written):
        case Attribute(name=name) | Name(name=name):
            return name
        case _:
            return ""


def _lost_under(
    makers: tuple[BoundaryCall, ...], code: WorkerCode, linker: Linker
) -> tuple[tuple[StartMethod, ...], bool]:
    """The start methods under which what is left in a buffer is lost, and whether the workers are terminated."""
    is_terminated = bool(makers) and all(map(is_terminated_by_leaving, makers))
    biting = tuple(StartMethod) if is_terminated else (StartMethod.FORK, StartMethod.FORKSERVER)
    return tuple(each for each in biting if _may_start(each, code, linker)), is_terminated


def _may_start(method: StartMethod, code: WorkerCode, linker: Linker) -> bool:
    return may_be_forked(code, linker) if method is StartMethod.FORK else may_be_started_by(method, code, linker)
