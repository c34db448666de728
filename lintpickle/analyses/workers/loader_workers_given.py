"""Loaders in what workers run that have as many workers as the boundary says: it gives the function with which workers
begin the number, or the options of the loader (`partial(run_trial, loader_args={"num_workers": 1})`)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.arguments_at_start import values_in_worker
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.values import Constant, Expr, Item, Mapping, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import Bound, ConstantValue, Doubt
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_LOADER = "dataloader"


def with_workers_given(made: BoundaryCall, code: WorkerCode, linker: Linker) -> BoundaryCall:
    """A loader of which it is not known how many workers it has as one that has some, if the boundary says so."""
    workers = made.spec.workers
    is_unsure = workers is not None and (Doubt.WORKERS in made.doubts or workers not in made.arguments)
    if made.spec.kind != _LOADER or code.boundary is None or workers is None or not is_unsure:
        return made
    given = next((each for each in _counts(made, workers) if _is_positive(each, made, code.boundary, linker)), None)
    if given is None:
        return made
    return replace(
        made,
        arguments={**made.arguments, workers: Bound(given, made.frame)},
        doubts=tuple(each for each in made.doubts if each is not Doubt.WORKERS),
    )


def _counts(made: BoundaryCall, workers: str) -> Iterator[Expr]:
    """What may be the number of workers: as it is written, or what is under its name in `**options`."""
    for argument in made.call.arguments:
        if argument.keyword == workers:
            yield argument.value
        elif argument.star == "**":
            yield from _under(workers, argument.value)


def _under(name: str, options: Expr) -> Iterator[Expr]:
    """What mappings have under a name; of `options or {}`, the options that are given."""
    held = [each for each in options_of(options) if not _is_empty(each)]
    for each in held if len(held) == 1 else ():
        match whole := without_narrowing(each):
            case Mapping(items=items):
                for key, value in reversed(items):
                    if isinstance(key, Constant) and key.value == name:
                        yield value
                        return
                    if key is None:
                        yield from _under(name, value)
            case _:
                yield Item(whole.span, whole, Constant(whole.span, name))


def _is_empty(options: Expr) -> bool:
    match without_narrowing(options):
        case Mapping(items=()) | Constant(value=None):
            return True
        case _:
            return False


def _is_positive(count: Expr, made: BoundaryCall, boundary: BoundaryCall, linker: Linker) -> bool:
    found = values_in_worker(count, made.frame, boundary, linker)
    return bool(found) and all(
        isinstance(each, ConstantValue) and isinstance(each.value, int) and each.value > 0 for each in found
    )
