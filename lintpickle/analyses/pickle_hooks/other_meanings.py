"""Constructors that take what pickle passes to them for something else than it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.analyses.pickle_hooks.replayed_values import replayed
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import ClassValue

_PASSED = {"collections.defaultdict": "the default factory", "builtins.set": "the list of elements"}


def other_meaning(owner: ClassValue, constructor: FunctionFacts, path: str) -> str | None:
    """What goes wrong, without an error, in a constructor that is given the one argument of a builtin class's reducer;
    None if the argument may be what is meant."""
    found = node_of(owner.module, constructor)
    if found is None:
        return None
    source, node = found
    if constructor.name == "__init__":
        parameter = _first(node)
        wrong = parameter is not None and path in _PASSED and _is_taken_for_another(node, parameter, path)
        return f"silently, {_PASSED[path]} is passed as `{parameter}`" if wrong else None
    if path == "builtins.tuple" and _packs(node):
        return "silently, the elements become one element, a tuple"
    return replayed(node, source.tree, path)


def _first(node: ast.FunctionDef) -> str | None:
    arguments = [*node.args.posonlyargs, *node.args.args]
    return arguments[1].arg if len(arguments) > 1 else None


def _is_taken_for_another(node: ast.FunctionDef, parameter: str, path: str) -> bool:
    """Whether a constructor gives its parent something else than the parameter, which it keeps or reads elements of."""
    me = node.args.args[0].arg if node.args.args else ""
    calls = [each for each in ast.walk(node) if _is_call_of(each, "__init__")]
    if not calls or any(_mentions(parameter, call) for call in calls):
        return False
    uses = list(_uses(node, me, parameter, path))
    read = sum(_is(each, parameter) for each in ast.walk(node))
    asked = sum(_mentions(parameter, each.test) for each in ast.walk(node) if isinstance(each, ast.If | ast.IfExp))
    return bool(uses) and len(uses) + asked == read and "default_factory" not in uses


def _uses(node: ast.FunctionDef, me: str, parameter: str, path: str) -> Iterator[str]:
    """How a parameter is used as something that it is not: the attribute that it is kept in, or what reads elements of
    a default factory."""
    for each in ast.walk(node):
        match each:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=name)], value=value) if owner == me:
                if _is(value, parameter):
                    yield name
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr="update"), args=[given]) if owner == me:
                if _is(given, parameter) and path == "collections.defaultdict":
                    yield "update"
            case ast.For(iter=value) if _is(value, parameter) and path == "collections.defaultdict":
                yield "for"
            case _:
                pass


def _packs(node: ast.FunctionDef) -> bool:
    """Whether `__new__(cls, *elements)` makes a tuple of its elements, without looking at them."""
    rest = node.args.vararg.arg if node.args.vararg is not None else None
    if rest is None or _first(node) is not None or sum(_is(each, rest) for each in ast.walk(node)) != 1:
        return False
    calls = [each for each in ast.walk(node) if isinstance(each, ast.Call) and _is_call_of(each, "__new__")]
    return len(calls) == 1 and len(calls[0].args) == 2 and _is(calls[0].args[1], rest)


def _is_call_of(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name


def _mentions(name: str, node: ast.AST) -> bool:
    return any(_is(each, name) for each in ast.walk(node))


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
