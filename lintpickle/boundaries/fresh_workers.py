"""Workers that are new interpreters whatever the start method is: joblib's, where nothing asks for others.

Measured with joblib 1.6 on CPython 3.11: what `Parallel` starts by itself (the backend loky) imports modules anew, and
knows nothing of what the main process has put into them. Functions and classes of `__main__` cross by value, with the
globals that they name as these are by then. The backend "multiprocessing" starts workers as a pool does.
"""

from __future__ import annotations

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.forked_by_request import asks_for_processes
from lintpickle.boundaries.in_threads import runs_of, workers_asked
from lintpickle.catalog import BoundarySpec
from lintpickle.control_flow.attempts import words_of_contexts_around
from lintpickle.diagnostics import StartMethod
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import ConstantValue, Frame
from lintpickle.interpreter.evaluator import Evaluator

_BACKEND = "backend"
_FRESH = "loky"


def lacking_under(boundary: BoundaryCall, evaluator: Evaluator) -> tuple[StartMethod, ...]:
    """The start methods under which the workers that run a task have nothing of what the main process has put into its
    modules. None if it is not known by what workers, or whether by any, the task is run."""
    runner = evaluator.catalog.boundary(boundary.spec.run_by) if boundary.spec.run_by is not None else None
    if runner is None or asks_for_processes(boundary.frame.module):
        return ()
    runs = list(runs_of(boundary, runner, evaluator))
    is_fresh = bool(runs) and all(_is_fresh(*run, boundary.frame, runner, evaluator) for run in runs)
    return tuple(StartMethod) if is_fresh else ()


def _is_fresh(call: Call, made: Call, made_in: Frame, frame: Frame, runner: BoundarySpec, evaluator: Evaluator) -> bool:
    """Whether a runner has workers, and nothing asks for other ones than joblib starts by itself."""
    names = {each.rpartition(".")[2] for each in runner.threads_in}
    around = words_of_contexts_around(*frame.paths.in_tree(call.span.start), names)
    asked = made.argument(_BACKEND, runner.parameters.index(_BACKEND))
    values = [traced.value for traced in evaluator.evaluate(asked, made_in)] if asked is not None else []
    named = {each.value if isinstance(each, ConstantValue) else "" for each in values}
    return workers_asked(made, runner) is not None and named <= {None, _FRESH} and around <= {_FRESH}
