"""Functions that return all that a global holds: the global, a copy of it, or how much is in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from lintpickle.analyses.at_import.import_statements import path_called
from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.fixes.syntax import SourceTree
from lintpickle.parsing.names_read import within
from lintpickle.program.module import Module

_COPYING = frozenset(
    {"dict", "list", "tuple", "set", "frozenset", "sorted", "len", "sum", "max", "min", "copy", "deepcopy", "Counter"}
)
_SHARING = ("multiprocessing.", "torch.", "ctypes.", "mmap.")
_SHARED = re.compile(r"\b(?:Value|Array|RawValue|RawArray|Manager|Queue|SharedMemory)\s*\(")
"""What processes have in common."""
_GIVING = frozenset({"copy", "items", "values", "keys", "most_common", "total", "elements"})


def globals_returned(function: FunctionFacts, module: Module) -> Iterator[tuple[str, Span]]:
    """The globals of its module that a function returns as a whole, each with the place of the `return`."""
    found = node_of(module, function)
    if found is None:
        return
    source, node = found
    nodes = [*within(node)]
    for each in nodes:
        if isinstance(each, ast.Return) and each.value is not None:
            for name in _wholes(each.value, nodes):
                if _is_own(name, function, module, source):
                    yield name, source.span(each)


def _wholes(value: ast.expr, nodes: list[ast.AST]) -> Iterator[str]:
    """The names of which an expression gives all, or an attribute."""
    match value:
        case ast.Name(id=name):
            assigned = [*_assigned(name, nodes)]
            yield from (whole for each in assigned for whole in _wholes(each, [])) if assigned else (name,)
        case ast.Attribute(value=ast.Name(id=name)):
            yield name
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
            for part in parts:
                yield from _wholes(part, nodes)
        case ast.Call(func=ast.Name(id=made) | ast.Attribute(attr=made), args=[part, *_]) if made in _COPYING:
            yield from _wholes(part, nodes)
        case ast.Call(func=ast.Attribute(value=part, attr=method), args=[]) if method in _GIVING:
            yield from _wholes(part, nodes)
        case _:
            pass


def _assigned(name: str, nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
    for node in nodes:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=target)], value=value)
                | ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value)
            ) if target == name:
                yield value
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                named = zip(targets, values, strict=False)
                yield from (value for target, value in named if isinstance(target, ast.Name) and target.id == name)
            case _:
                pass


def _is_own(name: str, function: FunctionFacts, module: Module, source: SourceTree) -> bool:
    """Whether a name is a variable of the module that holds something of this process alone, or a class that does."""
    bound = module.outline.binding(name)
    is_read = name in function.reads or name in function.globals_declared
    if not is_read or not bound or name in module.outline.imports or any(each.defines_function for each in bound):
        return False
    if any(each.is_class for each in bound):
        return not any(_SHARED.search(module.code, each.span.start, each.span.end) for each in bound)
    values = [*_assigned(name, source.nodes)]
    return bool(values) and all(_is_made_here(each, module) for each in values)


def _is_made_here(value: ast.expr, module: Module) -> bool:
    """Whether each process makes what is assigned for itself: not what it is given, and nothing that they share."""
    match value:
        case ast.Call(func=ast.Name(id=name)) if any(each.is_class for each in module.outline.binding(name)):
            return True
        case ast.Call(func=function):
            path = path_called(function, module)
            return bool(path) and not path.startswith(_SHARING)
        case ast.Name() | ast.Attribute() | ast.Subscript():
            return False
        case _:
            return True
