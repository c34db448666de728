"""Tasks of a pool for which nothing waits: their results are dropped, and no module that has to do with the pool waits
for its workers.

Measured with CPython 3.11 under fork, spawn and forkserver: a script whose tasks by `apply_async` end their workers
ends itself, without a `join()`; behind `close()` and `join()` it hangs."""

from __future__ import annotations

import re

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.unasked_results import is_never_asked
from lintpickle.payload.linker import Linker

_TASKS = frozenset({"apply_async", "map_async", "starmap_async"})
_WAITS = re.compile(r"\.\s*(?:acquire|get|join|wait)\s*\(\s*\)|\.\s*ready\s*\(|\bcallback\s*=")
"""What waits for tasks, for the workers of a pool, or for something that tasks do; and what may tell others."""


def is_never_awaited(boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether nothing waits for the tasks that a boundary gives to a pool."""
    if boundary.spec.kind != "pool" or boundary.spec.name not in _TASKS:
        return False
    frame, makers = boundary.frame, linker.makers_of(boundary)
    modules = {frame.module.path: frame.module} | {each.frame.module.path: each.frame.module for each in makers}
    if not makers or any(module.has(_WAITS) for module in modules.values()):
        return False
    return is_never_asked(boundary.call.span, frame.function, frame.module, linker.first_party, raises_in_turn=False)
