"""The errors that a function is sure to meet where a global is still None or empty."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.analyses.main_setters import Met
from lintpickle.parsing.names_read import children
from lintpickle.parsing.syntax import FUNCTIONS, dotted
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction

_ASKING = (ast.If, ast.IfExp, ast.While, ast.BoolOp, ast.Try, ast.Match, ast.Lambda, ast.ClassDef, ast.comprehension)


def failing(met: Met, written: str, function: WorkerFunction, linker: Linker) -> Met:
    """The same with the error that the function meets, if it uses the global so whenever it runs. For `migrate`."""
    if linker.moving_to is None or met.error is not None:
        return met
    uses = _uses(written, function)
    error = next((found for use in uses if (found := _of_none(use)) is not None), None)
    return Met(met.outcome, met.how, error) if error is not None else met


def failing_empty(met: Met, written: str, text: str, function: WorkerFunction, linker: Linker) -> Met:
    """The same for an empty container, by the text that makes it."""
    is_dict, is_list = text in ("{}", "dict()"), text in ("[]", "list()")
    if linker.moving_to is None or met.error is not None or not (is_dict or is_list):
        return met
    for use in _uses(written, function):
        if isinstance(use, ast.Subscript) and isinstance(use.ctx, ast.Load) and not isinstance(use.slice, ast.Slice):
            key = f": {use.slice.value!r}" if isinstance(use.slice, ast.Constant) else ""
            return Met(met.outcome, met.how, f"KeyError{key}" if is_dict else "IndexError: list index out of range")
    return met


def _of_none(use: ast.AST) -> str | None:
    match use:
        case ast.Attribute(attr=name) if not name.startswith("__"):
            return f"AttributeError: 'NoneType' object has no attribute '{name}'"
        case ast.Subscript():
            return "TypeError: 'NoneType' object is not subscriptable"
        case ast.Call():
            return "TypeError: 'NoneType' object is not callable"
        case _:
            return None


def _uses(written: str, function: WorkerFunction) -> Iterator[ast.AST]:
    """The expressions that take an attribute or item of the global, or call it, whenever the function runs. None if the
    function itself gives it a value."""
    tree = function.frame.paths.tree
    if any(isinstance(node, ast.Global) and written in node.names for node in ast.walk(tree)):
        return
    for definition in tree.body:
        if isinstance(definition, FUNCTIONS):
            for statement in definition.body:
                if isinstance(statement, _ASKING) and not isinstance(statement, ast.Try):
                    return  # It may have ended before.
                yield from _taken(written, statement)


def _taken(written: str, root: ast.AST) -> Iterator[ast.AST]:
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, (*_ASKING, *FUNCTIONS)):
            continue
        match node:
            case ast.Attribute(value=base) | ast.Subscript(value=base) | ast.Call(func=base):
                if isinstance(base, (ast.Name, ast.Attribute)) and dotted(base) == written:
                    yield node
            case _:
                pass
        stack += reversed([*children(node)])
