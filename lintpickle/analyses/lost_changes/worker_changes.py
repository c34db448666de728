"""Globals that a function changes in a worker, and that the code which starts the workers reads afterwards."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from lintpickle.analyses.at_import.values_at_import import EMPTY, at_import
from lintpickle.analyses.lost_changes.caches import key_lookups
from lintpickle.analyses.lost_changes.container_methods import ADDING, TAKING
from lintpickle.analyses.lost_changes.globals_read import is_changed_in_workers, is_read_in_workers, read_afterwards
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.names_read import within
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction
from lintpickle.program.module import Module

_FILLED = re.compile(rf"(?<![\w.])(\w+)\s*(?:\[|\.\s*(?:{ADDING})\s*\()")


class LostChange(Struct, frozen=True):
    """A global that a function changes at a place, the code of the main process that reads it, and its value there."""

    name: str
    place: Site
    reader: str
    read: Site
    value: str


def lost_changes(function: WorkerFunction, boundary: BoundaryCall, linker: Linker) -> Iterator[LostChange]:
    """The changes of globals that only this function makes, in the workers that a boundary starts, though code behind
    the boundary reads them: of a cache, all that is in it."""
    home = function.module
    if not home.first_party or not boundary.frame.module.first_party:
        return
    for name, value, is_cached in _changed(function):
        is_cached = is_cached or (value == EMPTY and is_read_in_workers(function, name, boundary, linker))
        read = read_afterwards(name, home, is_cached, boundary, linker)
        if read is None or not is_changed_in_workers(function, name, is_cached, boundary, linker):
            continue
        reader, place = read
        yield LostChange(name, _place(name, function), reader_of(reader.function), place, value)


def _changed(function: WorkerFunction) -> Iterator[tuple[str, str, bool]]:
    """The globals that a function changes before it reads them, or only asks for a key before; each with its value at
    import and whether it does that."""
    facts, module = function.facts, function.module
    filled: list[str] = _FILLED.findall(module.code, facts.header.end, facts.span.end)
    named = {*facts.globals_declared, *(facts.reads.keys() & filled)}
    for name in sorted(named):
        value = at_import(name, module)
        if value is None:
            continue
        if is_changed_before_read((name,), module, facts.span) or numbers_items(name, function):
            yield name, value, False
        elif is_cache((name,), module, facts.span):
            yield name, value, True


def is_changed_before_read(names: tuple[str, ...], module: Module, span: Span, is_taking: bool = False) -> bool:
    """Whether the first use of what a chain of names leads to, in the function at a place, changes that; if
    `is_taking`, also by taking an item out."""
    return any(is_change for _, is_change in _uses(module, span, is_taking).get(names, ())[:1])


def is_cache(names: tuple[str, ...], module: Module, span: Span) -> bool:
    """Whether the function at a place asks what a chain of names leads to for a key, and for no more, before it changes
    it."""
    found = _uses(module, span).get(names, ())
    first = next((number for number, (_, is_change) in enumerate(found) if is_change), 0)
    if not first:
        return False
    asked = key_lookups(names, Paths(module, span).tree)
    return all(place in asked for place, _ in found[:first])


def numbers_items(written: str, function: WorkerFunction) -> bool:
    """Whether a function numbers the items of a table as they come (`ids[token] = len(ids)`): it may look up first
    whether it knows one, and no two copies of the table agree all the same."""
    table = rf"(?<![\w.]){re.escape(written)}"
    numbered = re.compile(rf"{table}\[[^\n]*\]\s*=\s*(?:\w+\s*=\s*)?len\({re.escape(written)}\)")
    return numbered.search(function.module.code, function.facts.header.end, function.facts.span.end) is not None


_Uses = Mapping[tuple[str, ...], Sequence[tuple[tuple[int, int], bool]]]


def _uses(module: Module, span: Span, is_taking: bool = False) -> _Uses:
    """All that chains of names lead to in a function, with their uses in the order of their places (row, column), each
    with whether it is rebound, or its value is changed, there."""
    return module.remembered(
        ("uses of chains", span, is_taking), lambda: _find_uses(Paths(module, span).tree, is_taking)
    )


def _find_uses(tree: ast.AST, is_taking: bool) -> _Uses:
    changed, alone = set[int](), set[int]()
    found: dict[tuple[str, ...], list[tuple[tuple[int, int], bool]]] = {}
    for node in within(tree):
        match node:
            case ast.Expr(value=ast.Call() as call):
                alone.add(id(call))
            case ast.Call(func=ast.Attribute(value=root, attr=method)):
                adds = re.fullmatch(ADDING, method) is not None and (id(node) in alone or not _looks_up(node))
                if adds or (is_taking and _takes_item(node)):
                    changed.add(id(_container(root)))
            case ast.Subscript(value=root, ctx=ast.Store() | ast.Del()):
                changed.add(id(_container(root)))
            case ast.Name(ctx=context) | ast.Attribute(ctx=context) if (names := _chain(node)) is not None:
                is_change = id(node) in changed or not isinstance(context, ast.Load)
                found.setdefault(names, []).append(((node.lineno, node.col_offset), is_change))
            case _:
                pass
    return {names: sorted(each) for names, each in found.items()}


def _looks_up(call: ast.AST) -> bool:
    """Whether `found.setdefault(key, [])`, whose result is used, only asks what is there, or nothing."""
    match call:
        case ast.Call(func=ast.Attribute(attr="setdefault"), args=[_, default]):
            return isinstance(default, ast.Constant) or not _has_parts(default)
        case ast.Call(func=ast.Attribute(attr="setdefault")):
            return True
        case _:
            return False


def _has_parts(value: ast.expr) -> bool:
    """Whether a default is more than an empty container."""
    match value:
        case ast.List(elts=[]) | ast.Dict(keys=[]) | ast.Call(args=[], keywords=[]):
            return False
        case _:
            return True


def _takes_item(call: ast.AST) -> bool:
    """Whether a call takes out what comes next: `pop()`, `pop(0)`, but not `pop("option")`."""
    match call:
        case ast.Call(func=ast.Attribute(attr=method), args=[] | [ast.Constant(value=int()) | ast.UnaryOp()]):
            return method in TAKING
        case _:
            return False


def _container(node: ast.expr) -> ast.expr:
    """What an item is added to: the dict of `found.setdefault(key, []).append(…)`, which gets that list by it, or of
    `found[key].append(…)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=root, attr="setdefault")):
            return root
        case ast.Subscript(value=root):
            return _container(root)
        case _:
            return node


def _chain(node: ast.AST) -> tuple[str, ...] | None:
    match node:
        case ast.Name(id=name):
            return (name,)
        case ast.Attribute(value=base, attr=name):
            inner = _chain(base)
            return (*inner, name) if inner is not None else None
        case _:
            return None


def _place(name: str, function: WorkerFunction) -> Site:
    """The first place at which the function changes the global."""
    facts, code = function.facts, function.module.code
    change = re.compile(rf"(?<![\w.])({name})\b\s*(?:[-+*/%|&^@<>]*=(?!=)|[.\[])")
    found = change.search(code, facts.header.end, facts.span.end)
    return Site(function.module, Span(*found.span(1)) if found is not None else facts.header)


def reader_of(function: FunctionFacts) -> str:
    """What to call a function that reads a value, or the code of a module that does."""
    return "the main guard" if function.is_module_body else f"`{function.name}()`"
