"""Tasks that threads run, or the process itself, because what runs them was made for that: `Parallel(n_jobs=1)`,
`Parallel(prefer="threads")`. Nothing of them is pickled."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.catalog import BoundarySpec
from lintpickle.control_flow.attempts import words_of_contexts_around
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Call, Expr
from lintpickle.interpreter.abstract_values import ConstantValue, Frame, ProductValue, Site
from lintpickle.interpreter.evaluator import Evaluator


def is_run_by_threads(boundary: BoundaryCall, evaluator: Evaluator) -> bool:
    """Whether all that runs what a boundary ships, as far as its function shows, runs it in threads. (A task that is
    made in one function and run in another counts as run by processes.)"""
    runner = evaluator.catalog.boundary(boundary.spec.run_by) if boundary.spec.run_by is not None else None
    if runner is None:
        return False
    runs = list(runs_of(boundary, runner, evaluator))
    return bool(runs) and all(_is_in_threads(*run, boundary.frame, runner, evaluator) for run in runs)


def runners_made(boundary: BoundaryCall, evaluator: Evaluator) -> Iterator[Site]:
    """Where what runs a task is made: `Parallel(2, backend="multiprocessing")`, also if a variable holds it."""
    runner = evaluator.catalog.boundary(boundary.spec.run_by) if boundary.spec.run_by is not None else None
    for _, made, frame in runs_of(boundary, runner, evaluator) if runner is not None else ():
        yield Site(frame.module, made.span)


def _is_in_threads(
    call: Call, made: Call, made_in: Frame, frame: Frame, runner: BoundarySpec, evaluator: Evaluator
) -> bool:
    if _has_one_worker(made, made_in, runner, evaluator):
        return True
    says = _says_threads(made, made_in, runner, evaluator)
    return _is_inside_of_threads(call, frame, runner) if says is None else says


def runs_of(boundary: BoundaryCall, runner: BoundarySpec, evaluator: Evaluator) -> Iterator[tuple[Call, Call, Frame]]:
    """The calls that run the task: each with the call that made the runner, and the frame of that."""
    events = boundary.frame.function.events
    calls = [each.call for each in events if isinstance(each, Called) and _takes(each.call, boundary.call.span)]
    for call in calls or (boundary.call,):
        for traced in evaluator.evaluate(call.function, boundary.frame):
            match traced.value:
                case ProductValue(path=runner.path, call=Call() as made, frame=Frame() as frame):
                    yield call, made, frame
                case _:
                    pass


def _takes(call: Call, task: Span) -> bool:
    """Whether a call gets what is made at a place, or something with it: a list, a generator."""
    spans = (argument.value.span for argument in call.arguments)
    return any(span.contains(task) for span in spans)


def _says_threads(made: Call, frame: Frame, runner: BoundarySpec, evaluator: Evaluator) -> bool | None:
    """Whether the arguments ask for threads; the first one that the catalog names decides. None if none is given."""
    for keyword in dict.fromkeys(each.partition("=")[0] for each in runner.threads):
        value = made.keyword(keyword)
        found = [traced.value for traced in evaluator.evaluate(value, frame)] if value is not None else []
        given = [each.value if isinstance(each, ConstantValue) else "" for each in found]
        if given and given != [None]:
            return all(f"{keyword}={each}" in runner.threads for each in given)
    return None


def _has_one_worker(made: Call, frame: Frame, runner: BoundarySpec, evaluator: Evaluator) -> bool:
    """Whether the runner is made for one worker, which is the process itself (`Parallel(n_jobs=1)`)."""
    value = workers_asked(made, runner)
    found = [traced.value for traced in evaluator.evaluate(value, frame)] if value is not None else []
    return bool(found) and all(isinstance(each, ConstantValue) and each.value == 1 for each in found)


def workers_asked(made: Call, runner: BoundarySpec) -> Expr | None:
    """The number of workers that the making of a runner asks for; None if it says none."""
    name = runner.workers
    places = runner.parameters
    return made.argument(name, places.index(name) if name in places else -1) if name is not None else None


def _is_inside_of_threads(call: Call, frame: Frame, runner: BoundarySpec) -> bool:
    """Whether a `with` around a call asks for threads: `with parallel_backend("threading"):`."""
    names = {each.rpartition(".")[2] for each in runner.threads_in}
    words = {each.rpartition("=")[2] for each in runner.threads}
    return bool(names) and not words.isdisjoint(words_of_contexts_around(*frame.paths.in_tree(call.span.start), names))
