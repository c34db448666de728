"""Calls of which only the callers of a function decide whether they are boundaries."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.boundaries.boundary_call import boundary_call
from lintpickle.boundaries.called_methods import CalledMethods
from lintpickle.facts.records import Called
from lintpickle.facts.values import Expr
from lintpickle.interpreter.abstract_values import UNKNOWN, Frame
from lintpickle.interpreter.evaluator import Evaluator


def deciding_arguments(event: Called, frame: Frame, methods: CalledMethods, evaluator: Evaluator) -> Iterator[Expr]:
    """The arguments that make calls boundaries, or not, of which nothing is known in the frame:
    `loop.run_in_executor(executor, …)`."""
    for spec, _ in methods.specs(event.call.function, frame):
        parameter = spec.given[0] if spec.given else ""
        made = boundary_call(spec, event.call, frame, event, evaluator) if parameter else None
        bound = made.arguments.get(parameter) if made is not None else None
        if made is None or bound is None or bound.expr is None or bound.frame is not frame:
            continue
        if all(each.value is UNKNOWN for each in made.value(parameter, evaluator)):
            yield bound.expr
