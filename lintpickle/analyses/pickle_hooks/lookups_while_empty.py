"""What the `__getattr__` of a dictionary of a class of the program does before pickle has put the items in."""

from __future__ import annotations

import ast

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import ClassValue


def refusal_while_empty(owner: ClassValue, lookup: FunctionFacts) -> str | None:
    """The error that a `__getattr__` raises for a name that is no item: KeyError where it is `return self[name]`, also
    under `if name in self`, and AttributeError where it raises that instead; None if it does something else."""
    found = node_of(owner.module, lookup)
    arguments = [each.arg for each in found[1].args.args] if found is not None else []
    if found is None or found[1].decorator_list or len(arguments) != 2:
        return None
    return _refusal([each for each in found[1].body if not _is_text(each)], *arguments)


def _refusal(body: list[ast.stmt], me: str, name: str) -> str | None:
    match body:
        case [ast.Raise(exc=ast.Call(func=ast.Name(id="AttributeError")) | ast.Name(id="AttributeError"))]:
            return "AttributeError"
        case [ast.Return(value=ast.Subscript() as value)] if _is_same(value, f"{me}[{name}]"):
            return "KeyError"
        case [ast.Try(body=tried, handlers=[handler], orelse=[], finalbody=[])]:
            return _refusal(handler.body, me, name) if _refusal(tried, me, name) is not None else None
        case [ast.If(test=test, orelse=[]), *rest] if _is_same(test, f"{name} in {me}"):
            return _refusal(rest, me, name)
        case _:
            return None


def _is_same(value: ast.expr, text: str) -> bool:
    return ast.unparse(value) == text


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
