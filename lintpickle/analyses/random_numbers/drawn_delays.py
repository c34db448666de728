"""Values that only say how long a function waits: it sleeps so long, or goes round an empty loop so often."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.control_flow.steps import TreePosition, start_of
from lintpickle.diagnostics import Span
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import last_name
from lintpickle.payload.worker_side import WorkerFunction

_SLEEP = "sleep"


def is_length_of_wait(span: Span, function: WorkerFunction) -> bool:
    """Whether a call of a function gives nothing but a time to sleep, by way of a variable (`pause = random()`), or how
    often a loop is gone through that leaves nothing behind."""
    paths = function.frame.paths
    place = paths.position(span.start)
    for node in within(paths.tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _holds(value, place):
                return _is_slept(name, paths.tree)
            case ast.For(iter=times, body=body, orelse=[]) if _holds(times, place):
                return all(map(_is_inert, body)) and not _is_read_after(node, paths.tree)
            case _:
                pass
    return False


def _holds(node: ast.expr, place: TreePosition) -> bool:
    return any(isinstance(each, ast.Call) and start_of(each) == place for each in within(node))


def _is_slept(name: str, tree: ast.AST) -> bool:
    """Whether a variable is read only to say how long to sleep."""
    calls = (each for each in within(tree) if isinstance(each, ast.Call) and last_name(each.func) == _SLEEP)
    slept = {id(each) for call in calls for each in _reads(call, {name})}
    reads = [id(each) for each in _reads(tree, {name})]
    return bool(reads) and slept.issuperset(reads)


def _is_inert(statement: ast.stmt) -> bool:
    """Whether a statement does nothing but to compute, or to sleep."""
    match statement:
        case ast.Expr(value=ast.Call(func=called)):
            return last_name(called) == _SLEEP
        case ast.Assign(targets=targets):
            stored = all(isinstance(each, ast.Name) for each in targets)
        case ast.AugAssign(target=target):
            stored = isinstance(target, ast.Name)
        case _:
            stored = isinstance(statement, ast.Pass)
    return stored and not any(isinstance(each, (ast.Call, ast.NamedExpr)) for each in within(statement))


def _is_read_after(loop: ast.For, tree: ast.AST) -> bool:
    """Whether a function reads what a loop has stored outside of it."""
    stored = {each.id for each in within(loop) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}
    inside = {id(each) for each in _reads(loop, stored)}
    return any(id(each) not in inside for each in _reads(tree, stored))


def _reads(tree: ast.AST, names: set[str]) -> Iterator[ast.Name]:
    for each in within(tree):
        if isinstance(each, ast.Name) and each.id in names and isinstance(each.ctx, ast.Load):
            yield each
