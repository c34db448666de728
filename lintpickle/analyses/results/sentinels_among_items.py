"""Comprehensions in workers that compare the items of a container with an object that was pickled as one of them:
`[v for v in column.values if v is not MISSING]`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

from lintpickle.diagnostics import Span
from lintpickle.facts.values import Attribute, Call, Expr, Name, Parameter, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import ContainerValue
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.entry_arguments import parameter_at, place_given
from lintpickle.payload.worker_side import WorkerFunction

Comprehended: TypeAlias = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
_THROUGH = frozenset({"enumerate", "iter", "list", "reversed", "tuple", "zip"})
"""Functions that give the items of what they are given, or tuples with them."""
_PARTS = frozenset({"items", "values"})


def compared_among_items(function: WorkerFunction, name: str, crossing: Crossing) -> Span | None:
    """Where a comprehension of a function goes over the container with which an object crosses, and compares its items
    with the object of that name; None if none does. The container is read from the attribute by that name, from a
    variable that holds it, or from a parameter."""
    is_among_items = crossing.inside is not None and isinstance(crossing.inside.value, ContainerValue)
    paths = function.frame.paths
    if not is_among_items:
        return None
    for node in ast.walk(paths.tree):
        if not isinstance(node, Comprehended):
            continue
        for compared in _comparisons(node, name):
            over = _gone_over(compared.left, node)
            if over is not None and any(_is_it(each, function, crossing) for each in _sources(over)):
                return paths.span(compared)
    return None


def _comparisons(comprehension: ast.expr, name: str) -> Iterator[ast.Compare]:
    for node in ast.walk(comprehension):
        match node:
            case ast.Compare(left=ast.Name(), ops=[ast.Is() | ast.IsNot()], comparators=[ast.Name(id=other)]):
                pass
            case ast.Compare(left=ast.Name(), ops=[ast.Is() | ast.IsNot()], comparators=[ast.Attribute(attr=other)]):
                pass
            case _:
                continue
        if other == name:
            yield node


def _gone_over(variable: ast.expr, comprehension: Comprehended) -> ast.expr | None:
    """What a comprehension takes the values of a variable from."""
    for generator in comprehension.generators:
        for node in ast.walk(generator.target):
            if isinstance(node, ast.Name) and isinstance(variable, ast.Name) and node.id == variable.id:
                return generator.iter
    return None


def _sources(over: ast.expr) -> Iterator[ast.expr]:
    """The containers whose items an expression gives, as they are written."""
    match over:
        case ast.Call(func=ast.Name(id=name), args=given) if name in _THROUGH:
            for each in given:
                yield from _sources(each)
        case ast.Call(func=ast.Attribute(value=held, attr=name), args=[]) if name in _PARTS:
            yield held
        case ast.Subscript(value=held, slice=ast.Slice()):
            yield held
        case _:
            yield over


def _is_it(source: ast.expr, function: WorkerFunction, crossing: Crossing) -> bool:
    """Whether an expression gives the container with which an object crosses."""
    match source:
        case ast.Attribute(attr=attribute):
            return _is_attribute(attribute, crossing)
        case ast.Name(id=name):
            held = function.facts.variables.get(name)
            if held is not None:
                return any(_holds(each, function, crossing) for each in options_of(without_narrowing(held)))
            given = function.frame.bindings.get(name)
            is_passed_on = given is not None and given.expr is not None and _holds(given.expr, None, crossing)
            return is_passed_on or _is_given(name, function, crossing)
        case _:
            return False


def _is_attribute(name: str, crossing: Crossing) -> bool:
    return crossing.held is not None and name == crossing.held.attribute


def _is_given(parameter: str, function: WorkerFunction, crossing: Crossing) -> bool:
    """Whether the boundary gives a function the container as that parameter."""
    container, spec = crossing.inside, crossing.root.spec
    place = place_given(container) if container is not None and function.entry else None
    return place is not None and spec is not None and parameter_at(place, function.facts, spec) == parameter


def _holds(value: Expr, function: WorkerFunction | None, crossing: Crossing) -> bool:
    """Whether an expression gives the container, or one of its items (`list(column.values)`)."""
    match without_narrowing(value):
        case Call(function=Name(name=name), arguments=(argument,)) if name in _THROUGH:
            return _holds(argument.value, function, crossing)
        case Attribute(name=name):
            return _is_attribute(name, crossing)
        case Parameter(name=name):
            return function is not None and _is_given(name, function, crossing)
        case _:
            return False
