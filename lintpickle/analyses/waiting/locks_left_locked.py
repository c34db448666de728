"""Locks that a process holds when the main process ends it because it takes too long.

Measured with CPython 3.11, under every start method: `terminate()` and `kill()` end a process where it is; a lock of
`multiprocessing` that it holds stays locked, for there is no `finally` and no owner that the system would know.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.callers_by_name import calls_by_name
from lintpickle.analyses.waiting.locks_held_at_join import is_lock_of_processes, where_taken
from lintpickle.analyses.workers.several_workers import loop_around
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, says_none, without_narrowing
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import ProductValue, Site
from lintpickle.parsing.syntax import last_name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_ENDING = frozenset({"terminate", "kill"})
_LONG = frozenset(
    {"sleep", "run", "call", "check_call", "check_output", "communicate", "wait", "urlopen", "get", "post", "request"}
    | {"recv", "accept", "result", "join", "input", "execute", "fit", "query", "download", "upload"}
)
"""The names of calls that may take so long that a process is ended in them."""
_CATCHES = re.compile(r"\bSIGTERM\b")
_LETS_GO = re.compile(r"\.release\(")
_GOES_NO_FURTHER = (ast.Raise, ast.Break)
_EXITS = frozenset({"exit", "_exit", "abort"})


class LeftLocked(Struct, frozen=True):
    """Where a process is ended, where a function of it holds a lock for long, and where another process is started that
    gets the same."""

    ended: Site
    function: WorkerFunction
    held: Span
    again: Site


def locks_left_locked(code: WorkerCode, linker: Linker) -> Iterator[LeftLocked]:
    """The first place at which a process is ended after a limit of time that may hold a lock others take later."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or not boundary.frame.module.first_party:
        return
    ending = _ended(boundary)
    if ending is None or _LETS_GO.search(boundary.frame.module.code):
        return
    if ending[1] == "terminate" and any(each.frame.paths.has(_CATCHES) for each in code.functions):
        return
    for crossing in linker.shipped_by(boundary):
        lock = crossing.value
        if isinstance(lock, ProductValue) and is_lock_of_processes(lock):
            held = where_taken(lock, crossing, boundary, code, linker)
            is_long = held is not None and _takes_long_in(*held)
            again = _given_again(lock, boundary, linker) if is_long else None
            if held is not None and again is not None:
                yield LeftLocked(Site(boundary.frame.module, ending[0]), *held, again)
                return


def _ended(boundary: BoundaryCall) -> tuple[Span, str] | None:
    """Where the function that starts a process ends it, having waited for it with a limit of time, and goes on; and by
    which method."""
    is_awaited = False
    for event in boundary.frame.function.events:
        match event:
            case Called(call=Call(function=Attribute(base=base, name=name)) as call):
                is_it = without_narrowing(base) is boundary.call
            case _:
                continue
        if is_it and name == "join":
            limit = call.argument("timeout", 0)
            is_awaited = limit is not None and not says_none(limit)
        elif is_it and name in _ENDING and is_awaited and _goes_on(event.span, boundary):
            return event.span, name
    return None


def _goes_on(place: Span, boundary: BoundaryCall) -> bool:
    """Whether the block around a call does not leave the loop or the program behind it."""
    source = source_tree(boundary.frame.module.code)
    within = boundary.frame.function.span
    block = next(_blocks_with(place, within, source), None) if source is not None else None
    if source is None or block is None:
        return False
    later = [each for each in block if source.span(each).start >= place.start]
    nodes = [node for each in later for node in ast.walk(each)]
    return not any(
        isinstance(node, _GOES_NO_FURTHER) or (isinstance(node, ast.Call) and last_name(node.func) in _EXITS)
        for node in nodes
    )


def _blocks_with(place: Span, within: Span, source: SourceTree) -> Iterator[list[ast.stmt]]:
    """The block of a function in which a call is a statement by itself."""
    for node in source.nodes_within(within):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and any(
                isinstance(each, ast.Expr) and source.span(each.value) == place for each in block
            ):
                yield block


def _takes_long_in(function: WorkerFunction, taken: Span) -> bool:
    """Whether a function does something that may take long in the `with` statement that takes a lock at a place."""
    source = source_tree(function.module.code)
    if source is None:
        return False
    contexts = (each for each in source.nodes_within(function.facts.span) if isinstance(each, ast.With))
    return any(
        _takes_long(node)
        for context in contexts
        if any(source.span(each.context_expr).start == taken.start for each in context.items)
        for statement in context.body
        for node in ast.walk(statement)
    )


def _takes_long(node: ast.AST) -> bool:
    return isinstance(node, ast.For | ast.While) or (isinstance(node, ast.Call) and last_name(node.func) in _LONG)


def _given_again(lock: ProductValue, boundary: BoundaryCall, linker: Linker) -> Site | None:
    """Where another process is given the same lock: in another round of a loop, by another call of the function that
    starts the first, or at another place; None if that is not seen."""
    frame, home = boundary.frame, lock.frame
    if home is None or lock.call is None:
        return None
    loop = loop_around(boundary.site)
    is_made_here = home.function is frame.function
    if loop is not None and not (is_made_here and loop.start <= lock.call.span.start < loop.end):
        return boundary.site
    for other in linker.boundary_calls():
        is_other = other.call is not boundary.call and other.frame.module is frame.module
        if is_other and other.spec.kind == "process" and _ships(other, lock, linker):
            return other.site
    if is_made_here or frame.function.is_module_body:
        return None
    calls = [
        Site(module, place) for module, _, place in calls_by_name(frame.function, boundary.site.module.path, linker)
    ]
    made = Site(home.module, lock.call.span)
    if any(each.contains(made) for each in calls):
        return None
    loops = ((each, loop_around(each)) for each in calls)
    repeated = [each for each, loop in loops if loop is not None and not Site(each.module, loop).contains(made)]
    return next(iter((*repeated, *calls[1:])), None)


def _ships(boundary: BoundaryCall, lock: ProductValue, linker: Linker) -> bool:
    return any(getattr(each.value, "call", None) is lock.call for each in linker.shipped_by(boundary))
