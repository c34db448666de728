"""What the workers of one boundary run, where all of it is seen: their tasks, and what they begin with. What the
initializer of another pool does, is not done in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from lintpickle.analyses.calls_and_values.decorators_applied import decorators_applied
from lintpickle.analyses.workers.called_back import called_back
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.catalog import INITIALIZER
from lintpickle.interpreter.abstract_values import ConstantValue, ExternalValue, FunctionValue, Site
from lintpickle.interpreter.partials import without_partials
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_BEGINNING = {"pool": INITIALIZER, "executor": INITIALIZER, "dataloader": "worker_init_fn"}
"""What workers are given to begin with, by the kind of the boundary that starts them."""
_WITHOUT = frozenset({"process", "spawn"})
"""Kinds of boundaries whose workers run nothing but the function that they are given."""


class RunInWorkers(Struct, frozen=True):
    """The functions that workers run, or may run by what they give them to, by their ids, and the names of the
    decorators that these apply."""

    functions: frozenset[int]
    applied: frozenset[str]


def run_in(functions: Iterable[WorkerFunction], linker: Linker) -> RunInWorkers:
    """The record of some functions of workers."""
    own = tuple(functions)
    found = (*own, *called_back(own, linker))
    applied = frozenset(name for each in found for name in decorators_applied(each.facts))
    return RunInWorkers(frozenset(id(each.facts) for each in found), applied)


def run_in_workers_of(code: WorkerCode, linker: Linker) -> RunInWorkers | None:
    """What runs in the workers of a boundary, with all that else is given to the same pool; None if they may run more
    than is seen."""

    def find() -> RunInWorkers | None:
        functions = _functions_in_workers_of(code, linker)
        return run_in(functions, linker) if functions is not None else None

    return linker.remembered(("run in its workers", code), find)


def _functions_in_workers_of(code: WorkerCode, linker: Linker) -> tuple[WorkerFunction, ...] | None:
    """The functions that run in the workers of a boundary; see `run_in_workers_of`."""
    codes = linker.remembered(("codes of its workers", code), lambda: _codes(code, linker))
    return tuple(function for each in codes for function in _functions(each)) if codes is not None else None


def functions_beside(code: WorkerCode, linker: Linker) -> tuple[WorkerFunction, ...]:
    """The functions that run in the workers of a boundary, and in those that start these. Without `migrate`, and if
    they may run more than is seen, what the workers of other boundaries of the module run counts, too."""
    own = _functions_in_workers_of(code, linker) if linker.moving_to is not None else None
    asker = code.root.site.module
    here = [each for each in linker.worker_codes() if each.root.site.module is asker]
    if own is not None:
        here = [each for each in here if any(each.function_around(site) is not None for site in code.way)]
    return (*(own or ()), *(function for each in here for function in each.functions))


def all_run_in_workers(linker: Linker) -> frozenset[int]:
    """The ids of all functions that workers of any boundary run."""
    return linker.remembered(
        "run in any workers",
        lambda: run_in((each for code in linker.worker_codes() for each in _functions(code)), linker).functions,
    )


def _codes(code: WorkerCode, linker: Linker) -> list[WorkerCode] | None:
    boundary = code.boundary
    if boundary is None or code.is_cut or code.is_fresh:
        return None
    if boundary.spec.kind in _WITHOUT:
        return [code] if not boundary.open else None
    starts = list(_starts_of(boundary, linker))
    if not starts or not all(_is_beginning_seen(each, linker) for each in starts):
        return None
    codes = [code, *linker.worker_codes_of_makers(boundary)]
    for each in starts:
        codes += _tasks_by_start(linker).get(each.site, ())
    return codes


def _starts_of(boundary: BoundaryCall, linker: Linker) -> Iterator[BoundaryCall]:
    """The calls that start the workers: the boundary itself, or the making of the pool whose method it is."""
    beginning = _BEGINNING.get(boundary.spec.kind)
    return (each for each in (boundary, *linker.makers_of(boundary)) if beginning in each.spec.parameters)


def _is_beginning_seen(start: BoundaryCall, linker: Linker) -> bool:
    if start.open or start.callee is not None:
        return False
    given = start.value(_BEGINNING[start.spec.kind], linker.evaluator)
    return all(_is_seen(each.value) for each in without_partials(given, linker.evaluator))


def _is_seen(value: object) -> bool:
    match value:
        case FunctionValue(opaque=opaque):
            return not opaque
        case ConstantValue() | ExternalValue():
            return True
        case _:
            return False


def _tasks_by_start(linker: Linker) -> Mapping[Site, list[WorkerCode]]:
    """What is given to pools, by the places at which these are made: one place may make several."""

    def find() -> Mapping[Site, list[WorkerCode]]:
        found: dict[Site, list[WorkerCode]] = {}
        for code in linker.worker_codes():
            for start in linker.makers_of(code.boundary) if code.boundary is not None else ():
                found.setdefault(start.site, []).append(code)
        return found

    return linker.remembered("tasks by what starts their workers", find)


def _functions(code: WorkerCode) -> tuple[WorkerFunction, ...]:
    return (*code.functions, *code.by_value)
