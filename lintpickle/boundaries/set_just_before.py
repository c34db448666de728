"""The start method that a function sets for the whole program just before it makes workers."""

from __future__ import annotations

import re

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import ConstantValue, ExternalValue, Frame
from lintpickle.interpreter.evaluator import Evaluator

_SETTER = "set_start_method"
_SET = re.compile(rf"\b{_SETTER}\b")
_OF_ITS_OWN = frozenset({"spawn", "joblib"})
"""Kinds of boundaries that do not ask which start method is set."""


def set_just_before(boundary: BoundaryCall, evaluator: Evaluator) -> str | None:
    """The start method that the last setting before a boundary in the same function names, if every run that gets to
    the boundary has been there; None if that is not known."""
    frame, place = boundary.frame, boundary.call.span.start
    if boundary.spec.kind in _OF_ITS_OWN or not frame.paths.has(_SET):
        return None
    earlier = [
        event
        for event in frame.function.events
        if isinstance(event, Called) and event.span.start < place and _is_setting(event.call, frame, evaluator)
    ]
    if not earlier or not frame.paths.precedes(earlier[-1].span.start, place):
        return None
    given = earlier[-1].call.argument("method", 0)
    match [each.value for each in evaluator.evaluate(given, frame)] if given is not None else []:
        case [ConstantValue(value=str() as name)]:
            return name
        case _:
            return None


def _is_setting(call: Call, frame: Frame, evaluator: Evaluator) -> bool:
    return any(
        isinstance(traced.value, ExternalValue) and traced.value.path.endswith(f".{_SETTER}")
        for traced in evaluator.evaluate(call.function, frame)
    )
