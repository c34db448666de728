"""Whether what a function gives comes back from workers: in what the function that they run returns, or as the keys of
it (`shards[shard_of(name)] = …`, `return shards`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.parsing.names_read import within
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction


def is_sent_back(function: WorkerFunction, code: WorkerCode) -> bool:
    """Whether workers send back what a function gives, as far as the function that they run shows."""
    begun_with = (each for each in code.functions if each.is_begun_with and each.module.first_party)
    return function.is_begun_with or any(_returns_what(function.facts.name, each) for each in begun_with)


def _returns_what(callee: str, entry: WorkerFunction) -> bool:
    """Whether a function returns something that has to do with what it gets from another one."""
    nodes = list(within(entry.frame.paths.tree))
    statements = [each for each in nodes if isinstance(each, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr)]
    returned = [each.value for each in nodes if isinstance(each, ast.Return) and each.value is not None]
    carrying = set[str]()
    while True:
        found = {
            name for each in statements if _has(each, callee, carrying) for name in _changed(each, callee, carrying)
        }
        if found <= carrying:
            return any(_has(each, callee, carrying) for each in returned)
        carrying |= found


def _has(node: ast.AST, callee: str, carrying: set[str]) -> bool:
    """Whether code calls a function, or names what has to do with it."""
    for each in ast.walk(node):
        match each:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name == callee:
                return True
            case ast.Name(id=name, ctx=ast.Load()) if name in carrying:
                return True
            case _:
                pass
    return False


def _changed(statement: ast.stmt, callee: str, carrying: set[str]) -> Iterator[str]:
    """The names to which a statement gives what it has, and those of what has it as a key."""
    for each in ast.walk(statement):
        match each:
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Subscript(value=ast.Name(id=name), slice=key) if _has(key, callee, carrying):
                yield name
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "add" | "setdefault")):
                yield name
            case _:
                pass
