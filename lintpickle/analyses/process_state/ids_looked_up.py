"""Tables by the ids of objects that are pickled together with the objects, and asked in the worker.

Measured with CPython 3.11 under fork, spawn and forkserver: what is unpickled has another id than what was pickled, and
the table keeps the numbers of the process that filled it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import external_bases, known_ancestors, node_of
from lintpickle.analyses.calls_and_values.named_values import value_named
from lintpickle.analyses.calls_and_values.table_lookups import table_lookup
from lintpickle.analyses.process_state.ids_filed import ids_in, looped_over_by
from lintpickle.analyses.process_state.tables_by_ids import TableFilling, fillings, objects_filed
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Name, options_of, rooted
from lintpickle.fixes.state_hooks import STATE_HOOKS
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    Site,
)
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import dotted, is_special_name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_TAKING = re.compile(r"\bid\s*\(")
_SAME = ("__reduce__", "__reduce_ex__", "__new__", "__getnewargs__")
"""Methods by which a class may see to it that its object arrives as one that is there already."""
_ENUM = "enum."
_BY_REFERENCE = (FunctionValue, ClassValue, ModuleValue, ExternalValue)
"""What is pickled by its name: forked workers have the same object, with the same id."""


class IdLookedUp(Struct, frozen=True):
    """Where a worker looks for an id in a table, as it is written there, and where that is filled; the error, if there
    is one, whether the id is surely that of something that is pickled by its value, and whether a module has it, so
    that forked workers have the object itself."""

    function: WorkerFunction
    span: Span
    table: str
    filled: Site
    error: str
    is_sure: bool
    is_inherited: bool


class _Asked(Struct, frozen=True):
    """An expression that looks for the id of an object in a table, which is an attribute of something."""

    node: ast.expr
    table: ast.Attribute
    object: ast.expr
    error: str


def ids_looked_up(code: WorkerCode, linker: Linker) -> Iterator[IdLookedUp]:
    """The first place at which each function of workers looks for the id of a copy in a table that only the main
    process fills, in an object that crosses."""
    if code.boundary is None:
        return
    told = set[int]()
    for function in code.functions:
        module, facts = function.module, function.facts
        if not module.first_party or id(facts) in told:
            continue
        if _TAKING.search(module.code, facts.header.end, facts.span.end) is not None:
            found = next(_in_function(function, code, linker), None)
            if found is not None:
                told.add(id(facts))
                yield found


def _in_function(function: WorkerFunction, code: WorkerCode, linker: Linker) -> Iterator[IdLookedUp]:
    found = node_of(function.module, function.facts)
    if found is None:
        return
    source, node = found
    nodes = [*within(node)]
    for asked in _asked(nodes, ids_in(nodes, function.module)):
        holder = _holder(asked.table.value, function, code, linker)
        filled = fillings(asked.table.attr, holder, code, linker) if holder is not None else []
        if holder is None or not filled:
            continue
        things = [each for filling in filled for each in objects_filed(filling, holder, code, linker)]
        things += _values(asked.object, function, linker)
        if any(isinstance(each, _BY_REFERENCE) or _arrives_as_itself(each, linker) for each in things):
            continue
        is_sure = any(isinstance(each, InstanceValue) for each in things) or _has_attributes(asked.object, nodes)
        yield IdLookedUp(
            function,
            source.span(asked.node),
            ast.unparse(asked.table),
            _first(filled),
            asked.error,
            is_sure,
            _is_of_module(asked.object, nodes, function),
        )


def _asked(nodes: list[ast.AST], ids: dict[int, ast.expr]) -> Iterator[_Asked]:
    for node in nodes:
        found = table_lookup(node)
        object_ = ids.get(id(found.key)) if found is not None else None
        if found is not None and object_ is not None and isinstance(found.table, ast.Attribute):
            yield _Asked(found.node, found.table, object_, found.error)


def _holder(written: ast.expr, function: WorkerFunction, code: WorkerCode, linker: Linker) -> InstanceValue | None:
    """The object that has the table, if it crosses, and its class does not say how it is pickled."""
    values = _values(written, function, linker) if dotted(written) else []
    holders = [each for each in values if isinstance(each, InstanceValue)]
    if not holders or len(holders) < len(values) or code.boundary is None:
        return None
    sent = [each.value for each in linker.shipped_by(code.boundary)]
    for holder in holders:
        if any(linker.classes.find_method(holder, name) is not None for name in STATE_HOOKS):
            return None
        shipped = (each for each in sent if isinstance(each, InstanceValue) and each.call is holder.call)
        if not any(each.class_.facts is holder.class_.facts for each in shipped):
            return None
    return holders[0]


def _values(written: ast.expr, function: WorkerFunction, linker: Linker) -> list[AbstractValue]:
    if not dotted(written) or not isinstance(written, ast.Name | ast.Attribute):
        return []
    frame = function.frame
    return [each.value for each in linker.evaluate(value_named(written, frame), frame)]


def _arrives_as_itself(value: AbstractValue, linker: Linker) -> bool:
    """Whether a class has its say in how its object is made again: it may be one that is there already."""
    if not isinstance(value, InstanceValue):
        return False
    line = known_ancestors(value.class_, linker.classes)
    is_member = line is None or any(path.startswith(_ENUM) for path in external_bases(line))
    return is_member or any(linker.classes.find_method(value, name) is not None for name in _SAME)


def _has_attributes(object_: ast.expr, nodes: Iterable[ast.AST]) -> bool:
    """Whether a function reads attributes of an object, as one does of no function."""
    written = ast.unparse(object_)
    return any(
        isinstance(each, ast.Attribute) and not is_special_name(each.attr) and ast.unparse(each.value) == written
        for each in nodes
    )


def _is_of_module(object_: ast.expr, nodes: Iterable[ast.AST], function: WorkerFunction) -> bool:
    """Whether an object is a global, or an item of one."""
    facts, name = function.facts, dotted(object_).partition(".")[0]
    names = {name, *(dotted(each).partition(".")[0] for each in looped_over_by(name, nodes))}
    variables = [facts.variables[each] for each in sorted(names & facts.variables.keys())]
    roots = [rooted(each)[0] for variable in variables for each in options_of(variable)]
    return any(isinstance(each, Name) for each in roots) or not names.isdisjoint(facts.reads)


def _first(filled: list[TableFilling]) -> Site:
    return Site(filled[0].module, filled[0].place)
