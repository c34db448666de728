"""Files to which the main process writes before it forks workers, without a flush: each worker has a copy of what is
still in the buffer, and writes it to the file when it flushes or closes that.

Measured with CPython 3.11, a line written before three processes are forked: the file has it once where they do nothing
with the file, or write to it without a flush (they end by `os._exit()`), four times where they flush or close it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.callers_by_name import calls_by_name
from lintpickle.analyses.process_state.unflushed_files import files_written, is_buffered
from lintpickle.analyses.workers.before_start import comes_before_start
from lintpickle.analyses.workers.worker_functions import may_be_forked
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Call, Constant, Expr, Name, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import AbstractValue, Frame, ProductValue, Site
from lintpickle.payload.entry_arguments import parameter_at, place_given
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_ENTER = "__enter__"
_EMPTYING = frozenset({"flush", "close"})
_WRITING = re.compile(r"\.(?:write|writelines)\(|\bfile=|\b(?:dump|[wW]riter)\(")
"""What stands in functions that write to files."""
_WORDS = frozenset({"write", "writelines", "file", "dump", "writer", "DictWriter"})
_EMPTIED = re.compile(r"\.\s*(?:flush|close)\b|\bflush=|\bfsync\b")
"""What stands between a write and the start of workers where nothing may be left in the buffer."""


class CopiedBuffer(Struct, frozen=True):
    """A call in a worker by which a copied buffer is written out, of what, where the main process has written to the
    file, and where that is opened."""

    function: WorkerFunction
    site: Site
    file: str
    written: Site
    opened: Site


def copied_buffers(code: WorkerCode, linker: Linker) -> Iterator[CopiedBuffer]:
    """The files that workers flush or close though the main process has left something in their buffers, each once."""
    emptied = [*_emptied(code, linker)]
    if not emptied or not may_be_forked(code, linker):
        return
    told = set[int]()
    for function, call, file, opening, home in emptied:
        if id(opening) in told:
            continue
        written = next(_left_in_buffer(opening, code, linker), None)
        if written is not None:
            told.add(id(opening))
            inner = without_narrowing(file)
            text = function.module.code[file.span.start : file.span.end]
            text = inner.name if isinstance(inner, Parameter) else text
            opened = Site(home.module, opening.span)
            yield CopiedBuffer(function, Site(function.module, call.span), text, written, opened)


def _emptied(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Call, Expr, Call, Frame]]:
    """The calls of workers that flush or close files which they have not opened: with the file, and what opens it."""
    own = {id(each.facts) for each in code.functions}
    for function in code.functions:
        for event in function.facts.events if function.module.first_party else ():
            file = _file_emptied(event.call) if isinstance(event, Called) else None
            if file is None or not isinstance(event, Called):
                continue
            for opening, home in (*_opened(file, function.frame, linker), *_given(file, function, code, linker)):
                if id(home.function) not in own:
                    yield function, event.call, file, opening, home


def _file_emptied(call: Call) -> Expr | None:
    match call.function:
        case Attribute(base=base, name=name) if name in _EMPTYING:
            return base
        case Name(name="print"):
            flush = call.keyword("flush")
            return call.keyword("file") if isinstance(flush, Constant) and flush.value else None
        case _:
            return None


def _opened(file: Expr, frame: Frame, linker: Linker) -> Iterator[tuple[Call, Frame]]:
    """The calls that open a buffered file, each with its frame."""
    yield from _products((each.value for each in linker.evaluate(file, frame)), linker)


def _products(values: Iterable[AbstractValue], linker: Linker) -> Iterator[tuple[Call, Frame]]:
    for value in values:
        match value:
            case ProductValue(call=Call() as opening, frame=Frame() as home) as made if is_buffered(made, linker):
                yield opening, home
            case _:
                pass


def _given(file: Expr, function: WorkerFunction, code: WorkerCode, linker: Linker) -> Iterator[tuple[Call, Frame]]:
    """The same for a parameter of the function that workers begin with, by what the boundary gives it."""
    inner, boundary = without_narrowing(file), code.boundary
    if boundary is None or not function.entry or not isinstance(inner, Parameter):
        return
    for crossing in linker.shipped_by(boundary):
        place = place_given(crossing)
        if place is not None and parameter_at(place, function.facts, boundary.spec) == inner.name:
            yield from _products((crossing.value,), linker)


def _left_in_buffer(opening: Call, code: WorkerCode, linker: Linker) -> Iterator[Site]:
    """Where the main process writes to a file before it starts the workers, and flushes nothing in between."""
    own = {id(each.facts) for each in code.functions}
    for root in linker.activations_with(_WORDS, _WRITING, code.root.site.module.path):
        for event in root.function.events if id(root.function) not in own else ():
            if not isinstance(event, Called):
                continue
            files = files_written(event.call, root.frame, linker)
            is_it = any(found is opening for file in files for found, _ in _opened(file, root.frame, linker))
            module = root.frame.module
            is_left = is_it and _EMPTIED.search(module.code, event.span.start, event.span.end) is None
            if is_left and _is_left_at_start(module, root.function, event.span, code, linker):
                yield Site(module, event.span)


def _is_left_at_start(module: Module, function: FunctionFacts, span: Span, code: WorkerCode, linker: Linker) -> bool:
    """Whether the main process writes at a place of a function and then starts the workers, with no flush seen in
    between: in that function, in the one that calls it, or under the `with` of the object whose `__enter__` it is."""
    is_on_way = any(map(Site(module, function.span).contains, code.way))
    if not is_on_way and _EMPTIED.search(module.code, span.end, function.span.end) is not None:
        return False
    if function.name == _ENTER:
        entered = calls_by_name(function, code.root.site.module.path, linker)
        return any(comes_before_start(*each, code, linker, _EMPTIED) for each in entered)
    return comes_before_start(module, function, span, code, linker, _EMPTIED)
