"""Tasks whose result nobody asks for: `pool.apply_async(f, (x,))` as a statement of its own.

Measured with CPython 3.11: what cannot be pickled, or fails in the worker, is an error that only asking for the result
raises (`apply_async`, `map_async`, `starmap_async`, `imap`, `submit`, and the `map` of an executor).
"""

from __future__ import annotations

import ast

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import source_tree
from lintpickle.program.module import Module

_OF_POOLS = frozenset({"apply_async", "map_async", "starmap_async", "imap", "imap_unordered"})
_OF_EXECUTORS = frozenset({"submit", "map"})
_TELLING = "error_callback"
"""What a call can be given that is told of errors."""


def is_result_dropped(boundary: BoundaryCall) -> bool:
    """Whether an error of a task is never seen, because nothing holds the result by which it is raised."""
    method = boundary.spec.path.rpartition(".")[2]
    kinds = {"pool": _OF_POOLS, "executor": _OF_EXECUTORS}
    if method not in kinds.get(boundary.spec.kind, ()) or boundary.call.keyword(_TELLING) is not None:
        return False
    return _is_statement(boundary.call.span, boundary.frame.module)


def _is_statement(call: Span, module: Module) -> bool:
    row = module.code.rfind("\n", 0, call.start) + 1
    if module.code[row : call.start].strip():
        return False
    source = source_tree(module.code)
    nodes = source.nodes_within(call) if source is not None else ()
    return source is not None and any(isinstance(each, ast.Expr) and source.span(each) == call for each in nodes)
