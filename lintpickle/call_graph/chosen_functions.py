"""Calls of one of several functions: `(parallel_map if processes else map)(work, rows)`."""

from __future__ import annotations

from lintpickle.facts.records import Called
from lintpickle.facts.values import Expr, options_of
from lintpickle.interpreter.abstract_values import Frame, FunctionValue, Site
from lintpickle.interpreter.evaluator import Evaluator


def is_made_of(callee: FunctionValue, event: Called, frame: Frame, evaluator: Evaluator) -> bool | None:
    """Whether a run of a frame's function surely gets to a call, and calls that function there (True), or surely does
    not (False); None if that is not known."""
    reaches, options = evaluator.conditions.reaches, options_of(event.call.function)
    is_made = reaches(event.span, frame)
    if is_made is False or len(options) < 2:
        return is_made
    around = Site(frame.module, frame.function.span)
    chosen = {
        reaches(option.span, frame)
        for option in options
        if around.contains(Site(frame.module, option.span)) and _may_be(option, callee, frame, evaluator)
    }
    return False if chosen == {False} else None if chosen - {True} else is_made


def _may_be(value: Expr, callee: FunctionValue, frame: Frame, evaluator: Evaluator) -> bool:
    found = (traced.value for traced in evaluator.evaluate(value, frame))
    return any(isinstance(each, FunctionValue) and each.facts is callee.facts for each in found)
