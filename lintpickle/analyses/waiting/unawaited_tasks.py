"""Tasks of a pool for which nothing waits: their results are dropped, and no module that has to do with the pool waits
for its workers, or only as long as a clock allows for what the tasks call back.

Measured with CPython 3.11 under fork, spawn and forkserver: a script whose tasks by `apply_async` end their workers
ends itself, without a `join()`; behind `close()` and `join()` it hangs."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.unasked_results import is_never_asked
from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.parsing.names_read import within
from lintpickle.payload.linker import Linker

_TASKS = frozenset({"apply_async", "map_async", "starmap_async"})
_WAITS = re.compile(r"\.\s*(?:acquire|get|join|wait)\s*\(\s*\)|\.\s*ready\s*\(")
"""What waits for tasks, for the workers of a pool, or for something that tasks do."""
_CALLBACK = "callback"
_TELLS = re.compile(rf"\b{_CALLBACK}\s*=")
_CLOCK = re.compile(r"\b(?:time\.time|monotonic|perf_counter|now)\s*\(")


def is_never_awaited(boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether nothing waits for the tasks that a boundary gives to a pool."""
    if boundary.spec.kind != "pool" or boundary.spec.name not in _TASKS:
        return False
    frame, makers = boundary.frame, linker.makers_of(boundary)
    modules = {frame.module.path: frame.module} | {each.frame.module.path: each.frame.module for each in makers}
    if not makers or any(module.has(_WAITS) for module in modules.values()):
        return False
    if any(module.has(_TELLS) for module in modules.values()) and not _waits_by_clock(boundary):
        return False
    return is_never_asked(boundary.call.span, frame.function, frame.module, linker.first_party, raises_in_turn=False)


def _waits_by_clock(boundary: BoundaryCall) -> bool:
    """Whether only the function that gives the tasks sees what they call back, and it looks at a clock in each of its
    loops, there or in a function of its own by which the loop goes on."""
    module, function = boundary.frame.module, boundary.frame.function
    told, source = boundary.call.keyword(_CALLBACK), source_tree(module.code)
    own = {each.name: each.span for each in function.functions}
    if told is None or source is None or source.segment(told.span) not in own:
        return False
    loops = [each for each in source.nodes_within(function.span) if isinstance(each, ast.While)]
    return bool(loops) and all(_goes_by_clock(each, own, source) for each in loops)


def _goes_by_clock(loop: ast.While, own: Mapping[str, Span], source: SourceTree) -> bool:
    called = (own[node.id] for node in within(loop.test) if isinstance(node, ast.Name) and node.id in own)
    return any(_CLOCK.search(source.segment(span)) is not None for span in (source.span(loop), *called))
