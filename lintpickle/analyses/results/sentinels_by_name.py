"""Workers that ask all attributes of an object, or one by a name that is not written out, whether it is an object that
was pickled in one: `getattr(self, field.name) is not UNSET`, `for value in vars(self).values()`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import last_name
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction

_STATE = "__dict__"
_PARTS = frozenset({"items", "values"})


def compared_by_name(function: WorkerFunction, name: str, crossing: Crossing, linker: Linker) -> Span | None:
    """Where a function compares an attribute of what may be the object that holds it with the object of that name."""
    paths = function.frame.paths
    if crossing.held is None:
        return None
    nodes = list(within(paths.tree))
    for node in nodes:
        match node:
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[other]) if last_name(other) == name:
                owners = _owners(left, crossing.held.attribute, nodes)
                if any(_may_be_holder(each, function, crossing, linker) for each in owners):
                    return paths.span(node)
            case _:
                pass
    return None


def _owners(value: ast.expr, attribute: str, nodes: list[ast.AST]) -> Iterator[ast.expr]:
    """The objects of which an expression may be the attribute."""
    match value:
        case ast.NamedExpr(value=inner):
            yield from _owners(inner, attribute, nodes)
        case ast.Call(func=ast.Name(id="getattr"), args=[owner, key, *_]) if _may_be_key(key, attribute):
            yield owner
        case ast.Subscript(value=state, slice=key) if _may_be_key(key, attribute):
            yield from _of_state(state)
        case ast.Call(func=ast.Attribute(value=state, attr="get"), args=[key, *_]) if _may_be_key(key, attribute):
            yield from _of_state(state)
        case ast.Name(id=name):
            for node in nodes:
                match node:
                    case ast.For(target=target, iter=over) | ast.comprehension(target=target, iter=over):
                        if any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(target)):
                            yield from _of_parts(over)
                    case _:
                        pass
        case _:
            pass


def _of_parts(over: ast.expr) -> Iterator[ast.expr]:
    """The objects whose attributes a loop goes over."""
    match over:
        case ast.Call(func=ast.Attribute(value=state, attr=name), args=[]) if name in _PARTS:
            yield from _of_state(state)
        case ast.Call(func=ast.Name(id="list" | "tuple" | "sorted" | "enumerate"), args=[inner, *_]):
            yield from _of_parts(inner)
        case ast.GeneratorExp(elt=value) | ast.ListComp(elt=value):
            yield from _owners(value, "", [])
        case _:
            pass


def _of_state(state: ast.expr) -> Iterator[ast.expr]:
    match state:
        case ast.Attribute(value=owner, attr=name) if name == _STATE:
            yield owner
        case ast.Call(func=ast.Name(id="vars"), args=[owner]):
            yield owner
        case _:
            pass


def _may_be_key(key: ast.expr, attribute: str) -> bool:
    return not isinstance(key, ast.Constant) or key.value == attribute


def _may_be_holder(owner: ast.expr, function: WorkerFunction, crossing: Crossing, linker: Linker) -> bool:
    """Whether a variable may be the object which holds what crosses, as far as is known what it is."""
    if not isinstance(owner, ast.Name) or crossing.holder is None:
        return not isinstance(owner, ast.Name)
    value = function.facts.variables.get(owner.id)
    bound = function.frame.bindings.get(owner.id)
    if value is not None:
        found = [traced.value for traced in linker.evaluate(value, function.frame)]
    else:
        found = [bound.value] if bound is not None and bound.value is not None else []
    objects = [each for each in found if isinstance(each, InstanceValue)]
    kinds = {each.key for each in linker.classes.mro(crossing.holder) if isinstance(each, ClassValue)}
    return not objects or any(each.class_.key in kinds for each in objects)
