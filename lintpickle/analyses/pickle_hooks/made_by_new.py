"""What a `__new__` surely does not give to the object that it makes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.interpreter.protocols import Ancestor


def leave_out(attribute: str, line: tuple[Ancestor, ...]) -> bool:
    """Whether each `__new__` of a hierarchy returns a new object, and does not set an attribute of it."""
    methods = ((each, each.facts.methods.get("__new__")) for each in line if isinstance(each, ClassValue))
    return all(method is None or _leaves_out(attribute, owner, method) for owner, method in methods)


def _leaves_out(attribute: str, owner: ClassValue, method: FunctionFacts) -> bool:
    found = node_of(owner.module, method)
    if found is None:
        return False
    node = found[1]
    made = set(_names(node))
    understood = set(_understood(node, attribute, made))
    uses = [each for each in ast.walk(node) if _is_made(each, made)]
    gives = [each.value for each in ast.walk(node) if isinstance(each, ast.Return)]
    return bool(gives) and all(_is_made(each, made) for each in gives) and all(id(each) in understood for each in uses)


def _names(node: ast.FunctionDef) -> Iterator[str]:
    """The variables that hold the new object."""
    for each in ast.walk(node):
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_call_of_new(value):
                yield name
            case _:
                pass


def _understood(node: ast.FunctionDef, attribute: str, made: set[str]) -> Iterator[int]:
    """The identities of the expressions for the object that leave the attribute out."""
    called = {id(each.func) for each in ast.walk(node) if isinstance(each, ast.Call)}
    for each in ast.walk(node):
        match each:
            case ast.Assign(targets=[ast.Name(id=name) as target], value=value) if name in made:
                if _is_call_of_new(value):
                    yield from (id(target), id(value))
            case ast.Return(value=ast.expr() as value):
                yield id(value)
            case ast.Attribute(value=value, attr=name) if name not in (attribute, "__dict__"):
                if id(each) not in called:  # A method could set it.
                    yield id(value)
            case _:
                pass


def _is_made(node: ast.AST | None, made: set[str]) -> bool:
    return _is_call_of_new(node) or (isinstance(node, ast.Name) and node.id in made)


def _is_call_of_new(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "__new__"
