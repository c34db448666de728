"""Calls that give a task its arguments: `delayed(render)(image, audit)`, where `delayed(render)` is the boundary."""

from __future__ import annotations

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called
from lintpickle.facts.values import Call


def task_call(boundary: BoundaryCall) -> Call | None:
    """The call of what a boundary makes of a function, which something else runs later; None if there is none
    (joblib 1.5: `Parallel` calls the function with these arguments in a worker)."""
    if boundary.spec.run_by is None or not boundary.spec.functions:
        return None
    for event in boundary.frame.function.events:
        if isinstance(event, Called) and event.call.function.span == boundary.call.span:
            return event.call
    return None
