"""Settings that the function which starts workers makes only when they run: forked ones have none of it either."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.rounds import share_rounds
from lintpickle.analyses.main_state.main_setters import Setter
from lintpickle.analyses.workers.workers_started import started_at
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Implied
from lintpickle.interpreter.abstract_values import InstanceValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_ENTERS = "__enter__"
_OF_CONTEXT = frozenset({_ENTERS, "__exit__"})
_RENEWED = "maxtasksperchild"
"""What makes a pool start other workers later."""


def is_made_after_start(setter: Setter, code: WorkerCode, linker: Linker) -> bool:
    """Whether the function that starts the workers of a boundary comes to a place afterwards, itself or because it
    enters or leaves a context, and not in a loop around both."""
    boundary = code.boundary
    if boundary is None or _RENEWED in boundary.site.module.code:
        return False
    home, starts = boundary.site.module, [each.end for each in started_at(boundary)]
    places = list(_places_of(setter, boundary, linker)) if starts else []
    return bool(places) and all(
        each.start >= max(starts) and not share_rounds(Site(home, each), boundary.site) for each in places
    )


def _places_of(setter: Setter, boundary: BoundaryCall, linker: Linker) -> Iterator[Span]:
    """Where the function that has a boundary makes a setting, or enters a context that does."""
    frame, name = boundary.frame, setter.facts.name
    if setter.facts is frame.function:
        yield setter.span
    for event in frame.function.events if name in _OF_CONTEXT else ():
        if isinstance(event, Implied) and event.method == _ENTERS:
            values = (traced.value for traced in linker.evaluate(event.target, frame))
            methods = (linker.classes.find_method(each, name) for each in values if isinstance(each, InstanceValue))
            if any(each is not None and each[1] is setter.facts for each in methods):
                yield event.span
