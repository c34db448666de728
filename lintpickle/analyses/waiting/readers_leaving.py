"""Queues with a limit whose reader leaves while a process still puts into them: the process waits for room, and who
joins it waits for the process. (Measured on CPython 3.11: the `put` of a `multiprocessing.Queue(maxsize)` waits.)"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.repeated_places import is_repeated
from lintpickle.analyses.calls_and_values.values import can_be_made_by
from lintpickle.analyses.waiting.followed_queues import queues_given
from lintpickle.analyses.waiting.joins_and_reads import is_in_a_branch, products_made, queues_read_by
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import ConstantValue, Frame, FunctionValue, ProductValue, Site
from lintpickle.payload.entry_arguments import parameter_at
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_LOOPS = (ast.For, ast.While)
_ENDS = ("terminate(", "kill(", "cancel_join_thread(", "_exit(", "abort(", "is_alive(", "exitcode")
"""What stands in code that ends processes in another way than by waiting for them, or asks whether they have ended."""
_GOES_ON = ("is_set(", "cancel_join_thread(", ".get(", "get_nowait(", ".recv(", "Full", "_exit(")
"""What stands in code of a worker that may stop putting."""


class LeftEarly(Struct, frozen=True):
    """Where a reader leaves, where the process is joined that then waits, and where that puts into the queue."""

    left: Site
    join: Site
    function: WorkerFunction
    put: Span


def left_early(code: WorkerCode, linker: Linker) -> Iterator[LeftEarly]:
    """The reader of a queue with little room that leaves, and the join of the process that puts into the queue."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or any(map(boundary.frame.module.code.__contains__, _ENDS)):
        return
    for queue in queues_given(boundary, linker):
        limit = room_in(queue.value, linker)
        put = _put(queue.place, limit, boundary, code) if limit else None
        join = _join(boundary, linker) if put is not None else None
        left = _left(boundary.frame, queue.made, join, linker) if join is not None else None
        if put is None or join is None or left is None:
            continue
        site = Site(boundary.frame.module, join)
        if not is_in_a_branch(site, boundary):
            yield LeftEarly(left, site, put[0], put[1])


def room_in(queue: ProductValue, linker: Linker) -> int:
    """How many items have room in a queue; 0 if that is not known, or there is no limit."""
    if queue.call is None or queue.frame is None:
        return 0
    given = queue.call.keyword("maxsize") or next(iter(queue.call.positional() or ()), None)
    values = [traced.value for traced in linker.evaluate(given, queue.frame)] if given is not None else []
    sizes = [each.value for each in values if isinstance(each, ConstantValue) and isinstance(each.value, int)]
    return max(0, *sizes) if sizes and len(sizes) == len(values) else 0


def _put(place: int | None, limit: int, boundary: BoundaryCall, code: WorkerCode) -> tuple[WorkerFunction, Span] | None:
    """Where the function that the process begins with puts into the queue, again and again, and waits for room."""
    for function in code.functions:
        facts, module = function.facts, function.module
        parameter = parameter_at(place, facts, boundary.spec) if function.entry and place is not None else None
        text = module.code[facts.span.start : facts.span.end]
        if parameter is None or any(each in text for each in _GOES_ON):
            continue
        for event in facts.events:
            if isinstance(event, Called) and len(event.call.arguments) == 1:
                written = module.code[event.span.start : event.span.end]
                if written.startswith(f"{parameter}.put(") and _is_often(event.span, limit, function):
                    return function, event.span
    return None


def _is_often(put: Span, limit: int, function: WorkerFunction) -> bool:
    """Whether a loop comes to a place more often than the queue, and a reader that leaves, have room for."""
    if is_repeated(put, function.facts, function.module):
        return True
    source = source_tree(function.module.code)
    for node in source.nodes_within(function.facts.span) if source is not None else ():
        match node:
            case ast.For(iter=ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(often))])):
                if source is not None and source.span(node).start <= put.start < source.span(node).end:
                    return often > 2 * limit
            case _:
                pass
    return False


def _join(boundary: BoundaryCall, linker: Linker) -> Span | None:
    """Where the function that makes the process joins it, without a timeout."""
    for event in boundary.frame.function.events:
        match event:
            case Called(call=Call(function=Attribute(base=base, name="join"), arguments=()) as call):
                if can_be_made_by(boundary.call, base, boundary.frame, linker):
                    return call.span
            case _:
                pass
    return None


def _left(frame: Frame, queue: Call, join: Span, linker: Linker) -> Site | None:
    """Where the one loop that reads the queue leaves it before its end, in a function or one that this calls."""
    source = source_tree(frame.module.code)
    if source is None:
        return None
    reads = list(_reads(frame, queue, linker))
    if len(reads) != 1:
        return None
    reader, read, outer = reads[0]
    inner = source_tree(reader.module.code)
    loop = _loop_around(read, reader.function.span, inner) if inner is not None else None
    if inner is None or loop is None or loop.orelse:
        return None
    place, whole = (outer if outer is not None else read), frame.function.span
    for way, condition in _ways_out(loop.body, None):
        if isinstance(way, ast.Raise):
            is_left = condition is not None and _asks_for_value(condition.test)
        else:
            is_left = condition is not None and _is_enough(condition.test, loop)
        goes_on = isinstance(way, ast.Break) or (isinstance(way, ast.Return) and outer is not None)
        if is_left and (goes_on or _joins_at_last(place, join, whole, source)):
            return Site(reader.module, inner.span(way))
    return None


def _reads(frame: Frame, queue: Call, linker: Linker) -> Iterator[tuple[Frame, Span, Span | None]]:
    """Where a function reads the queue, or one that it calls, each with the place of that call."""
    for event in frame.function.events:
        if not isinstance(event, Called):
            continue
        if any(queue in products_made(each, frame, linker) for each in queues_read_by(event.call)):
            yield frame, event.call.span, None
        elif any(queue in products_made(each.value, frame, linker) for each in event.call.arguments):
            for traced in linker.evaluate(event.call.function, frame):
                callee = traced.value
                inner = linker.evaluator.enter(callee, event.call, frame) if isinstance(callee, FunctionValue) else None
                if inner is not None:
                    yield from ((inner, read, event.call.span) for read in _reads_of(inner, queue, linker))


def _reads_of(frame: Frame, queue: Call, linker: Linker) -> Iterator[Span]:
    for event in frame.function.events:
        read = queues_read_by(event.call) if isinstance(event, Called) else ()
        if isinstance(event, Called) and any(queue in products_made(each, frame, linker) for each in read):
            yield event.call.span


def _loop_around(read: Span, whole: Span, source: SourceTree) -> ast.For | ast.While | None:
    """The innermost loop in which, or over which, a call reads."""
    loops = [node for node in source.nodes_within(whole) if isinstance(node, _LOOPS)]
    around = [each for each in loops if source.span(each).start <= read.start < source.span(each).end]
    return max(around, key=lambda each: source.span(each).start, default=None)


def _ways_out(body: list[ast.stmt], condition: ast.If | None) -> Iterator[tuple[ast.stmt, ast.If | None]]:
    """The statements that leave a loop, each with the condition around it; not those that something may catch."""
    for each in body:
        match each:
            case ast.Break() | ast.Return() | ast.Raise():
                yield each, condition
            case ast.If(body=inner, orelse=orelse):
                yield from _ways_out(inner, each)
                yield from _ways_out(orelse, None)
            case ast.With(body=inner):
                yield from _ways_out(inner, condition)
            case _:
                pass


def _is_enough(test: ast.expr, loop: ast.For | ast.While) -> bool:
    """Whether a condition asks for the length of a list into which only some of the items come."""
    match test:
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]), ops=[ast.Eq() | ast.GtE() | ast.Gt()]
        ):
            return _is_filled_for_some(name, loop)
        case _:
            return False


def _is_filled_for_some(name: str, loop: ast.For | ast.While) -> bool:
    """Whether a loop appends to a list only under conditions that are no mere comparisons for equality, as of marks."""
    filled = [
        (node, parents)
        for node, parents in _with_conditions(loop.body, ())
        if f"{name}.append(" in ast.unparse(node) and not isinstance(node, ast.If)
    ]
    return bool(filled) and all(parents and all(map(_asks_for_value, parents)) for _, parents in filled)


def _with_conditions(
    body: list[ast.stmt], parents: tuple[ast.expr, ...]
) -> Iterator[tuple[ast.stmt, tuple[ast.expr, ...]]]:
    for each in body:
        yield each, parents
        if isinstance(each, ast.If):
            yield from _with_conditions(each.body, (*parents, each.test))
            yield from _with_conditions(each.orelse, ())


def _asks_for_value(test: ast.expr) -> bool:
    """Whether a condition is about what an item is worth, and not which kind of message it is."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return isinstance(operand, ast.Call) and _asks_for_value(operand)
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass")):
            return False
        case (
            ast.Compare(ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()]) | ast.Compare(left=ast.BinOp()) | ast.Call()
        ):
            return True
        case _:
            return False


def _joins_at_last(read: Span, join: Span, whole: Span, source: SourceTree) -> bool:
    """Whether a process is joined in the `finally` of the statement in which the queue is read."""
    for node in source.nodes_within(whole):
        if isinstance(node, ast.Try) and node.finalbody:
            first, last = source.span(node.finalbody[0]), source.span(node.finalbody[-1])
            reads = source.span(node.body[0]).start <= read.start < source.span(node.body[-1]).end
            if reads and first.start <= join.start < last.end:
                return True
    return False
