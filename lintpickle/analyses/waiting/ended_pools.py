"""Tasks of a pool that nobody waits for before the pool is terminated: by `terminate()`, by leaving its `with`, or by
leaving that of a generator function which terminates it.

Measured with CPython 3.11 under fork, spawn and forkserver: of 12 tasks of 0.1 s that `apply_async` or `map_async`
gives to 2 workers, none calls its callback, and a result that is asked for later never comes. `close()` alone changes
nothing; after `close()` and `join()` all 12 are done.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import dropwhile, pairwise

from lintpickle.analyses.waiting.after_last_task import (
    POOL_TASKS,
    goes_on,
    line_to,
    may_wait,
    statements_behind,
    without_return,
)
from lintpickle.analyses.waiting.lazy_results import LAZY, LazyResults
from lintpickle.analyses.waiting.pools_ended_by_callers import PoolsOfCallers
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Implied
from lintpickle.facts.values import Call
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import FunctionValue, Site
from lintpickle.payload.linker import Linker

_WITH_LAZY = frozenset({"mp-pool", "multiprocess-pool"})
"""The pools whose methods begin with the tasks at once, and give results as they are read."""
_YIELD = re.compile(r"\byield\b[^\n]*")
_CALLED = re.compile(r"\.\s*(\w+)\s*\(")


def ended_with(boundary: BoundaryCall, linker: Linker) -> Site | None:
    """Where the pool of a task is ended before anything waits for the task; None if something may wait, or nothing that
    is seen ends it."""
    frame = boundary.frame
    owner, _, method = boundary.spec.path.rpartition(".")
    is_task = boundary.spec.kind == "pool" and (method in POOL_TASKS or (method in LAZY and owner in _WITH_LAZY))
    makers = linker.makers_of(boundary) if is_task and frame.module.first_party else ()
    source = source_tree(frame.module.code) if len(makers) == 1 else None
    line = line_to(boundary.call.span, source) if source is not None else []
    call = line[0] if line else None
    if source is None or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    pool = ast.unparse(call.func.value)
    found = _ended_here(line, call, pool, boundary, makers[0], source, linker)
    if found is None and method in POOL_TASKS:
        return PoolsOfCallers(boundary, makers[0], linker).ended()
    return found


def _ended_here(
    line: list[ast.AST],
    call: ast.Call,
    pool: str,
    boundary: BoundaryCall,
    maker: BoundaryCall,
    source: SourceTree,
    linker: Linker,
) -> Site | None:
    """Where the function that gives the task ends the pool itself."""
    results = None
    if boundary.spec.name in LAZY:
        line = list(dropwhile(lambda each: not isinstance(each, ast.stmt), line))
        results = LazyResults(call, line[0])
        if not results.are_unread:
            return None
    for child, around in pairwise(line):
        behind = statements_behind(child, around)
        if behind is None:
            return None
        last = next((at for at, each in enumerate(behind) if _is_end(each, pool)), None)
        if may_wait(without_return(child)) or not all(map(goes_on, behind[:last])):
            return None
        if results is not None and any(map(results.may_be_read_by, behind[:last])):
            return None
        if last is not None:
            return Site(boundary.frame.module, source.span(behind[last]))
        if isinstance(around, ast.With):
            return _left(around, pool, source, boundary, maker, linker)
    return None


def _is_end(statement: ast.stmt, pool: str) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="terminate"))):
            return ast.unparse(owner) == pool
        case _:
            return False


def _left(
    around: ast.With, pool: str, source: SourceTree, boundary: BoundaryCall, maker: BoundaryCall, linker: Linker
) -> Site | None:
    """Where a pool is ended when the `with` is left of which it is the last thing, which is left first."""
    item = around.items[-1]
    if item.optional_vars is None or ast.unparse(item.optional_vars) != pool:
        return None
    place = source.span(item.context_expr)
    if maker.call.span == place and maker.frame.module is boundary.frame.module:
        return maker.site
    manager = maker.frame.function
    if not manager.is_generator or not manager.decorated_by("contextmanager"):
        return None
    for made in _entered(place, boundary):
        called = (each.value for each in linker.evaluate(made.function, boundary.frame))
        if any(isinstance(each, FunctionValue) and each.facts is manager for each in called):
            return _terminated_by(maker)
    return None


def _entered(place: Span, boundary: BoundaryCall) -> Iterator[Call]:
    """The call that gives what a `with` enters."""
    for event in boundary.frame.function.events:
        is_it = isinstance(event, Implied) and event.method == "__enter__" and event.span.start == place.start
        if is_it and isinstance(event, Implied) and isinstance(event.target, Call):
            yield event.target


def _terminated_by(maker: BoundaryCall) -> Site | None:
    """Where a generator function ends the pool that it has made and yielded, if that is the first that it does then."""
    module, span = maker.frame.module, maker.frame.function.span
    given = _YIELD.search(module.code, maker.call.span.end, span.end)
    called = _CALLED.search(module.code, given.end(), span.end) if given is not None else None
    if called is not None:
        return Site(module, Span(called.start(1), called.end(1))) if called[1] == "terminate" else None
    line = module.code[module.code.rfind("\n", 0, maker.call.span.start) + 1 : maker.call.span.start]
    return maker.site if given is not None and line.strip() == "with" else None
