"""Counts: how many of something there are. Where that is not known, there is more than one."""

from __future__ import annotations

import ast

from lintpickle.control_flow.claims import COMPARED
from lintpickle.control_flow.paths import Paths

_SEVERAL = (2, 10**9)
_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}


def is_count(expression: ast.expr, paths: Paths) -> bool:
    """Whether an expression of a function's tree is the length of something, or the least or most of such lengths."""
    match paths.without_name(expression):
        case ast.Call(func=ast.Name(id="len"), args=[_]):
            return True
        case ast.Call(func=ast.Name(id="min" | "max"), args=[first, *others], keywords=[]) if others:
            return all(is_count(each, paths) for each in (first, *others))
        case _:
            return False


def turned(compared: ast.cmpop) -> type[ast.cmpop] | None:
    """The comparison that says the same with its sides exchanged; None for one of other things than numbers."""
    return _TURNED.get(type(compared))


def of_several(compare: type[ast.cmpop], other: object) -> bool | None:
    """How a comparison of a count with a number comes out if there is more than one; None if it depends on how many."""
    if not isinstance(other, (int, float)):
        return None
    found = {bool(COMPARED[compare](count, other)) for count in _SEVERAL}
    return found.pop() if len(found) == 1 else None
