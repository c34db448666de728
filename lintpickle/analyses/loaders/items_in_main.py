"""Whether the main process takes the items of a loader's dataset itself, beside the loader: it iterates the dataset,
asks for item after item, or has a loader of it that has no workers."""

from __future__ import annotations

from lintpickle.analyses.calls_and_values.functions_run import functions_entered
from lintpickle.analyses.loaders.datasets_inside import datasets_inside
from lintpickle.analyses.workers.reads_after_start import after_start
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called, Event, Implied, Iterated
from lintpickle.facts.values import Call, Constant, Expr, ending_name
from lintpickle.interpreter.abstract_values import Frame, InstanceValue
from lintpickle.payload.iterated_loaders import PROGRESS_BARS
from lintpickle.payload.linker import Linker

_ITERATING = PROGRESS_BARS | frozenset(
    {"enumerate", "filter", "islice", "iter", "list", "map", "max", "min", "set", "sorted", "sum", "tuple", "zip"}
)
"""Functions that iterate what they are given."""
_DATASET, _LOADER = "dataset", "dataloader"
_DEEPEST = 2
"""How many calls may lead there."""


def takes_items_in_main(boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether a function that makes a loader, or one of its callers, takes the items of the dataset itself."""
    given = boundary.arguments.get(_DATASET)
    if given is None or given.expr is None or given.frame is None:
        return False
    values = (traced.value for traced in linker.evaluate(given.expr, given.frame))
    datasets = list(datasets_inside(values, linker))
    frames = [frame for frame, _ in after_start(boundary)]
    return any(_takes(each, frame, datasets, boundary, linker) for frame in frames for each in frame.function.events)


def _takes(
    event: Event, frame: Frame, datasets: list[InstanceValue], boundary: BoundaryCall, linker: Linker, depth: int = 0
) -> bool:
    match event:
        case Implied(target=target, method="__getitem__", call=Call(arguments=(key,))):
            is_one = isinstance(key.value, Constant)  # It only looks at one: `data[0].shape`.
            return not is_one and _is_one_of(target, frame, datasets, linker)
        case Iterated(iterable=target) | Implied(target=target, method="__iter__"):
            return _is_one_of(target, frame, datasets, linker)
        case Called(call=call) if call is not boundary.call:
            if ending_name(call.function) in _ITERATING:
                return any(_is_one_of(each, frame, datasets, linker) for each in call.positional() or ())
            if _loads_without_workers(event, frame, datasets, linker):
                return True
            entered = functions_entered(call, frame, linker) if depth < _DEEPEST else ()
            inside = ((each, inner) for _, inner in entered for each in inner.function.events)
            return any(_takes(each, inner, datasets, boundary, linker, depth + 1) for each, inner in inside)
        case _:
            return False


def _loads_without_workers(event: Called, frame: Frame, datasets: list[InstanceValue], linker: Linker) -> bool:
    """Whether a call makes a loader that has no workers."""
    for made in linker.boundaries.match(event.call, frame, event):
        given = made.arguments.get(_DATASET) if made.spec.kind == _LOADER else None
        if given is None or given.expr is None or given.frame is None or linker.boundaries.crosses(made):
            continue
        if _is_one_of(given.expr, given.frame, datasets, linker):
            return True
    return False


def _is_one_of(value: Expr, frame: Frame, datasets: list[InstanceValue], linker: Linker) -> bool:
    """Whether a value is one of the datasets, or has it inside."""
    found = datasets_inside((traced.value for traced in linker.evaluate(value, frame)), linker)
    return any(
        each.call is known.call and each.class_.facts is known.class_.facts for each in found for known in datasets
    )
