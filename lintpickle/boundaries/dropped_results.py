"""Tasks whose result nobody asks for: `pool.apply_async(f, (x,))` as a statement of its own, and results that are kept
and only waited for.

Measured with CPython 3.11: what cannot be pickled, or fails in the worker, is an error that only asking for the result
raises (`apply_async`, `map_async`, `starmap_async`, `imap`, `submit`, and the `map` of an executor). `wait()`,
`ready()` and `done()` do not raise it.
"""

from __future__ import annotations

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.unasked_results import is_never_asked
from lintpickle.program.first_party import FirstPartyModules

_OF_POOLS = frozenset({"apply_async", "map_async", "starmap_async", "imap", "imap_unordered"})
_OF_EXECUTORS = frozenset({"submit", "map"})
_RAISES_IN_TURN = frozenset({"imap", "imap_unordered", "map"})
"""What returns an iterator, which raises the error of a task when it comes to it."""
_TELLING = "error_callback"
"""What a call can be given that is told of errors."""


def is_result_dropped(boundary: BoundaryCall, first_party: FirstPartyModules) -> bool:
    """Whether an error of a task is never seen, because nothing asks the result by which it is raised."""
    method = boundary.spec.name
    kinds = {"pool": _OF_POOLS, "executor": _OF_EXECUTORS}
    if method not in kinds.get(boundary.spec.kind, ()) or boundary.call.keyword(_TELLING) is not None:
        return False
    frame, raises_in_turn = boundary.frame, method in _RAISES_IN_TURN
    return is_never_asked(boundary.call.span, frame.function, frame.module, first_party, raises_in_turn)
