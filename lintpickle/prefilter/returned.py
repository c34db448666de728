"""What a function returns to its callers, found on the `ast`: its statements without unrelated ones."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from copy import copy

from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import FUNCTIONS, Function, in_scope

_YIELDS = (ast.Yield, ast.YieldFrom)


def returned(tree: ast.Module) -> ast.Module:
    """The tree, in which the functions of the module, and methods of its classes, have only statements that may have to
    do with what they return or yield: blocks are taken apart. There may be too many, never too few, as far as an object
    is followed: by assignments to names, their attributes and items, and by statements that are calls."""
    return ast.Module([_without_others(statement) for statement in tree.body], [])


def _without_others(statement: ast.stmt) -> ast.stmt:
    if isinstance(statement, ast.ClassDef):
        class_ = copy(statement)
        class_.body = [_without_others(each) if isinstance(each, FUNCTIONS) else each for each in statement.body]
        return class_
    if isinstance(statement, FUNCTIONS):
        function = copy(statement)
        function.body = [*_giving(statement)] or [ast.Pass()]
        return function
    return statement


def _giving(function: Function) -> list[ast.stmt]:
    """The statements of a function, out of their blocks, that its results may come from."""
    statements = [part for statement in in_scope(function.body) for part in _parts(statement)]
    kept = [each for each in statements if _gives(each)]
    others = [each for each in statements if not _gives(each)]
    named = _names(kept)
    while more := [each for each in others if not named.isdisjoint(_concerned(each))]:
        kept += more
        named |= _names(more)
        others = [each for each in others if each not in more]
    return kept


def _parts(statement: ast.stmt) -> Iterator[ast.stmt]:
    """A statement without the blocks in it: what stands in its head, each of which may bind a name."""
    match statement:
        case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
            yield ast.For(target, value, [ast.Pass()], [])
        case ast.With(items=items) | ast.AsyncWith(items=items):
            yield ast.With(items, [ast.Pass()])
        case ast.If(test=value) | ast.While(test=value):
            yield ast.Expr(value)
        case ast.Match(subject=value):
            yield ast.Return(value)
        case ast.Try():
            pass
        case _:
            yield statement


def _gives(statement: ast.stmt) -> bool:
    """Whether a statement gives something to callers, or binds names of modules."""
    if isinstance(statement, (ast.Return, ast.Import, ast.ImportFrom)):
        return True
    return not isinstance(statement, (*FUNCTIONS, ast.ClassDef)) and any(
        isinstance(node, _YIELDS) for node in within(statement)
    )


def _names(statements: Iterable[ast.stmt]) -> set[str]:
    return {node.id for statement in statements for node in within(statement) if isinstance(node, ast.Name)}


def _concerned(statement: ast.stmt) -> set[str]:
    """The names of what a statement may change: those that it binds; owners of attributes and items that it stores, and
    of methods that it calls; the first argument of a function."""
    changed: list[ast.expr]
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Assign(targets=changed):
            pass
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target) | ast.For(target=target):
            changed = [target]
        case ast.With(items=items):
            changed = [item.optional_vars for item in items if item.optional_vars is not None]
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner))):
            changed = [owner]
        case ast.Expr(value=ast.Call(args=arguments)):
            changed = arguments[:1]
        case ast.Expr():
            changed = []
        case _:
            return _names([statement])
    walruses = (node.target for node in within(statement) if isinstance(node, ast.NamedExpr))
    return _names([ast.Expr(each) for each in (*changed, *walruses)])
