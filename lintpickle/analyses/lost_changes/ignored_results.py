"""Whether nothing is done with what tasks send back: what is in it is lost."""

from __future__ import annotations

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.task_calls import task_call
from lintpickle.boundaries.unasked_results import is_never_asked
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.interpreter.abstract_values import AbstractValue, ProductValue
from lintpickle.payload.linker import Linker


def is_result_ignored(boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether the code that starts a task drops its result, or only waits for it."""
    call = _returning(boundary, linker)
    frame = boundary.frame
    return call is not None and is_never_asked(call, frame.function, frame.module, linker.first_party, False)


def _returning(boundary: BoundaryCall, linker: Linker) -> Span | None:
    """The call that returns the results: of a task that something runs later, what that is given it in."""
    task = task_call(boundary)
    if task is None:
        return boundary.call.span
    for event in boundary.frame.function.events:
        if isinstance(event, Called) and event.span.start < task.span.start and task.span.end < event.span.end:
            runners = [each.value for each in linker.evaluate(event.call.function, boundary.frame)]
            if runners and all(_runs(boundary.spec.run_by, each) for each in runners):
                return event.span
    return None


def _runs(path: str | None, runner: AbstractValue) -> bool:
    return isinstance(runner, ProductValue) and runner.path == path
