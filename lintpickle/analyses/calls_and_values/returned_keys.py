"""Whether a function that workers run gives back what it is given, or a part of it, along with what it makes of it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from lintpickle.analyses.calls_and_values.functions_run import function_run
from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.interpreter.abstract_values import AbstractValue, ContainerValue, FunctionValue
from lintpickle.interpreter.partials import PARTIAL
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.linker import Linker


def returns_what_it_gets(boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether the function of a boundary returns what it is given, a part of it, or a tuple, list, dict or object with
    that: then the main process can tell to what a result belongs."""
    values = [traced.value for name in boundary.spec.functions for traced in boundary.value(name, linker.evaluator)]
    return any(returns_key(each) for value in values for each in _functions(value, linker))


def _functions(value: AbstractValue, linker: Linker) -> Iterator[FunctionValue]:
    match value:
        case ContainerValue(kind=kind, slots=(target, *_)) if kind == PARTIAL:
            for traced in linker.evaluate(target.value, target.frame):
                if isinstance(traced.value, FunctionValue):
                    yield traced.value
        case _ if (function := function_run(value, linker)) is not None:
            yield function
        case _:
            pass


def returns_key(function: FunctionValue) -> bool:
    """Whether a function returns what it is given, or something with a part of that."""
    found = node_of(function.module, function.facts)
    if found is None:
        return False
    node = found[1]
    parts = {each.arg for each in (*node.args.posonlyargs, *node.args.args)} - {"self", "cls"}
    for each in ast.walk(node):
        if isinstance(each, ast.Assign | ast.AnnAssign) and each.value is not None:
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            names = {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
            names -= {*_owners(targets)}
            parts = parts | names if _is_of(each.value, parts) else parts - names
    returned = [each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value is not None]
    kept = {dotted(each) for each in returned}
    return any(tells_key(each, parts) for each in returned) or any(
        _is_filled(node, name, parts) for name in kept if name
    )


def tells_key(value: ast.expr, parts: set[str]) -> bool:
    """Whether an expression has one of some names, or a part of it, in a tuple, list, dict or object."""
    match value:
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return any(tells_key(each, parts) for each in elements)
        case ast.Dict(keys=keys, values=values):
            return any(tells_key(each, parts) for each in (*keys, *values) if each is not None)
        case ast.Call(func=function, args=values, keywords=named):
            is_made = dotted(function).rpartition(".")[2][:1].isupper() or dotted(function) == "dict"
            return is_made and any(_is_of(each, parts) for each in (*values, *(each.value for each in named)))
        case _:
            return _is_of(value, parts)


def _is_of(value: ast.expr, parts: set[str]) -> bool:
    """Whether an expression is one of some names, an attribute or an item of it."""
    match value:
        case ast.Name(id=name):
            return name in parts
        case ast.Attribute(value=base) | ast.Subscript(value=base):
            return _is_of(base, parts)
        case ast.Call(func=ast.Name(id="str" | "int"), args=[inner]):
            return _is_of(inner, parts)
        case _:
            return False


def _owners(targets: Iterable[ast.expr]) -> Iterator[str]:
    """The names of the objects whose attributes or items are assigned to."""
    for target in targets:
        for each in ast.walk(target):
            if isinstance(each, ast.Attribute | ast.Subscript) and isinstance(each.value, ast.Name):
                yield each.value.id


def _is_filled(node: ast.FunctionDef, name: str, parts: set[str]) -> bool:
    """Whether a function puts a part of what it is given into what it returns."""
    for each in ast.walk(node):
        match each:
            case ast.Assign(targets=[ast.Subscript(value=base) | ast.Attribute(value=base)], value=value):
                if dotted(base) == name and tells_key(value, parts):
                    return True
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name and tells_key(value, parts):
                return True
            case _:
                pass
    return False
