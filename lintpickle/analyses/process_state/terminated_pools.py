"""Pools that end their workers by a signal, which leaves no time for anything: no buffer is flushed, and no handler of
`atexit` runs.

Measured with CPython 3.11 and 3.13 under fork, spawn and forkserver: leaving the `with` of a `multiprocessing.Pool`
calls `terminate()`. (A `ProcessPoolExecutor` lets its workers come to their end.)
"""

from __future__ import annotations

import re

from lintpickle.boundaries.boundary_call import BoundaryCall

_WITH = re.compile(r"\s*(?:async )?with\b")
_CLOSES = re.compile(r"\.close\(\)")
_JOINS = re.compile(r"\.join\(\)")
_TERMINATES = re.compile(r"\.terminate\(\)")


def is_terminated_by_leaving(maker: BoundaryCall) -> bool:
    """Whether the function that makes a pool leaves its `with`, or terminates it, and does not close and join it."""
    code, span = maker.frame.module.code, maker.frame.function.span
    within = (span.start, span.end)
    if maker.spec.kind != "pool" or (_CLOSES.search(code, *within) and _JOINS.search(code, *within)):
        return False
    line = code[code.rfind("\n", 0, maker.call.span.start) + 1 : maker.call.span.start]
    return _WITH.match(line) is not None or _TERMINATES.search(code, *within) is not None
