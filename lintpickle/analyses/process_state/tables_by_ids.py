"""Who fills a table by ids that an object has as its attribute, and of which objects the ids are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.caller_frames import frame_of_method, frames_of_calls
from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.analyses.calls_and_values.named_values import value_named
from lintpickle.analyses.process_state.ids_filed import FiledById, filed_by_id
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, ContainerValue, Frame, InstanceValue
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.program.module import Module

_MAKING = frozenset({"__init__", "__post_init__", "__new__"})
_MOST = 8
"""How many items of a container are looked at: they are mostly of one kind."""


class TableFilling(Struct, frozen=True):
    """A function that files something under an id, and where; the class whose method it is, if it is one."""

    function: FunctionFacts
    module: Module
    owner: ClassValue | None
    filed: FiledById
    place: Span


def fillings(attribute: str, holder: InstanceValue, code: WorkerCode, linker: Linker) -> list[TableFilling]:
    """Where a table of an object is filled under ids; nothing if workers fill it, too, or make it anew: what they do
    not find is then made there."""
    form = re.compile(rf"\.\s*{re.escape(attribute)}\b")
    renewed = re.compile(rf"{form.pattern}\s*(?::[^=\n]+)?=(?!=)")
    running = [each for each in code.functions if each.facts.name not in _MAKING]
    if any(renewed.search(each.module.code, each.facts.span.start, each.facts.span.end) for each in running):
        return []
    found = [*_by_methods(attribute, holder, linker), *_by_others(attribute, holder, form, code, linker)]
    ran = {id(each.facts) for each in running}
    return [] if any(id(each.function) in ran for each in found) else found


def _by_methods(attribute: str, holder: InstanceValue, linker: Linker) -> Iterator[TableFilling]:
    for owner in (each for each in linker.classes.mro(holder) if isinstance(each, ClassValue)):
        for method in owner.facts.methods.values():
            if method.parameters:
                yield from _in(method, owner.module, owner, f"{method.parameters[0].name}.{attribute}")


def _by_others(
    attribute: str, holder: InstanceValue, form: re.Pattern[str], code: WorkerCode, linker: Linker
) -> Iterator[TableFilling]:
    """The same by functions that are no methods of its class."""
    own = {id(each.facts) for each in linker.classes.mro(holder) if isinstance(each, ClassValue)}
    for root in linker.activations_with({attribute}, form, code.root.site.module.path):
        if root.owner is not None and id(root.owner.facts) in own:
            continue
        for each in _in(root.function, root.frame.module, None, None):
            table = each.filed.table
            if isinstance(table, ast.Attribute) and table.attr == attribute and dotted(table):
                values = linker.evaluate(value_named(table.value, root.frame), root.frame)
                objects = (found.value for found in values)
                if any(isinstance(one, InstanceValue) and one.class_.facts is holder.class_.facts for one in objects):
                    yield each


def _in(function: FunctionFacts, module: Module, owner: ClassValue | None, table: str | None) -> Iterator[TableFilling]:
    if "id" not in module.code[function.span.start : function.span.end]:
        return
    found = node_of(module, function)
    if found is None:
        return
    source, node = found
    for filed in filed_by_id(within(node), module):
        if table in (None, ast.unparse(filed.table)):
            yield TableFilling(function, module, owner, filed, source.span(filed.table))


def objects_filed(
    filling: TableFilling, holder: InstanceValue, code: WorkerCode, linker: Linker
) -> list[AbstractValue]:
    """What the objects can be whose ids a function files, as far as that is known."""
    frames = list[Frame]()
    if filling.owner is not None:
        own = frame_of_method((filling.owner, filling.function), holder, linker)
        frames += [own] if own is not None else []
    frames += frames_of_calls(filling.function, code.root.site.module.path, linker)
    return [each for frame in frames for each in _objects(filling.filed, frame, linker)]


def _objects(filed: FiledById, frame: Frame, linker: Linker) -> Iterator[AbstractValue]:
    written = filed.of if filed.of is not None else filed.object
    if not dotted(written):
        return
    for traced in linker.evaluate(value_named(written, frame), frame):
        if filed.of is None:
            yield traced.value
        elif isinstance(traced.value, ContainerValue):
            for slot in traced.value.slots[:_MOST]:
                yield from (each.value for each in linker.evaluate(slot.value, slot.frame))
