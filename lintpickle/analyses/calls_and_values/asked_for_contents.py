"""Whether a function asks a container only for what it is to do with something else: whether it is in there, or, where
the container holds anything, to go over it. Where it is empty, nothing is done in its place, as with a cache."""

from __future__ import annotations

import ast
from typing import TypeGuard

from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import dotted

_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_VIEWS = frozenset({"items", "keys", "values"})
_OF_CONTENTS = frozenset({"len", "bool", "any"})


def is_asked_for_contents(name: str, tree: ast.AST) -> bool:
    """Whether all that a function does with a container is such asking, and going over it where it holds something."""
    named = [node for node in within(tree) if isinstance(node, (ast.Name, ast.Attribute)) and dotted(node) == name]
    allowed = {id(each) for node in within(tree) for each in _fine(node, name)}
    return bool(named) and all(id(each) in allowed for each in named)


def _fine(node: ast.AST, name: str) -> list[ast.AST]:
    """The places at which a statement or expression names the container in such a way."""
    match node:
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[table]):
            return [table]
        case ast.For(iter=iterated) | ast.comprehension(iter=iterated):
            return [iterated]
        case ast.If(test=test, body=body, orelse=[]) if _is_filled(test, name) and not isinstance(body[-1], _LEAVING):
            inner = [each for part in (test, *body) for each in within(part)]
            looked_up = {id(each.value) for each in inner if _looks_up(each)}
            return [each for each in inner if id(each) not in looked_up]
        case _:
            return []


def _looks_up(node: ast.AST) -> TypeGuard[ast.Subscript | ast.Attribute]:
    """Whether an expression takes something out of the container, for which something else may be made later."""
    is_view = isinstance(node, ast.Attribute) and node.attr in _VIEWS
    return isinstance(node, (ast.Subscript, ast.Attribute)) and not is_view


def _is_filled(test: ast.expr, name: str) -> bool:
    """Whether a condition says no more than that the container holds anything."""
    match test:
        case ast.Call(func=ast.Name(id=function), args=[inner], keywords=[]) if function in _OF_CONTENTS:
            return dotted(inner) == name
        case _:
            return dotted(test) == name
