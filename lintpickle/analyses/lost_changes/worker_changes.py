"""Globals that a function changes in a worker, and that the code which starts the workers reads afterwards."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import guard_of
from lintpickle.analyses.at_import.values_at_import import at_import
from lintpickle.analyses.main_state.global_setters import changing
from lintpickle.analyses.workers.task_workers import functions_started_in
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.names_read import within
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

ADDING = "add|append|appendleft|clear|discard|extend|insert|remove|setdefault|sort|update"
"""Methods that change a container. Whatever becomes of their result, they change the container first."""
TAKING = frozenset({"pop", "popitem", "popleft"})
"""Methods that take out what comes next, and give that."""


class LostChange(Struct, frozen=True):
    """A global that a function changes at a place, the code of the main process that reads it, and its value there."""

    name: str
    place: Site
    reader: str
    value: str


def lost_changes(function: WorkerFunction, boundary: BoundaryCall, linker: Linker) -> Iterator[LostChange]:
    """The changes of globals that only this function makes, in the workers that a boundary starts, though code behind
    the boundary reads them."""
    home = boundary.frame.module
    if not home.first_party or function.module is not home:
        return
    for name in _changed(function, boundary.frame.function):
        reader, value = _reader(name, boundary), at_import(name, home)
        if reader is not None and value is not None and _is_only_changed_by(function, name, home, linker):
            yield LostChange(name, _place(name, function), reader, value)


def _changed(function: WorkerFunction, starter: FunctionFacts) -> Iterator[str]:
    """The globals that a function changes before reading them, and that the code which starts the workers reads."""
    facts = function.facts
    names = starter.reads.keys() & {*facts.globals_declared, *facts.reads} if not facts.is_local else set()
    tree = Paths(function.module, facts.span).tree if names else ast.Module([], [])
    for name in sorted(names):
        is_first = any(is_change for _, is_change in sorted(uses((name,), tree))[:1])
        if is_first or numbers_items(name, function):
            yield name


def numbers_items(written: str, function: WorkerFunction) -> bool:
    """Whether a function numbers the items of a table as they come (`ids[token] = len(ids)`): it may look up first
    whether it knows one, and no two copies of the table agree all the same."""
    table = rf"(?<![\w.]){re.escape(written)}"
    numbered = re.compile(rf"{table}\[[^\n]*\]\s*=\s*(?:\w+\s*=\s*)?len\({re.escape(written)}\)")
    return numbered.search(function.module.code, function.facts.header.end, function.facts.span.end) is not None


def uses(names: tuple[str, ...], tree: ast.AST, is_taking: bool = False) -> Iterator[tuple[tuple[int, int], bool]]:
    """The uses of a name, or of what a chain of names leads to (row, column), each with whether it is rebound, or its
    value is changed, there; if `is_taking`, also by taking an item out."""
    changed, alone = set[int](), set[int]()
    for node in within(tree):
        match node:
            case ast.Expr(value=ast.Call() as call):
                alone.add(id(call))
            case ast.Call(func=ast.Attribute(value=root, attr=method)):
                adds = re.fullmatch(ADDING, method) is not None and (id(node) in alone or not _looks_up(node))
                if adds or (is_taking and _takes_item(node)):
                    changed.add(id(_container(root)))
            case ast.Subscript(value=root, ctx=ast.Store() | ast.Del()):
                changed.add(id(root))
            case ast.Name(ctx=context) | ast.Attribute(ctx=context) if _chain(node) == names:
                is_change = id(node) in changed or not isinstance(context, ast.Load)
                yield (node.lineno, node.col_offset), is_change
            case _:
                pass


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
    """What an item is added to: the dict of `found.setdefault(key, []).append(…)`, which gets that list by it."""
    match node:
        case ast.Call(func=ast.Attribute(value=root, attr="setdefault")):
            return root
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


def _reader(name: str, boundary: BoundaryCall) -> str | None:
    """The code that starts the workers, if it reads the global after the call that starts them."""
    module, starter, behind = boundary.frame.module, boundary.frame.function, boundary.call.span.end
    read = re.compile(rf"(?<![\w.'\"]){name}\b(?!\s*(?:[-+*/|&]?=(?!=)|\.\s*(?:{ADDING})\(|['\"]))")
    end = starter.span.end
    if starter.is_module_body:
        guard = guard_of(boundary.call.span.start, module)
        end = guard.span.end if guard is not None else behind
    return reader_of(starter) if read.search(module.code, behind, end) else None


def reader_of(function: FunctionFacts) -> str:
    """What to call a function that reads a value, or the code of a module that does."""
    return "the main guard" if function.is_module_body else f"`{function.name}()`"


def _is_only_changed_by(function: WorkerFunction, name: str, home: Module, linker: Linker) -> bool:
    """Whether no other code changes the global or reads it in a worker that `home` starts, and only those workers call
    the function."""
    running = functions_started_in(home, linker)
    others = (each.facts for each in running if each.facts is not function.facts)
    if any(name in each.reads or name in each.globals_declared for each in others):
        return False
    if any(facts is not function.facts for facts in changing(name, function.module)):
        return False
    called_as = function.facts.name
    if called_as.startswith("__"):
        return True  # Python calls it.
    called = re.compile(rf"(?<!def )\b{re.escape(called_as)}\s*\(")
    naming = linker.first_party.naming_in_text(Words({called_as}), home.path, called)
    places = ((module, found.start()) for module in naming for found in called.finditer(module.code))
    return all(any(_is_in(place, module, each) for each in running) for module, place in places)


def _is_in(offset: int, module: Module, function: WorkerFunction) -> bool:
    return module is function.module and function.facts.span.start <= offset < function.facts.span.end
