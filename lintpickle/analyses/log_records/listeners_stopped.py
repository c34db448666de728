"""Listeners of log records that are stopped before the processes have ended which send them.

Measured with CPython 3.11, under every start method: `QueueListener.stop()` puts a mark into the queue and waits for
the thread that handles what is before it. What workers log afterwards stays in the queue, and no handler gets it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.caller_frames import frame_of_method
from lintpickle.analyses.calls_and_values.functions_run import functions_entered
from lintpickle.analyses.waiting.process_joins import joins_behind
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called, Implied
from lintpickle.facts.values import Attribute, Call
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import Frame, InstanceValue, ProductValue, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_LISTENER = "QueueListener"
_SENDS = re.compile(r"\bQueueHandler\(")
_AWAITS = frozenset({"get", "recv", "wait", "is_alive", "result", "poll", "acquire"})
"""Calls by which the main process may wait until workers have done their work."""
_EXIT = "__exit__"


class StoppedEarly(Struct, frozen=True):
    """Where a listener is stopped, where a process is joined afterwards, and the function of it that sends records."""

    stop: Site
    join: Site
    sender: WorkerFunction


class _Ending(Struct, frozen=True):
    """Something that a function does, or a context that it leaves, in the order of `key`."""

    key: tuple[int, int, int]
    frame: Frame
    site: Site


def listeners_stopped_early(code: WorkerCode, linker: Linker) -> Iterator[StoppedEarly]:
    """The first place at which the listener of the queue is stopped that a process is given which is joined later."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or not boundary.frame.module.first_party:
        return
    sender = next((each for each in code.functions if each.frame.paths.has(_SENDS)), None)
    if sender is None or not linker.first_party.is_anywhere(Words({_LISTENER}), boundary.site.module.path):
        return
    search = _Search(boundary, _queues(boundary, linker), linker)
    for frame in boundary.frame.way():
        endings = search.endings(frame)
        stop = search.stop_among(endings)
        join = search.join_among(endings) if stop is not None else None
        if stop is not None and join is not None:
            if stop.key < join.key and not search.may_await(frame, stop):
                yield StoppedEarly(stop.site, join.site, sender)
            return


def _queues(boundary: BoundaryCall, linker: Linker) -> frozenset[int]:
    """The ids of the calls that make the queues which a process is given."""
    shipped = (each.value for each in linker.shipped_by(boundary))
    return frozenset(
        id(each.call) for each in shipped if isinstance(each, ProductValue) and each.path.endswith("Queue")
    )


class _Search(Struct, frozen=True, eq=False):
    """The search for the ends of the listener of some queues, and of the process of a boundary."""

    boundary: BoundaryCall
    queues: frozenset[int]
    linker: Linker

    def endings(self, frame: Frame) -> list[_Ending]:
        """What a function calls, and the contexts that it leaves; each as the frame of what runs then."""
        return [*self._endings(frame)]

    def stop_among(self, endings: list[_Ending]) -> _Ending | None:
        """The first that stops the listener."""
        return min((each for each in endings if self._stops(each)), key=_key, default=None)

    def join_among(self, endings: list[_Ending]) -> _Ending | None:
        """The first that joins the process."""
        return min((each for each in endings if self._joins(each)), key=_key, default=None)

    def may_await(self, frame: Frame, stop: _Ending) -> bool:
        """Whether a function may wait for the work of the process before it stops the listener."""
        calls = (each.call.function for each in frame.function.events if isinstance(each, Called))
        return any(
            isinstance(each, Attribute) and each.name in _AWAITS and each.span.start < stop.key[0] for each in calls
        )

    def _endings(self, frame: Frame) -> Iterator[_Ending]:
        for event in frame.function.events:
            place = Site(frame.module, event.span)
            if isinstance(event, Implied) and event.method == "__enter__":
                end = _left_at(event.span.start, frame)
                for traced in self.linker.evaluate(event.target, frame) if end is not None else ():
                    inner = self._exit_of(traced.value) if isinstance(traced.value, InstanceValue) else None
                    if inner is not None and end is not None:
                        yield _Ending((end, 1, -event.span.start), inner, place)
            elif isinstance(event, Called):
                key = (event.span.start, 0, 0)
                yield _Ending(key, _one_call(event, frame), place)
                for _, entered in functions_entered(event.call, frame, self.linker):
                    yield _Ending(key, entered, place)

    def _exit_of(self, manager: InstanceValue) -> Frame | None:
        method = self.linker.classes.find_method(manager, _EXIT)
        return frame_of_method(method, manager, self.linker) if method is not None else None

    def _stops(self, ending: _Ending) -> bool:
        frame = ending.frame
        return any(isinstance(each, Called) and self._is_stop(each.call, frame) for each in frame.function.events)

    def _is_stop(self, call: Call, frame: Frame) -> bool:
        function = call.function
        if not isinstance(function, Attribute) or function.name != "stop":
            return False
        for traced in self.linker.evaluate(function.base, frame):
            value = traced.value
            if isinstance(value, ProductValue) and value.path.endswith(_LISTENER) and value.call is not None:
                queue = value.call.argument("queue", 0)
                found = self.linker.evaluate(queue, value.frame) if queue is not None and value.frame else ()
                return any(id(getattr(each.value, "call", None)) in self.queues for each in found)
        return False

    def _joins(self, ending: _Ending) -> bool:
        root = RootFrame(ending.frame, None)
        return next(joins_behind(-1, root, self.boundary, self.linker), None) is not None


def _key(ending: _Ending) -> tuple[int, int, int]:
    return ending.key


def _left_at(place: int, frame: Frame) -> int | None:
    """Where the context is left that is entered at a place: by a `with`, or by a stack under the `with` of that."""
    source = source_tree(frame.module.code)
    contexts = source.nodes_within(frame.function.span) if source is not None else ()
    end: int | None = None
    for node in contexts:
        if isinstance(node, ast.With) and source is not None:
            body = source.span(node.body[-1]).end
            if any(source.span(each.context_expr).start == place for each in node.items):
                return body
            if source.span(node.body[0]).start <= place < body:
                end = body
    return end


def _one_call(event: Called, frame: Frame) -> Frame:
    """A function as if it did nothing but one call."""
    return replace(frame, function=replace(frame.function, events=(event,)))
