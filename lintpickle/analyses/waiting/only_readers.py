"""The one loop that reads a queue until an end mark, where all that reads the queue is seen."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.analyses.calls_and_values.rounds import rounds_around
from lintpickle.analyses.waiting.end_marks import EndMark, mark_of_loop
from lintpickle.analyses.waiting.followed_queues import may_be_queue, name_of_queue, queue_made, users_of_queue
from lintpickle.analyses.waiting.items_taken import GETS
from lintpickle.analyses.waiting.joins_and_reads import parts_or_itself, queues_read_by
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called
from lintpickle.facts.values import Call, Expr
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import ClassValue, Frame, FunctionValue, InstanceValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_DEEPEST = 3
"""How many calls are followed to where the queue is read, and how many callers are asked."""
_STOPS = re.compile(r"\.\s*set\s*\(")
"""What may tell processes that nobody reads any more."""


class QueueReader(Struct, frozen=True):
    """A function, in a frame, whose one loop takes items from a queue until the mark; where it takes them."""

    mark: EndMark
    frame: Frame
    taken: Site


class _Read(Struct, frozen=True):
    """A call that reads the queue, or may do so if `is_known` is not set; the calls that lead there stand first."""

    way: tuple[Site, ...]
    frame: Frame
    written: str
    is_known: bool = True


def only_reader(queue: tuple[Call, Frame], code: WorkerCode, linker: Linker) -> QueueReader | None:
    """The reader of a queue that a call makes in a frame, if a program comes to it once for each queue that it makes,
    and nothing else reads the queue."""
    boundary = code.boundary
    if boundary is None:
        return None
    reads = [*_reads_around(queue, boundary, linker), *_reads_of_workers(queue, code, linker)]
    if len(reads) != 1 or not reads[0].is_known or _is_read_elsewhere(queue, linker):
        return None
    read = reads[0]
    found = node_of(read.frame.module, read.frame.function)
    mark = mark_of_loop(found[1], read.written, read.frame.module) if found is not None else None
    if found is None or mark is None or not _is_once(read, queue):
        return None
    taken = Site(read.frame.module, found[0].span(mark.taken))
    if _STOPS.search(taken.module.code, taken.span.end, read.frame.function.span.end) is not None:
        return None
    return QueueReader(mark, read.frame, taken)


def _reads_around(queue: tuple[Call, Frame], boundary: BoundaryCall, linker: Linker) -> Iterator[_Read]:
    """What reads the queue in the function that starts the processes, in its callers, and what these call."""
    search = _Search(queue[0], boundary, linker)
    for frame in _frames(boundary):
        yield from search.reads(frame, ())
        search.searched.add(id(frame.function))


def _frames(boundary: BoundaryCall) -> Iterator[Frame]:
    frame: Frame | None = boundary.frame
    for _ in range(_DEEPEST):
        if frame is None:
            return
        yield frame
        owner = next((each.value for each in frame.bindings.values() if isinstance(each.value, InstanceValue)), None)
        caller = frame.called_by[0] if frame.called_by is not None else None
        frame = caller or (owner.frame if owner is not None else None)


class _Search:
    """A search for what reads a queue. `searched` are the functions of which it is known, by their ids."""

    def __init__(self, queue: Call, boundary: BoundaryCall, linker: Linker) -> None:
        self.searched = set[int]()
        self._queue, self._boundary, self._linker = queue, boundary, linker

    def reads(self, frame: Frame, way: tuple[Site, ...]) -> Iterator[_Read]:
        """What reads it in a function, and in those that this calls."""
        for event in frame.function.events:
            if not isinstance(event, Called) or event.call is self._boundary.call:
                continue
            call, here = event.call, (*way, Site(frame.module, event.call.span))
            if any(self._is(each, frame) for each in queues_read_by(call)):
                yield _Read(here, frame, _written_in(call, frame))
            elif len(way) < _DEEPEST:
                yield from self._reads_of_callees(call, frame, here)

    def _reads_of_callees(self, call: Call, frame: Frame, way: tuple[Site, ...]) -> Iterator[_Read]:
        """What the functions of the program read that are called; what others are given, they may read."""
        callees = [each.value for each in self._linker.evaluate(call.function, frame)]
        known = [each for each in callees if isinstance(each, FunctionValue)]
        for callee in known:
            is_new = id(callee.facts) not in self.searched and not frame.is_active(callee.facts)
            inner = self._linker.evaluator.enter(callee, call, frame) if is_new else None
            if inner is not None:
                yield from self.reads(inner, way)
        is_own = bool(known) or any(isinstance(each, ClassValue) for each in callees)
        if not is_own and not self._starts_process(call, frame):
            given = (part for each in call.arguments for part in parts_or_itself(each.value))
            if any(self._is(each, frame) for each in given):
                yield _Read(way, frame, "", is_known=False)

    def _starts_process(self, call: Call, frame: Frame) -> bool:
        """Whether a call gives work to a process, of which it is seen elsewhere what that reads."""
        return any(each.call is call for each in self._linker.boundary_calls() if each.frame.module is frame.module)

    def _is(self, value: Expr, frame: Frame) -> bool:
        return may_be_queue(value, self._queue, frame, self._linker)


def _written_in(call: Call, frame: Frame) -> str:
    """How the queue is written that a call reads."""
    source = source_tree(frame.module.code)
    nodes = source.nodes_within(call.span) if source is not None else ()
    gets = (each for each in nodes if isinstance(each, ast.Attribute) and each.attr in GETS)
    return next((ast.unparse(each.value) for each in gets), "")


def _reads_of_workers(queue: tuple[Call, Frame], code: WorkerCode, linker: Linker) -> Iterator[_Read]:
    """What processes read that are given the queue."""
    for other in linker.worker_codes():
        for crossing in linker.shipped_by(other.boundary) if other.boundary is not None else ():
            made = queue_made(crossing.value)
            if made is None or made[0] is not queue[0]:
                continue
            for function, written in users_of_queue(crossing.path, queue[0], GETS, other, linker):
                form = rf"(?<![\w.]){re.escape(written)}\s*\.\s*get(?:_nowait)?\b"
                if re.search(form, function.text) is not None:
                    yield _Read(other.way, function.frame, written, is_known=other is not code)


def _is_once(read: _Read, queue: tuple[Call, Frame]) -> bool:
    """Whether no loop leads to the reader again for the same queue."""
    made = Site(queue[1].module, queue[0].span)
    around = {(made.module.path, span) for span in rounds_around(made)}
    steps = read.way[:-1] if read.way[-1].module is read.frame.module and _stands_in(read) else read.way
    return all((site.module.path, span) in around for site in steps for span in rounds_around(site))


def _stands_in(read: _Read) -> bool:
    """Whether the last step of the way is the call that reads, of whose loops it is known that they end by the mark."""
    span = read.frame.function.span
    return span.start <= read.way[-1].span.start < span.end


def _is_read_elsewhere(queue: tuple[Call, Frame], linker: Linker) -> bool:
    """Whether the module that makes the queue has more places than one that read an attribute of its name."""
    module = queue[1].module
    source = source_tree(module.code)
    name = name_of_queue(queue[0], source) if source is not None else None
    if name is None:
        return True
    form = re.compile(rf"(?<!\w){re.escape(name.rpartition('.')[2])}\s*\.\s*get(?:_nowait)?\b")
    return "." in name and len(form.findall(module.code)) > 1
