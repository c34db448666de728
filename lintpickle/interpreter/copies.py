"""Copies of objects: they hold what the original held when they were made."""

from __future__ import annotations

from msgspec.structs import replace

from lintpickle.facts.records import Event
from lintpickle.facts.values import Call, Expr
from lintpickle.interpreter.abstract_values import Done, Frame, InstanceValue, Stored, TracedValue
from lintpickle.interpreter.protocols import Interpreter


def copied(traced: TracedValue, original: Expr, call: Call, frame: Frame, evaluator: Interpreter) -> TracedValue:
    """What `copy.copy` or `copy.deepcopy` gives for one value that its argument can be. An object is left without what
    its function does to the original behind the call, and has what was surely stored there last before it."""
    made = traced.value
    if not isinstance(made, InstanceValue):
        return traced
    later = tuple(each for each in made.later if not _is_behind(each.event, each.frame, frame, call))
    before = (each for each in made.done if not _is_behind(each.event, each.frame, frame, call))
    last = (Done(each.event, each.frame) for each in evaluator.stores.before(original, frame, call.span.start))
    copy = replace(made, later=later, done=(*before, *last), copies=(*made.copies, (frame, call)))
    return replace(traced, value=copy)


def is_missed(stored: Stored, copies: tuple[tuple[Frame, Call], ...]) -> bool:
    """Whether a store on an object comes too late for its copy, which these calls have made."""
    return any(_is_behind(stored.event, stored.frame, *copy) for copy in copies)


def _is_behind(event: Event, frame: Frame, copier: Frame, call: Call) -> bool:
    is_here = frame.function is copier.function and frame.module is copier.module
    place, made = event.span.start, call.span
    return is_here and place > made.end and not frame.paths.share_a_loop(made.start, place)
