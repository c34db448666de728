"""Locks and counters that only keep processes from miscounting, or from flushing a file too often: nothing more is lost
where each process has its own."""

from __future__ import annotations

import ast
from collections.abc import Collection

from lintpickle.analyses.main_state.read_objects import Reading
from lintpickle.fixes.syntax import source_tree
from lintpickle.payload.worker_side import WorkerFunction

_CALCULATING = frozenset({"divmod", "float", "format", "int", "len", "max", "min", "print", "round", "str"})
_METHODS = frozenset({"flush", "format"})
_STATEMENTS = (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.Pass)


def guards_only_counts(lock: Reading, counts: Collection[str], function: WorkerFunction) -> bool:
    """Whether a function takes a lock for nothing but to read and change objects that each process has of its own, too
    (`counts`, as they are written), and to show them."""
    source = source_tree(function.module.code)
    nodes = list(source.nodes_within(function.facts.span)) if source is not None else []
    taken = [node for node in nodes if isinstance(node, ast.With) and _takes(node, lock.written)]
    return _mentions(lock.written, nodes) == len(taken) > 0 and all(
        _mentions_any(counts, node) and all(_only_counts(part, counts, function) for part in node.body)
        for node in taken
    )


def decides_only_flushes(count: Reading, function: WorkerFunction) -> bool:
    """Whether a function reads a count only to decide whether a file is flushed."""
    source = source_tree(function.module.code)
    nodes = list(source.nodes_within(function.facts.span)) if source is not None else []
    tests = [
        node.test for node in nodes if isinstance(node, ast.If) and not node.orelse and all(map(_is_flush, node.body))
    ]
    decided = sum(_mentions(count.written, list(ast.walk(test))) for test in tests)
    return 0 < decided == _mentions(count.written, nodes)


def _takes(node: ast.With, lock: str) -> bool:
    return any(ast.unparse(item.context_expr) == lock for item in node.items)


def _mentions(written: str, nodes: Collection[ast.AST]) -> int:
    named = (node for node in nodes if isinstance(node, (ast.Name, ast.Attribute)))
    return sum(ast.unparse(node) == written for node in named)


def _mentions_any(counts: Collection[str], node: ast.With) -> bool:
    inner = [each for part in node.body for each in ast.walk(part)]
    return any(_mentions(count, inner) for count in counts)


def _only_counts(statement: ast.stmt, counts: Collection[str], function: WorkerFunction) -> bool:
    for node in ast.walk(statement):
        match node:
            case ast.Call(func=ast.Name(id=name)):
                is_fine = name in _CALCULATING
            case ast.Call(func=ast.Attribute(attr=method)):
                is_fine = method in _METHODS
            case ast.Name(id=name, ctx=ast.Store()):
                is_fine = name not in function.facts.globals_declared
            case ast.Attribute(value=owner, ctx=ast.Store()) | ast.Subscript(value=owner, ctx=ast.Store()):
                is_fine = ast.unparse(owner) in counts
            case ast.stmt():
                is_fine = isinstance(node, _STATEMENTS)
            case _:
                is_fine = not isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda, ast.NamedExpr))
        if not is_fine:
            return False
    return True


def _is_flush(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="flush"))):
            return True
        case _:
            return False
