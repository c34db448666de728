"""Pools and executors that a call of the function around does not make: `if use_processes: pool = Pool()` (`else: pool
= ThreadPool()`), where the caller leaves the option at False."""

from __future__ import annotations

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.values import Attribute, Call
from lintpickle.interpreter.abstract_values import Frame, ProductValue
from lintpickle.interpreter.evaluator import Evaluator


def is_never_made(boundary: BoundaryCall, evaluator: Evaluator) -> bool:
    """Whether what a method is called on is made, as far as it has that boundary, only where its maker surely does not
    get to, as that is called."""
    function = boundary.call.function
    if not isinstance(function, Attribute):
        return False
    made = [
        (each.call, each.frame)
        for each in (traced.value for traced in evaluator.evaluate(function.base, boundary.frame))
        if isinstance(each, ProductValue)
        and evaluator.catalog.boundary_method(each.product, function.name) == boundary.spec
    ]
    return bool(made) and all(
        isinstance(call, Call) and isinstance(frame, Frame) and evaluator.conditions.reaches(call.span, frame) is False
        for call, frame in made
    )
