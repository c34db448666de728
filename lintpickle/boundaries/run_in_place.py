"""Calls that run their tasks in threads, or in the process itself, because an argument asks for that: `parallel(work,
items, threadpool=True)`, `pqdm(items, work, n_jobs=1)`. Nothing of them is pickled."""

from __future__ import annotations

from collections.abc import Sequence

from lintpickle.boundaries.boundary_call import BoundaryCall, boundary_call
from lintpickle.boundaries.called_methods import CalledMethods
from lintpickle.facts.values import Attribute, without_narrowing
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ConstantValue,
    ContainerValue,
    ExternalResult,
    ExternalValue,
    Frame,
    is_none,
)
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.handed_methods import HANDED

_MAP = "map"
"""The method of a pool that some functions take in place of a number of workers: `workers=pool.map`."""


def is_run_in_place(boundary: BoundaryCall, methods: CalledMethods, evaluator: Evaluator) -> bool:
    """Whether an argument says that no process gets the tasks, as pickle would send them."""
    if any(_says(each, _given(each, boundary, evaluator)) for each in boundary.spec.unless):
        return True
    return bool(boundary.spec.unless) and _is_mapped_otherwise(boundary, methods, evaluator)


def may_run_in_place(boundary: BoundaryCall, evaluator: Evaluator) -> bool:
    """Whether an argument of which not all is known may say so."""
    given = (_given(each, boundary, evaluator) for each in boundary.spec.unless)
    return any(not isinstance(value, ConstantValue) and not _is_handed(value) for values in given for value in values)


def is_made_to_run_in_place(pool: AbstractValue, evaluator: Evaluator) -> bool:
    """Whether the call that made a pool says so: `WorkerPool(start_method="threading")`."""
    match pool:
        case ExternalResult(call=made, frame=Frame() as frame):
            callees = [traced.value for traced in evaluator.evaluate(made.function, frame)]
        case _:
            return False
    for callee in callees:
        spec = evaluator.catalog.boundary(callee.path) if isinstance(callee, ExternalValue) else None
        if spec is not None and spec.unless:
            boundary = boundary_call(spec, made, frame, None, evaluator)
            return any(_says(each, _given(each, boundary, evaluator)) for each in spec.unless)
    return False


def _given(unless: str, boundary: BoundaryCall, evaluator: Evaluator) -> list[AbstractValue]:
    return [traced.value for traced in boundary.value(unless.partition("=")[0], evaluator)]


def _says(unless: str, values: Sequence[AbstractValue]) -> bool:
    _, has_value, wanted = unless.partition("=")
    if not has_value:
        return bool(values) and not any(map(is_none, values))
    return bool(values) and all(isinstance(each, ConstantValue) and str(each.value) == wanted for each in values)


def _is_mapped_otherwise(boundary: BoundaryCall, methods: CalledMethods, evaluator: Evaluator) -> bool:
    """Whether it gets the `map` of something in place of a number of workers, which is not known to be that of a pool
    of processes that pickles plainly."""
    bound = boundary.arguments.get(boundary.spec.workers or "")
    written = without_narrowing(bound.expr) if bound is not None and bound.expr is not None else None
    if not isinstance(written, Attribute) or written.name != _MAP:
        return False
    values = [traced.value for traced in boundary.value(boundary.spec.workers or "", evaluator)]
    handed = [each for each in values if isinstance(each, ContainerValue) and each.kind == HANDED]
    found = [spec for each in handed for spec, _ in methods.specs_of(each)]
    return not found or any(spec.pickler is not None for spec in found)


def _is_handed(value: AbstractValue) -> bool:
    return isinstance(value, ContainerValue) and value.kind == HANDED
