"""What the handlers of a `try` around the lookup of an attribute catch, and whether there is anything to catch."""

from __future__ import annotations

import ast
from collections.abc import Iterable


def may_fail(statements: Iterable[ast.stmt]) -> bool:
    """Whether what is not on the object may fail in some statements: a table that lacks the name, a call."""
    nodes = (node for statement in statements for node in ast.walk(statement))
    return any(isinstance(node, (ast.Subscript, ast.Call, ast.Attribute)) for node in nodes)


def caught_by(handler: ast.ExceptHandler) -> list[str]:
    """The names of the errors that a handler catches; one that is not written as a name may be any."""
    if handler.type is None:
        return ["BaseException", "Exception"]
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return [each.id if isinstance(each, ast.Name) else "Exception" for each in types]
