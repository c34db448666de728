"""What a function does, in order: by its own events, and by those of the functions of the program that it calls, and
of the context managers that it enters and leaves, each in the frame in which it happens."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.caller_frames import frames_of_calls
from lintpickle.analyses.calls_and_values.left_contexts import (
    LeftContext,
    contexts_left,
    given_by_manager,
    managers_entered,
)
from lintpickle.diagnostics import Span
from lintpickle.facts.contexts import ENTER
from lintpickle.facts.records import Called, Event, Implied
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import Frame, Site
from lintpickle.interpreter.callees import callees
from lintpickle.payload.linker import Linker

_CALLS_FOLLOWED = 3
_CALLERS_FOLLOWED = 3


class Happening(Struct, frozen=True):
    """An event, in the frame in which it happens."""

    event: Event
    frame: Frame

    @property
    def site(self) -> Site:
        """Where it stands."""
        return Site(self.frame.module, self.event.span)


def happenings(frame: Frame, linker: Linker, within: Span | None = None) -> Iterator[Happening]:
    """What happens while a function runs, or a part of it. A loop runs once, and both branches of a condition do."""
    begin, end = (within.start, within.end) if within is not None else (0, _end_of(frame))
    yield from _happenings(frame, linker, 0, begin, end)


def happenings_when_left(context: LeftContext, linker: Linker) -> Iterator[Happening]:
    """What happens where a `with` statement ends."""
    yield from _leave(context, linker, 0)


def calls_leading_to(frame: Frame, asker: str, linker: Linker) -> Iterator[tuple[Frame, Call]]:
    """The call by which the program came to a frame; if it is not known, those of its function that are seen."""
    if frame.called_by is not None:
        yield frame.called_by
    elif not frame.function.is_module_body:
        found = (each.called_by for each in frames_of_calls(frame.function, asker, linker))
        yield from (each for each in found if each is not None)


def frames_leading_to(frame: Frame, linker: Linker) -> Iterator[Frame]:
    """A frame, those by whose calls the program came there, and those of functions that are seen to call the outermost
    one; of a special method, those that make its object. The nearest come first, each function once."""
    seen = set[int]()
    waiting = [(each, 0) for each in frame.way()]
    while waiting:
        outer, steps = waiting.pop(0)
        if id(outer.function) in seen:
            continue
        seen.add(id(outer.function))
        yield outer
        if outer.called_by is None and steps < _CALLERS_FOLLOWED:
            waiting += [(each, steps + 1) for each, _ in calls_leading_to(outer, frame.module.path, linker)]


def _happenings(frame: Frame, linker: Linker, depth: int, begin: int, end: int) -> Iterator[Happening]:
    """What happens between two places of a function."""
    left = list(contexts_left(frame, linker)) if depth < _CALLS_FOLLOWED else []
    for event in frame.function.events:
        if not begin <= event.span.start < end:
            continue
        while left and left[0].end <= event.span.start:
            yield from _leave(left.pop(0), linker, depth)
        yield Happening(event, frame)
        if depth < _CALLS_FOLLOWED and isinstance(event, Called | Implied):
            yield from _of_callees(event, frame, linker, depth)
    for each in left:
        if begin < each.end <= end:
            yield from _leave(each, linker, depth)


def _of_callees(event: Called | Implied, frame: Frame, linker: Linker, depth: int) -> Iterator[Happening]:
    for callee in callees(event.call, frame, linker.evaluator):
        inner = linker.evaluator.enter(callee, event.call, frame) if not frame.is_active(callee.facts) else None
        if inner is not None:
            yield from _happenings(inner, linker, depth + 1, 0, _end_of(inner))
    if isinstance(event, Implied) and event.method == ENTER:
        for inner in managers_entered(event, frame, linker):
            given = given_by_manager(inner)
            yield from _happenings(inner, linker, depth + 1, 0, _end_of(inner) if given is None else given)


def _leave(context: LeftContext, linker: Linker, depth: int) -> Iterator[Happening]:
    yield from _happenings(context.frame, linker, depth + 1, context.begin, _end_of(context.frame))


def _end_of(frame: Frame) -> int:
    """The end of a function; of a module, the last of all places."""
    return frame.function.span.end if not frame.function.is_module_body else len(frame.module.code) + 1
