"""Pipes that never end for a worker which reads them, because it has the end that is written to open itself.

Measured with CPython 3.11: a forked process inherits both ends of every pipe of its parent. `recv()` raises EOFError
only when no process has the other end open, so that the `close()` of the parent does not end it. Spawned and served
workers have the end alone that they are given; one that is given both, and does not close the other, waits for ever
under every start method.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.waiting.ends_closed import closed_after_start
from lintpickle.analyses.waiting.pipe_pairs import names_in_worker, names_of_other_end, other_end_of_worker
from lintpickle.analyses.workers.worker_functions import may_be_forked
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, parameter_name
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import ExternalResult, Frame, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

PIPE_END = "mp-connection"
"""What the catalog calls an end of a pipe."""
PIPE_READS = frozenset({"recv", "recv_bytes", "recv_bytes_into"})
_ENDS = frozenset({"EOFError", "Exception", "OSError", "BaseException"})
_OTHER_USE = r"\b{0}\b(?!\s*\.\s*send(?:_bytes)?\()"


class PipeKeptOpen(Struct, frozen=True):
    """Where a worker reads until the end of a pipe, where the pipe is made, and where the main process closes the other
    end, by what name. `is_given` says that the worker is given that, too, and does not inherit it alone."""

    function: WorkerFunction
    span: Span
    made: Site
    closed: Site
    writer: str
    is_given: bool


def pipes_kept_open(code: WorkerCode, linker: Linker) -> Iterator[PipeKeptOpen]:
    """The pipes of which a process that may be forked is given one end, or any process both, and reads one until
    EOFError, while the function that starts it closes the other one afterwards, and then waits."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process":
        return
    reads = list(pipes_read_to_the_end(code, linker))
    shipped = [each.value for each in linker.shipped_by(boundary)] if reads else []
    for function, call, pipe, home in reads:
        given = [each for each in shipped if isinstance(each, ExternalResult) and each.call is pipe]
        if boundary.frame.function is not home.function:
            continue
        place = other_end_of_worker(function, call, pipe, boundary.call, home)
        if place is not None:
            writers = [*names_of_other_end(pipe, place, home)]
        elif len(given) == 1:
            writers = [*end_not_given(pipe, boundary.call, home)] if may_be_forked(code, linker) else []
        else:
            writers = [*_handed(pipe, boundary.call, home, function, call)]
        for writer in writers:
            closed = _closed_after_start(pipe, boundary.call, home, writer)
            if closed is not None:
                made, is_given = Site(home.module, pipe.span), len(given) != 1 or place is not None
                yield PipeKeptOpen(function, call.span, made, Site(home.module, closed), writer, is_given)
                return


def pipes_read_to_the_end(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Call, Call, Frame]]:
    """The calls in functions of workers that read a pipe until it ends, each with the call that makes the pipe."""
    for function in code.functions:
        for event in function.facts.events if function.module.first_party else ():
            match event:
                case Called(call=Call(function=Attribute(base=base, name=name)) as call) if name in PIPE_READS:
                    values = [each.value for each in linker.evaluate(base, function.frame)]
                case _:
                    continue
            match values:
                case [ExternalResult(path=path, call=Call() as pipe, frame=Frame() as home)] if path == PIPE_END:
                    if home.module.first_party and is_read_to_the_end(call.span, function.facts.span, function.module):
                        yield function, call, pipe, home
                case _:
                    pass


def is_read_to_the_end(read: Span, function: Span, module: Module) -> bool:
    """Whether a call in a function stands in a loop without an end, which only the error at the end of the pipe
    leaves."""
    source = source_tree(module.code)
    if source is None:
        return False
    around = [
        each
        for each in source.nodes_within(function)
        if isinstance(each, ast.While | ast.For | ast.Try | ast.With) and _holds(source, each, read)
    ]
    loop = next((each for each in reversed(around) if isinstance(each, ast.While | ast.For)), None)
    attempt = next((each for each in reversed(around) if isinstance(each, ast.Try)), None)
    if not isinstance(loop, ast.While) or attempt is None or not _is_true(loop.test):
        return False
    handlers = [each for each in attempt.handlers if _catches_end(each)]
    if not handlers or not any(_holds(source, each, read) for each in attempt.body):
        return False
    inside = {id(node) for handler in handlers for node in ast.walk(handler)}
    return not any(
        isinstance(node, ast.Break | ast.Return | ast.Raise) and id(node) not in inside
        for statement in loop.body
        for node in ast.walk(statement)
    )


def _holds(source: SourceTree, node: ast.AST, span: Span) -> bool:
    place = source.span(node) if isinstance(node, ast.stmt) else span
    return place.start <= span.start and span.end <= place.end


def _is_true(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)


def _catches_end(handler: ast.ExceptHandler) -> bool:
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(each is None or (isinstance(each, ast.Name) and each.id in _ENDS) for each in named)


def end_not_given(pipe: Call, start: Call, home: Frame) -> Iterator[str]:
    """The name of the end that the worker is not given, if the ends have names."""
    text = home.module.code[start.span.start : start.span.end]
    writers = [each for each in names_of_ends(pipe, home) if not re.search(rf"\b{re.escape(each)}\b", text)]
    yield from writers if len(writers) == 1 else ()


def _handed(pipe: Call, start: Call, home: Frame, function: WorkerFunction, reads: Call) -> Iterator[str]:
    """The name of the end that the worker is given beside the one which it reads, if it does nothing with that but send
    by it."""
    source, ends = source_tree(home.module.code), names_of_ends(pipe, home)
    match reads.function:
        case Attribute(base=base) if function.entry and len(ends) == 2 and source is not None:
            written = function.module.code[reads.span.start : reads.span.end].rpartition(".")[0]
            read = parameter_name(base) or written
        case _:
            return
    for node in source.nodes_within(start.span):
        if isinstance(node, ast.keyword) or not isinstance(node, ast.Tuple | ast.List):
            continue
        given = [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
        named = names_in_worker(node, function)
        reader = next((each for each in ends if named.get(each) == read), None)
        if reader is None or any(given.count(each) != 1 for each in ends):
            continue
        writer = ends[reader == ends[0]]
        body = function.facts.header.end, function.facts.span.end
        uses = re.compile(_OTHER_USE.format(named.get(writer, ""))).findall(function.module.code, *body)
        if writer in named and len(uses) == 1:  # The one is the parameter itself, or what it is unpacked to.
            yield writer
        return


def _closed_after_start(pipe: Call, start: Call, home: Frame, writer: str) -> Span | None:
    """Where an end of a pipe is closed by its own name after the start."""
    form = re.compile(rf"(?<![\w.]){re.escape(writer)}\s*\.\s*close\(\s*\)")
    return closed_after_start(form, writer, pipe.span.end, start, home)


def names_of_ends(pipe: Call, home: Frame) -> list[str]:
    """The two names, or attributes of one object, to which the ends of a pipe are assigned."""
    source = source_tree(home.module.code)
    for node in source.nodes_within(home.function.span) if source is not None else ():
        for target, value in _assigned(node):
            match target:
                case ast.Tuple(elts=[first, second]) if source is not None and source.span(value) == pipe.span:
                    written = [ast.unparse(first), ast.unparse(second)]
                    return written if all(re.fullmatch(r"(?:self\.)?\w+", each) for each in written) else []
                case _:
                    pass
    return []


def _assigned(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What an assignment gives values, each with its value, also of several at once: `(a, b), c = pair(), 3`."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            yield from zip(targets, values, strict=False)
        case ast.Assign(targets=[target], value=value):
            yield target, value
        case _:
            pass
