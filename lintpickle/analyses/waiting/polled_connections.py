"""Loops that read whichever of several connections is ready, and end only when all have ended:

while readers:
    for reader in wait(readers):
        try:
            handle(reader.recv())
        except EOFError:
            readers.remove(reader)
"""

from __future__ import annotations

import ast

from lintpickle.parsing.syntax import INNER_SCOPES

_LETS_GO = frozenset({"clear", "discard", "pop", "popitem", "remove"})


def is_waited_for_to_the_end(read: ast.Call, function: ast.AST) -> bool:
    """Whether a call in a function reads a connection that a loop gets from `wait(...)`, without a limit of time, in a
    loop that goes on as long as there are connections, of which only handlers of EOFError take any away."""
    for loop in (each for each in ast.walk(function) if isinstance(each, ast.While)):
        inner = next((each for each in loop.body if isinstance(each, ast.For) and read in ast.walk(each)), None)
        if inner is None or not isinstance(loop.test, ast.Name | ast.Attribute):
            continue
        attempt = next((each for each in inner.body if isinstance(each, ast.Try)), None)
        if attempt is None or not any(read in ast.walk(each) for each in attempt.body):
            continue
        written, reader = ast.unparse(loop.test), read.func.value if isinstance(read.func, ast.Attribute) else None
        if reader is None or ast.unparse(inner.target) != ast.unparse(reader) or not _waits(inner.iter, written):
            continue
        ends = [each for each in attempt.handlers if each.type is not None and ast.unparse(each.type) == "EOFError"]
        inside = {id(node) for handler in ends for node in ast.walk(handler)}
        outside = [node for node in _in_scope(loop) if id(node) not in inside]
        if ends and len(ends) == len(attempt.handlers) and not any(_may_end(node, written) for node in outside):
            return True
    return False


def _waits(value: ast.expr, written: str) -> bool:
    """Whether an expression is `wait(...)` for all that a variable holds."""
    match value:
        case ast.Call(func=ast.Name(id="wait") | ast.Attribute(attr="wait"), args=[given], keywords=[]):
            pass
        case _:
            return False
    while isinstance(given, ast.Call) and isinstance(given.func, ast.Name | ast.Attribute):
        match given:
            case ast.Call(func=ast.Name(id="list" | "tuple"), args=[inner]):
                given = inner
            case ast.Call(func=ast.Attribute(value=inner, attr="keys"), args=[]):
                given = inner
            case _:
                return False
    return ast.unparse(given) == written


def _in_scope(loop: ast.While) -> list[ast.AST]:
    nodes: list[ast.AST] = []
    stack: list[ast.AST] = [*loop.body]
    while stack:
        node = stack.pop()
        nodes.append(node)
        if not isinstance(node, INNER_SCOPES):
            stack += ast.iter_child_nodes(node)
    return nodes


def _may_end(node: ast.AST, written: str) -> bool:
    """Whether something leaves a loop, or takes away from what it goes on for."""
    match node:
        case ast.Return() | ast.Raise() | ast.Break() | ast.Delete() | ast.Yield() | ast.YieldFrom():
            return True
        case ast.Call(func=ast.Attribute(value=base, attr=name)):
            return name in _LETS_GO and ast.unparse(base) == written
        case ast.Name(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
            return ast.unparse(node) == written
        case _:
            return False
