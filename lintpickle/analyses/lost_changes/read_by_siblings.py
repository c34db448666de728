"""Arrays that show shared memory and that two processes of one starter are given: one fills its copy, the other one
reads its own: `Process(target=capture, args=(frames,))` and `Process(target=show, args=(frames,))`."""

from __future__ import annotations

import ast

from lintpickle.analyses.lost_changes.written_arguments import variable_given
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.fixes.syntax import source_tree
from lintpickle.payload.entry_arguments import parameter_at
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction


def read_by_sibling(holder: str, boundary: BoundaryCall, linker: Linker) -> str | None:
    """What reads, in another process that the same function starts, what a variable of that function holds; None if
    nothing does."""
    codes = linker.worker_codes()
    filling = {id(each.facts) for code in codes if code.boundary is boundary for each in code.functions if each.entry}
    for code in codes:
        sibling = code.boundary
        if sibling is None or not _is_beside(sibling, boundary):
            continue
        for function in code.functions:
            if function.entry and id(function.facts) not in filling and _reads(holder, function, sibling):
                return f"`{function.facts.name}()` in another process"
    return None


def _is_beside(other: BoundaryCall, boundary: BoundaryCall) -> bool:
    is_other = other.spec.kind == "process" and other.call is not boundary.call
    return is_other and other.frame.function is boundary.frame.function


def _reads(holder: str, function: WorkerFunction, boundary: BoundaryCall) -> bool:
    """Whether a function is given what a variable holds, and does more with it than to set its items."""
    places = range(len(function.facts.parameters))
    given = {
        parameter_at(each, function.facts, boundary.spec) for each in places if variable_given(each, boundary) == holder
    }
    source = source_tree(function.module.code) if given else None
    if source is None:
        return False
    nodes = list(source.nodes_within(function.facts.span))
    filled = {id(each.value) for each in nodes if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store)}
    named = (each for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load))
    return any(each.id in given and id(each) not in filled for each in named)
