"""Changes that the main process has taken back by the time that the workers of one boundary start, or makes later,
though those of another boundary start while they hold.

Measured with CPython 3.11: a forked worker has what holds as it starts; one of a pool that is made when a context has
been left has the old value again.
"""

from __future__ import annotations

from lintpickle.analyses.calls_and_values.ways_of_programs import ProgramWay
from lintpickle.analyses.main_state.taken_back import Holding, parts_holding
from lintpickle.analyses.workers.ways_to_workers import ways_to_workers
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.program.module import Module

_EXECUTOR = "executor"


def is_held_elsewhere(place: Span, function: FunctionFacts, module: Module, code: WorkerCode, linker: Linker) -> bool:
    """Whether what a statement of a function changes holds only in parts of the program in which the workers of the
    boundary are seen not to start. For `migrate`, which judges all modules together."""
    boundary = code.boundary
    if linker.moving_to is None or boundary is None:
        return False
    parts = parts_holding(place, function, module, linker, code.root.site.module.path)
    if not parts:
        return False
    ways = linker.remembered(
        ("ways to its workers", id(boundary)),
        lambda: (boundary, [ways_to_workers(each, linker) for each in _starting(boundary, linker)]),
    )[1]
    return all(found and not any(_leads_into(way, parts) for way in found) for found in ways)


def _starting(boundary: BoundaryCall, linker: Linker) -> list[BoundaryCall]:
    """What may start the workers of a boundary: of an executor, whatever gives it tasks."""
    if boundary.spec.kind != _EXECUTOR:
        return [boundary]
    made = {id(each.call) for each in linker.makers_of(boundary)}
    alike = (each for each in linker.boundary_calls() if each.spec.kind == _EXECUTOR and each is not boundary)
    return [boundary, *(each for each in alike if any(id(maker.call) in made for maker in linker.makers_of(each)))]


def _leads_into(way: ProgramWay, parts: list[Holding]) -> bool:
    return any(
        link.module is part.module and part.span.start <= link.span.start < part.span.end
        for link in way
        for part in parts
    )
