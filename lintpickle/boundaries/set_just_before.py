"""The start method that a function sets for the whole program just before it makes workers."""

from __future__ import annotations

import ast
import re

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called, Event
from lintpickle.facts.values import Call, ending_name
from lintpickle.interpreter.abstract_values import ConstantValue, ExternalValue, Frame
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.parsing.syntax import last_name

_GETTER = "get_start_method"
_SETTER = "set_start_method"
_SET = re.compile(rf"\b{_SETTER}\b")
_OF_ITS_OWN = frozenset({"spawn", "joblib"})
"""Kinds of boundaries that do not ask which start method is set."""


def set_just_before(boundary: BoundaryCall, evaluator: Evaluator) -> str | None:
    """The start method that the last setting before a boundary in the same function names, if every run that gets to
    the boundary has been there; None if that is not known."""
    if boundary.spec.kind in _OF_ITS_OWN:
        return None
    return _set_before(boundary.call.span.start, boundary.frame, evaluator)[1]


def set_on_the_way(boundary: BoundaryCall, evaluator: Evaluator) -> str | None:
    """The same for the function of the boundary, and those that have led to it, the innermost that sets a method."""
    place, frame = boundary.call.span.start, boundary.frame
    while boundary.spec.kind not in _OF_ITS_OWN:
        is_set, name = _set_before(place, frame, evaluator)
        if is_set or frame.called_by is None:
            return name
        frame, call = frame.called_by
        place = call.span.start
    return None


def _set_before(place: int, frame: Frame, evaluator: Evaluator) -> tuple[bool, str | None]:
    """Whether a function may set a method before a place, and the name of the last one, if it is surely set there."""
    if not frame.paths.has(_SET):
        return False, None
    earlier = [
        event
        for event in frame.function.events
        if isinstance(event, Called) and event.span.start < place and _is_setting(event.call, frame, evaluator)
    ]
    given = earlier[-1].call.argument("method", 0) if earlier else None
    match [each.value for each in evaluator.evaluate(given, frame)] if given is not None else []:
        case [ConstantValue(value=str() as name)] if _is_sure(earlier[-1].span.start, name, place, frame):
            return True, name
        case _:
            return bool(earlier), None


def _is_sure(setting: int, name: str, place: int, frame: Frame) -> bool:
    """Whether a method is set when a function gets to a place: always there, or unless it was
    (`if get_start_method() != "fork"`)."""
    if frame.paths.precedes(setting, place):
        return True
    inner = [step.node for step in frame.paths.steps_beyond(setting, place)]
    asking = [event.span.start for event in frame.function.events if _asks(event) and event.span.start < setting]
    return len(inner) == 1 and _is_unless(inner[0], name) and bool(asking) and frame.paths.precedes(asking[-1], place)


def _asks(event: Event) -> bool:
    return isinstance(event, Called) and ending_name(event.call.function) == _GETTER


def _is_unless(node: ast.AST, name: str) -> bool:
    """Whether a statement runs something only if another start method is set than that of a name."""
    match node:
        case ast.If(test=ast.Compare(left=left, ops=[ast.NotEq()], comparators=[right]), orelse=[]):
            asked = [each for each in (left, right) if isinstance(each, ast.Call) and last_name(each.func) == _GETTER]
            named = [each for each in (left, right) if isinstance(each, ast.Constant) and each.value == name]
            return bool(asked and named)
        case _:
            return False


def _is_setting(call: Call, frame: Frame, evaluator: Evaluator) -> bool:
    return any(
        isinstance(traced.value, ExternalValue) and traced.value.path.endswith(f".{_SETTER}")
        for traced in evaluator.evaluate(call.function, frame)
    )
