"""The ways by which programs come to where the workers of a boundary start."""

from __future__ import annotations

from lintpickle.analyses.calls_and_values.ways_of_programs import ProgramWay, program_ways
from lintpickle.analyses.workers.workers_started import started_at
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.payload.linker import Linker

_POOL, _EXECUTOR, _MADE = "pool", "executor", ("Executor", ".Pool")
_LATER = "maxtasksperchild"
"""The argument that makes a pool start workers again."""


def ways_to_workers(boundary: BoundaryCall, linker: Linker) -> list[ProgramWay]:
    """The ways to where the workers of a boundary start; none if not all are seen. A loader starts them when it is
    iterated, and a pool that replaces its workers starts some at any time: that is not seen."""
    made = [each for each in linker.boundaries.starting.with_its_maker(boundary) if each is not boundary]
    if boundary.spec.kind == _POOL and not boundary.spec.path.endswith(_MADE) and len(made) != 1:
        return []
    starting = made[0] if boundary.spec.kind == _POOL and made else boundary
    begun = surely_begins(starting)
    if not (begun or starting.spec.kind in (_POOL, _EXECUTOR)) or _LATER in starting.arguments:
        return []
    spans = begun or (starting.site.span,)
    found = [program_ways(span, starting.frame.function, starting.site.module, linker) for span in spans]
    return [way for ways in found for way in ways or ()] if None not in found else []


def surely_begins(boundary: BoundaryCall) -> tuple[Span, ...]:
    """Where the processes of a boundary have surely started; see `started_at`."""
    return tuple(started_at(boundary))
