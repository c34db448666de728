"""Look-ups by `id(…)` in workers: what crosses is a copy there, which has another id than the object that the main
process has put into the table.

Source: measured under all start methods with CPython 3.11: a forked worker has the objects at their old addresses."""

from __future__ import annotations

import ast
import re

from msgspec import Struct

from lintpickle.analyses.at_import.import_statements import path_called
from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS, defines, is_me
from lintpickle.analyses.calls_and_values.table_lookups import table_lookup
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Expr, Name, first_part_of, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, ContainerValue, InstanceValue, Site
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import root_name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_TAKING = re.compile(r"\bid\s*\(")
_AS_KEYS = re.compile(r"[{(\[]\s*\(?\s*id\s*\(")
_ID = "builtins.id"
_REBUILDING = (*REDUCERS, "__getstate__", "__setstate__")
_HANDLED = re.compile(r"\bexcept\b")


class LookedUpById(Struct, frozen=True):
    """A look-up by the id of an object, in a function of workers."""

    function: WorkerFunction
    span: Span
    filled: Site | None
    """Where the main process fills the table that crosses with the objects; None if that is not seen."""
    fails: bool
    """Whether what is not found there is an error."""


def looked_up_by_id(function: WorkerFunction, code: WorkerCode, linker: Linker) -> LookedUpById | None:
    """The first look-up by `id(…)` in a function of workers, in a table that it has not made itself, if code of the
    main process takes ids, too."""
    found = _TAKING.search(function.module.code, function.facts.header.end, function.facts.span.end)
    if found is None:
        return None
    nodes, span = list(within(function.frame.paths.tree)), Span(found.start(), found.end() - 1)
    keys = {
        name
        for node in nodes
        if isinstance(node, ast.Assign) and _is_id(node.value, function)
        for name in (each.id for each in node.targets if isinstance(each, ast.Name))
    }
    for node in nodes:
        looked_up = table_lookup(node)
        if looked_up is None or looked_up.is_removal or not _is_from_outside(looked_up.table, function):
            continue
        table, key = looked_up.table, looked_up.key
        if not _is_id(key, function) and not (isinstance(key, ast.Name) and key.id in keys):
            continue
        filled = _filled_by_main(table, function, code, linker)
        if filled is not None or (not isinstance(node, ast.Compare) and _takes_ids(function, code)):
            is_handled = _HANDLED.search(function.module.code, function.facts.header.end, function.facts.span.end)
            return LookedUpById(function, span, filled, bool(looked_up.error) and is_handled is None)
    return None


def _is_id(node: ast.expr, function: WorkerFunction) -> bool:
    return isinstance(node, ast.Call) and path_called(node.func, function.module) == _ID


def _is_from_outside(table: ast.expr, function: WorkerFunction) -> bool:
    """Whether a function has not made a table itself, as far as names tell."""
    name = root_name(table)
    return name is not None and name not in function.facts.variables


def _takes_ids(function: WorkerFunction, code: WorkerCode) -> bool:
    """Whether code of its module that no worker runs takes ids, too."""
    running = {id(each.facts) for each in code.functions}
    others = functions_of(function.module, _TAKING, lambda facts: id(facts) not in running)
    text = function.module.code
    return any(_TAKING.search(text, each.header.end, each.span.end) for each in others if not each.is_module_body)


def _filled_by_main(table: ast.expr, function: WorkerFunction, code: WorkerCode, linker: Linker) -> Site | None:
    """Where the main process alone fills a table by ids that crosses to the worker: an attribute of the object that the
    function is a method of, or a dictionary or set that is passed."""
    boundary = code.boundary
    if boundary is None or any(_stores_by_id(each.facts, each.module) for each in code.functions):
        return None
    match table:
        case ast.Attribute(value=ast.Name(id=me), attr=attribute) if _is_own(me, function):
            classes = [
                crossing.value.class_
                for crossing in linker.shipped_by(boundary)
                if isinstance(crossing.value, InstanceValue)
            ]
            return next(filter(None, (_filled_in(attribute, each, function, linker) for each in classes)), None)
        case ast.Name(id=name) if function.facts.parameter(name) is not None and function.entry:
            tables = (each for each in linker.shipped_by(boundary) if isinstance(each.value, ContainerValue))
            return next((each.site for each in tables if _has_ids(each.site, code, linker)), None)
        case _:
            return None


def _is_own(name: str, function: WorkerFunction) -> bool:
    facts = function.facts
    bound = function.frame.bindings.get(name)
    is_first = bool(facts.parameters) and facts.parameters[0].name == name
    return is_first and bound is not None and isinstance(bound.value, InstanceValue)


def _filled_in(attribute: str, class_: ClassValue, function: WorkerFunction, linker: Linker) -> Site | None:
    """Where a class, which has the function as a method and is pickled as it is, fills an attribute by ids."""
    line = linker.classes.mro(class_)
    own = [each for each in line if isinstance(each, ClassValue)]
    if not any(function.facts in each.facts.methods.values() for each in own) or defines(line, *_REBUILDING):
        return None
    for each in own:
        for method in each.facts.methods.values():
            for store in _stores_by_id(method, each.module):
                inner = without_narrowing(store.target)
                if isinstance(store, Store):
                    is_there = store.attribute == attribute and is_me(inner, method)
                else:
                    is_there = isinstance(inner, Attribute) and inner.name == attribute and is_me(inner.base, method)
                if is_there:
                    return Site(each.module, store.span)
    return None


def _has_ids(table: Site, code: WorkerCode, linker: Linker) -> bool:
    """Whether a dictionary or set is written with ids as its keys, or gets some where it is made."""
    text = table.module.code[table.span.start : table.span.end]
    if _AS_KEYS.match(text) is not None:
        return True
    return any(
        isinstance(store, ItemStore) and first_part_of(store.target).span == table.span
        for root in linker.activations_with({"id"}, _TAKING, code.root.site.module.path)
        if root.frame.module is table.module
        for store in _stores_by_id(root.function, table.module)
    )


def _stores_by_id(function: FunctionFacts, module: Module) -> list[ItemStore | Store]:
    """What a function stores under an id."""
    if _TAKING.search(module.code, function.header.end, function.span.end) is None:
        return []
    return [
        event
        for event in function.events
        if (isinstance(event, ItemStore) and _takes_id(event.key if event.key is not None else event.value))
        or (isinstance(event, Store) and _AS_KEYS.match(module.code, event.value.span.start) is not None)
    ]


def _takes_id(value: Expr) -> bool:
    inner = without_narrowing(value)
    return isinstance(inner, Call) and isinstance(inner.function, Name) and inner.function.name == "id"
