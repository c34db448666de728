"""Queues that the main process reads until they are empty, when it has just started the processes that fill them: they
are empty until a process has come so far, so the loop ends before it has begun.

Measured with CPython 3.11, under fork, spawn and forkserver, with queues of processes and of managers, and with tasks
of a pool: none of the items are found, or under fork and forkserver those of the process that is started first.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from lintpickle.analyses.calls_and_values.happenings import Happening, frames_leading_to, happenings
from lintpickle.analyses.calls_and_values.rounds import rounds_around
from lintpickle.analyses.lost_changes.pickled_later import TASKS
from lintpickle.analyses.waiting.after_last_task import GOES_ON
from lintpickle.analyses.waiting.emptying_loops import emptying_loop
from lintpickle.analyses.waiting.fed_queues import QUEUE_PUTS
from lintpickle.analyses.waiting.followed_queues import may_be_queue, queue_made, users_of_queue
from lintpickle.analyses.waiting.items_taken import GETS
from lintpickle.analyses.waiting.joins_and_reads import parts_or_itself, queues_read_by
from lintpickle.analyses.waiting.process_joins import is_join_of, is_start_of
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Constant, Expr, Name, ending_name
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import ClassValue, Frame, FunctionValue, Site
from lintpickle.interpreter.callees import callees
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_PROCESS = "process"
_PUT = re.compile(r"\.\s*put(?:_nowait)?\s*\(")
_READS = re.compile(r"\.\s*get(?:_nowait)?\b")
_WAITS = re.compile(
    r"(?:a?(?:star)?map|imap|imap_unordered|apply|as_completed|shutdown|acquire|communicate|get|input|join|next|poll|"
    r"result|run|select|sleep|successful|is_alive|ready|done|wait\w*|recv\w*)"
)
"""What is called that may wait for the processes, or ask whether they are done."""
_GOES_ON = GOES_ON | QUEUE_PUTS | {"start", "Process", "submit", "Queue", "Value", "Event", "Lock", "tqdm"}
"""What is called that takes no time that the processes need."""


class EmptiedAtOnce(Struct, frozen=True):
    """What asks whether the queue is empty, where a process was started before, and where it puts something into the
    queue. `is_lost` says that nothing else is done in between, and that the processes are awaited behind it."""

    asked: Site
    begun: Site
    function: WorkerFunction
    put: Span
    is_lost: bool


class _Order(Struct, frozen=True):
    """What a function does in order: the start of a process, the question for its queue, and whether it does nothing
    else in between and waits for the process behind it."""

    begun: Happening
    asked: Happening
    is_idle: bool
    is_awaited: bool


def emptied_at_once(code: WorkerCode, linker: Linker) -> Iterator[EmptiedAtOnce]:
    """The loops that read a queue until it is empty, behind the start of what fills it."""
    boundary = code.boundary
    if boundary is None or not boundary.frame.module.first_party or not _is_started(boundary):
        return
    if not any(_PUT.search(each.text) for each in code.functions):
        return
    for crossing in linker.shipped_by(boundary):
        queue = queue_made(crossing.value)
        put = next(_puts(crossing.path, queue[0], code, linker), None) if queue is not None else None
        found = _find(queue, boundary, linker) if queue is not None and put is not None else None
        if queue is None or put is None or found is None or _is_read_by_others(queue[0], code, linker):
            continue
        yield EmptiedAtOnce(found.asked.site, found.begun.site, *put, found.is_idle and found.is_awaited)
        return


def _puts(path: str, queue: Call, code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Span]]:
    """The functions that put something into a queue and read none, each with the place of the first such call."""
    for function, written in users_of_queue(path, queue, QUEUE_PUTS, code, linker):
        put = re.search(rf"(?<![\w.]){re.escape(written)}\s*\.\s*put(?:_nowait)?\s*\(", function.text)
        if put is not None and _READS.search(function.text) is None:
            start = function.facts.header.end + put.start()
            yield function, Span(start, start + put.end() - put.start() - 1)


def _is_started(boundary: BoundaryCall) -> bool:
    return boundary.spec.kind == _PROCESS or (
        boundary.spec.name in TASKS and boundary.spec.kind in ("pool", "executor")
    )


def _find(queue: tuple[Call, Frame], boundary: BoundaryCall, linker: Linker) -> _Order | None:
    """The order in which a function that leads to the processes does all this; None if one is seen to wait for them
    before, or to read the queue elsewhere."""
    found: _Order | None = None
    for frame in frames_leading_to(boundary.frame, linker):
        if frame.function.is_generator or frame.function.is_async:
            return None
        search = _Search(queue, boundary, linker)
        order = search.order([*happenings(frame, linker)])
        if search.is_refused:
            return None
        if order is not None and (found is None or order.is_awaited):
            found = order
    return found


class _Search:
    """A search for the loop among what happens in a function. `is_refused`: it is seen to be no hazard."""

    def __init__(self, queue: tuple[Call, Frame], boundary: BoundaryCall, linker: Linker) -> None:
        self.is_refused = False
        self._queue, self._boundary, self._linker = queue, boundary, linker

    def order(self, happened: Sequence[Happening]) -> _Order | None:
        """What a function does, if it starts a process and then reads the queue until it is empty."""
        begun = asked = None
        loop: Span | None = None
        is_idle, is_awaited = True, False
        for each in happened:
            if not isinstance(each.event, Called):
                continue
            call, frame = each.event.call, each.frame
            if asked is not None:
                is_awaited = is_awaited or self._awaits(each.event, frame)
            elif self._starts(call, frame):
                begun, is_idle = each, True
            elif begun is not None and (emptying := self._emptying(call, frame)) is not None:
                asked, loop = each, emptying
                self.is_refused = self.is_refused or not self._is_once(each, emptying)
            elif begun is not None and not any(True for _ in callees(call, frame, self._linker.evaluator)):
                self.is_refused = self.is_refused or _may_wait(call)
                is_idle = is_idle and (_is_of_text(call) or _name(call) in _GOES_ON)
        if begun is None or asked is None or loop is None:
            return None
        rest = (each for each in happened if not (each.frame is asked.frame and loop.contains(each.event.span)))
        if any(self._uses(each) for each in rest) or _is_left_before(begun, asked):
            self.is_refused = True
        return _Order(begun, asked, is_idle, is_awaited)

    def _emptying(self, call: Call, frame: Frame) -> Span | None:
        """The loop that a call ends when it finds the queue empty."""
        loop = emptying_loop(call, frame)
        is_of_queue = isinstance(call.function, Attribute) and loop is not None and self._is(call.function.base, frame)
        return loop if is_of_queue else None

    def _is(self, value: Expr, frame: Frame) -> bool:
        return may_be_queue(value, self._queue[0], frame, self._linker)

    def _starts(self, call: Call, frame: Frame) -> bool:
        if self._boundary.spec.kind != _PROCESS:
            return call is self._boundary.call
        return is_start_of(call, frame, self._boundary, self._linker)

    def _awaits(self, event: Called, frame: Frame) -> bool:
        """Whether a call waits for the processes, or for the tasks."""
        if self._boundary.spec.kind == _PROCESS:
            return is_join_of(event, frame, self._boundary, self._linker)
        return _may_wait(event.call)

    def _uses(self, happening: Happening) -> bool:
        """Whether the queue is read or filled elsewhere, or may be: by what is given it, and is not read."""
        if not isinstance(happening.event, Called) or happening.event.call is self._queue[0]:
            return False
        call, frame = happening.event.call, happening.frame
        if any(self._is(each, frame) for each in _used_by(call)):
            return True
        given = [
            part for each in call.arguments for part in parts_or_itself(each.value) if not isinstance(part, Constant)
        ]
        if not any(self._is(each, frame) for each in given):
            return False
        called = [each.value for each in self._linker.evaluate(call.function, frame)]
        is_own = any(isinstance(each, FunctionValue | ClassValue) for each in called)
        return not is_own and not any(each.call is call for each in self._linker.boundary_calls())

    def _is_once(self, asked: Happening, loop: Span) -> bool:
        """Whether no other loop comes to the question again and again for one queue."""
        made = Site(self._queue[1].module, self._queue[0].span)
        around = {(made.module.path, each) for each in rounds_around(made)}
        here = (asked.frame.module.path, loop)
        for site, frame in _way(asked):
            if not {(site.module.path, each) for each in rounds_around(site)} - {here} <= around:
                return False
            if frame.function is self._queue[1].function:
                return True
        return True


def _way(happening: Happening) -> Iterator[tuple[Site, Frame]]:
    """Where something happens, and the calls that lead there, each with the frame in which it stands."""
    yield happening.site, happening.frame
    for frame in happening.frame.way():
        if frame.called_by is not None:
            caller, call = frame.called_by
            yield Site(caller.module, call.span), caller


def _is_left_before(begun: Happening, asked: Happening) -> bool:
    """Whether a `with` around the start is left before the question: that of an executor waits, that of a pool ends
    what is not done."""
    questions = [site for site, _ in _way(asked)]
    for site, frame in _way(begun):
        source = source_tree(site.module.code)
        for node in source.nodes_within(frame.function.span) if source is not None else ():
            if isinstance(node, ast.With) and source is not None and source.span(node).contains(site.span):
                block = Site(site.module, source.span(node))
                if not any(block.contains(each) for each in questions):
                    return True
    return False


def _used_by(call: Call) -> Iterator[Expr]:
    """What may be a queue that a call reads or fills."""
    yield from queues_read_by(call)
    if isinstance(call.function, Attribute) and call.function.name in QUEUE_PUTS:
        yield call.function.base


def _name(call: Call) -> str:
    return ending_name(call.function) or ""


def _may_wait(call: Call) -> bool:
    """Whether a call may wait for something, by its name."""
    return _WAITS.fullmatch(_name(call)) is not None and not _is_of_text(call)


def _is_of_text(call: Call) -> bool:
    """Whether a call only makes something of texts and the like: `", ".join(names)`, `map(str, names)`."""
    match call.function:
        case Attribute(base=Constant()) | Name(name="map"):
            return True
        case _:
            return False


def _is_read_by_others(queue: Call, code: WorkerCode, linker: Linker) -> bool:
    """Whether another process is given the queue that reads it."""
    for other in linker.worker_codes():
        if other.boundary is None or other is code:
            continue
        for crossing in linker.shipped_by(other.boundary):
            made = queue_made(crossing.value)
            if made is not None and made[0] is queue:
                readers = users_of_queue(crossing.path, queue, GETS, other, linker)
                if any(_READS.search(each.text) is not None for each, _ in readers):
                    return True
    return False
