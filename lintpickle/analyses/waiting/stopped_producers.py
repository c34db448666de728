"""Processes that put into a queue with a limit until an event is set, and are joined when it is: who sets it has ended
reading, so a process that waits for room in the queue then never comes to ask for the event. (Measured on CPython 3.11:
the `put` of a full `multiprocessing.Queue(maxsize)` waits until somebody takes an item.)"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.happenings import Happening, frames_leading_to, happenings
from lintpickle.analyses.waiting.joins_and_reads import products_made, queues_read_by
from lintpickle.analyses.waiting.process_joins import is_join_of
from lintpickle.analyses.waiting.readers_leaving import LeftEarly, room_in
from lintpickle.analyses.waiting.undrained_queues import as_given
from lintpickle.analyses.waiting.unshared_flags import loops_of
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Expr
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import Frame, ProductValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_QUEUE = "mp-queue"
"""The kind of such queues in the catalog."""
_ENDS = re.compile(
    r"\bterminate\(|\bkill\(|\bcancel_join_thread\(|\b_exit\(|\babort\(|\bis_alive\(|\bexitcode\b|\b(?:Thread|Timer)\s*\("
)
"""What stands in code that ends processes otherwise, asks whether they have ended, or may read somewhere else."""
_GOES_ON = re.compile(
    r"\bcancel_join_thread\(|\bFull\b|\b_exit\(|\bfull\(|\bqsize\(|\bget(?:_nowait)?\(|\brecv\w*\(|\bsleep\(|\bwait\("
)
"""What stands in code of a worker that may stop putting, or that puts so seldom that there is room."""
_LEAVES = (ast.Break, ast.Return, ast.Raise)


def stopped_producers(code: WorkerCode, linker: Linker) -> Iterator[LeftEarly]:
    """Where the reader sets the event, the join of the process, and where that puts into the queue."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or boundary.frame.module.has(_ENDS) or code.is_cut:
        return
    for function in (as_given(each, boundary) for each in code.functions if each.module.first_party):
        if "is_set" not in function.text or ".put(" not in function.text or _GOES_ON.search(function.text):
            continue
        for put, stop in _puts_until_set(function):
            queues = _made_of(put.function, _QUEUE, function.frame, linker)
            stops = products_made(stop.base, function.frame, linker) if isinstance(stop, Attribute) else []
            if not queues or not room_in(queues[0], linker) or not stops:
                continue
            queue = queues[0].call
            found = _set_then_joined(queue, stops, boundary, linker) if queue is not None else None
            if queue is not None and found is not None and not _is_given_to_others(queue, boundary, linker):
                yield LeftEarly(*found, function, put.span)
                return


def _puts_until_set(function: WorkerFunction) -> Iterator[tuple[Call, Attribute]]:
    """The calls that put one item in each round of a loop which only an event ends, each with what asks for that."""
    source = source_tree(function.module.code)
    calls = [each.call for each in function.facts.events if isinstance(each, Called)]
    for loop in loops_of(function, source) if source is not None else ():
        is_plain = isinstance(loop.test, ast.UnaryOp) and isinstance(loop.test.op, ast.Not)
        if source is None or not is_plain or any(isinstance(each, _LEAVES) for each in ast.walk(loop)):
            continue
        test, whole = source.span(loop.test), source.span(loop)
        asked = [each.function for each in calls if test.contains(each.span)]
        puts = [each for each in calls if whole.contains(each.span) and _is_put(each)]
        match asked:
            case [Attribute(name="is_set") as stop]:
                yield from ((each, stop) for each in puts)
            case _:
                pass


def _is_put(call: Call) -> bool:
    return isinstance(call.function, Attribute) and call.function.name == "put" and len(call.arguments) == 1


def _made_of(function: Expr, kind: str, frame: Frame, linker: Linker) -> list[ProductValue]:
    """The products of a kind whose method something is; none if it may be one of something else."""
    values = [each.value for each in linker.evaluate(function.base, frame)] if isinstance(function, Attribute) else []
    found = [each for each in values if isinstance(each, ProductValue) and each.product.kind == kind]
    return found if len({id(each.call) for each in found}) == 1 else []


def _set_then_joined(
    queue: Call, stops: list[Call], boundary: BoundaryCall, linker: Linker
) -> tuple[Site, Site] | None:
    """Where a function that has read the queue sets the event, and where it then joins the process without reading."""
    for frame in frames_leading_to(boundary.frame, linker):
        is_read, stopped = False, None
        for each in happenings(frame, linker):
            event = each.event
            if not isinstance(event, Called):
                continue
            if _reads(event.call, queue, each, linker):
                if stopped is not None:
                    return None
                is_read = True
            elif is_read and stopped is None and _sets(event.call, stops, each, linker):
                stopped = each.site
            elif stopped is not None and is_join_of(event, each.frame, boundary, linker):
                modules = (frame.module, stopped.module, each.frame.module)
                return None if any(module.has(_ENDS) for module in modules) else (stopped, each.site)
    return None


def _reads(call: Call, queue: Call, happening: Happening, linker: Linker) -> bool:
    """Whether a call reads the queue, or is given it after it was made, and may do so."""
    given = (*queues_read_by(call), *(argument.value for argument in call.arguments))
    return call is not queue and any(queue in products_made(each, happening.frame, linker) for each in given)


def _sets(call: Call, stops: list[Call], happening: Happening, linker: Linker) -> bool:
    function = call.function
    if not isinstance(function, Attribute) or function.name != "set":
        return False
    return any(each in stops for each in products_made(function.base, happening.frame, linker))


def _is_given_to_others(queue: Call, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether another process is given the queue, which may read it."""
    others = (each for each in linker.boundary_calls() if each.call.span != boundary.call.span)
    return any(
        isinstance(crossing.value, ProductValue) and crossing.value.call is queue
        for other in others
        for crossing in linker.shipped_by(other)
    )
