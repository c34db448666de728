"""Workers that are new interpreters whatever the start method is: joblib's, where nothing asks for others.

Measured with joblib 1.6 on CPython 3.11: what `Parallel` starts by itself (the backend loky) imports modules anew, and
knows nothing of what the main process has put into them. Functions and classes of `__main__` cross by value, with the
globals that they name as these are by then. The backend "multiprocessing" starts workers as a pool does: under spawn,
these import modules anew too, and functions of `__main__` with them. A module that asks for that in places (in a `try`,
by a dictionary that is updated) has workers of one kind or the other: under spawn, both lack the same.
"""

from __future__ import annotations

import re

from lintpickle.boundaries.boundary_call import PICKLED_ON_START, BoundaryCall, boundary_call
from lintpickle.boundaries.forked_by_request import asks_for_processes
from lintpickle.boundaries.in_threads import runs_of
from lintpickle.control_flow.attempts import words_of_contexts_around
from lintpickle.diagnostics import StartMethod
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import ConstantValue, Frame, ProductValue
from lintpickle.interpreter.evaluator import Evaluator

TASK_RUNNER = "joblib"
"""The kind of boundaries at which such workers are asked for."""
_BACKEND = "backend"
_FRESH = "loky"
_AS_POOLS = "multiprocessing"
_NAMES_THREADS = re.compile(r"[\"'](?:threading|threads|sharedmem)[\"']")
_NONE = str(None)


def lacking_under(boundary: BoundaryCall, evaluator: Evaluator) -> tuple[StartMethod, ...]:
    """The start methods under which the workers that run a task have nothing of what the main process has put into its
    modules. None if it is not known by what workers, or whether by any, the task is run."""
    runner = evaluator.catalog.boundary(boundary.spec.run_by) if boundary.spec.run_by is not None else None
    if runner is None:
        return ()
    asked: set[str] = set()
    for call, made, made_in in runs_of(boundary, runner, evaluator):
        kinds = _asked(call, boundary_call(runner, made, made_in, None, evaluator), boundary.frame, evaluator)
        if kinds is None:
            return ()
        asked |= kinds or {_FRESH}
    module = boundary.frame.module
    if asked == {_FRESH} and not asks_for_processes(module):
        return tuple(StartMethod)
    is_known = bool(asked) and asked <= {_FRESH, _AS_POOLS}
    return PICKLED_ON_START if is_known and not module.has(_NAMES_THREADS) else ()


def started_as_pool(call: Call, frame: Frame, evaluator: Evaluator) -> BoundaryCall | None:
    """The making of the runner of tasks that is called, if it surely starts workers as a pool does: `Parallel(2,
    backend="multiprocessing")`, called itself, or under the name that holds it."""
    values = [traced.value for traced in evaluator.evaluate(call.function, frame)]
    match values:
        case [ProductValue(path=path, call=Call() as made, frame=Frame() as made_in)]:
            spec = evaluator.catalog.boundary(path)
        case _:
            return None
    if spec is None or spec.kind != TASK_RUNNER:
        return None
    runner = boundary_call(spec, made, made_in, None, evaluator)
    return runner if _asked(call, runner, frame, evaluator) == frozenset({_AS_POOLS}) else None


def _asked(call: Call, made: BoundaryCall, frame: Frame, evaluator: Evaluator) -> frozenset[str] | None:
    """The kinds of workers that are asked for where a runner is made, or else around its call; none if joblib starts
    what it starts by itself. None if it has no workers, or that is not known."""
    if made.spec.workers is None or made.spec.workers not in made.arguments:
        return None
    values = [traced.value for traced in made.value(_BACKEND, evaluator)]
    named = {str(each.value) if isinstance(each, ConstantValue) else "" for each in values} - {_NONE}
    if _AS_POOLS in named:
        named.discard("")  # A dictionary that is updated in a `try` may not have it.
    names = {each.rpartition(".")[2] for each in made.spec.threads_in}
    around = words_of_contexts_around(*frame.paths.in_tree(call.span.start), names)
    return frozenset(named or around)
