"""What the main process changes in its own copy of an object that a process has got, and where it waits for the process
afterwards, as one function does that, or what it calls: `supervisor.add(service)`, `with supervisor:`."""

from __future__ import annotations

import re
from collections.abc import Callable

from lintpickle.analyses.calls_and_values.happenings import Happening, frames_leading_to, happenings
from lintpickle.analyses.waiting.process_joins import is_join_of, is_start_of
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called
from lintpickle.interpreter.abstract_values import Frame, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.program.module import Module

ENDS_OTHERWISE = re.compile(
    r"\bterminate\b|\bkill(?:pg)?\s*\(|\bsignal\s*\((?![^()]*SIG_(?:IGN|DFL))|\bsetattr\s*\(|\.__dict__\b"
)
"""What stands in code that may end a process, or change what it has got, otherwise."""
_BY_HAND = re.compile("KeyboardInterrupt")
"""What stands in code that runs when Ctrl-C has ended the process."""


def changed_then_joined(
    is_change: Callable[[Happening], bool], code: WorkerCode, linker: Linker
) -> tuple[Site, Site] | None:
    """Where the main process changes something when a process has been started, and where it then joins the process;
    None if no function is seen that leads to all of these."""
    boundary = code.boundary
    if boundary is None or _may_end_otherwise(boundary.frame.module):
        return None
    for frame in frames_leading_to(boundary.frame, linker):
        found = _in_order(is_change, frame, boundary, linker) if not _may_end_otherwise(frame.module) else None
        if found is not None:
            return found
    return None


def _in_order(
    is_change: Callable[[Happening], bool], frame: Frame, boundary: BoundaryCall, linker: Linker
) -> tuple[Site, Site] | None:
    is_started, changed = False, None
    for each in happenings(frame, linker):
        if is_change(each):
            if not is_started:
                return None  # The process gets it as it is then.
            changed = changed or each.site
        elif _is_start(each, boundary, linker):
            is_started = True
        elif changed is not None and _is_join(each, boundary, linker):
            is_known = not any(map(_may_end_otherwise, (changed.module, each.frame.module)))
            return (changed, each.site) if is_known else None
    return None


def _may_end_otherwise(module: Module) -> bool:
    return module.has(ENDS_OTHERWISE) or module.has(_BY_HAND)


def _is_join(happening: Happening, boundary: BoundaryCall, linker: Linker) -> bool:
    event = happening.event
    return isinstance(event, Called) and is_join_of(event, happening.frame, boundary, linker)


def _is_start(happening: Happening, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether a process of the boundary is started."""
    event = happening.event
    return isinstance(event, Called) and is_start_of(event.call, happening.frame, boundary, linker)
