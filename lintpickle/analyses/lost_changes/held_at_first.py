"""What an attribute of an object, a function or a class is at first, before workers change their copies of it."""

from __future__ import annotations

from typing import TypeAlias

from lintpickle.analyses.calls_and_values.function_objects import first_values
from lintpickle.analyses.loaders.own_changes import is_kept_by_copies
from lintpickle.analyses.lost_changes.attribute_changes import AttributeChange
from lintpickle.analyses.lost_changes.container_methods import FILLABLE, TAKING
from lintpickle.facts.records import Called, ItemStore, Store
from lintpickle.facts.values import Constant, Expr
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ConstantValue,
    ContainerValue,
    ExternalResult,
    FunctionValue,
    InstanceValue,
    PlainValue,
    ProductValue,
    Site,
    TracedValue,
)
from lintpickle.payload.linker import Linker

CopiedOwner: TypeAlias = InstanceValue | FunctionValue | ClassValue
"""What has attributes."""
HELD_NOTHING, AS_BEFORE = "it empty", "what it held before"
"""What the main process still sees, in words."""
_MAKING_PARTS = frozenset({"defaultdict", "Counter"})
"""Kinds of containers that make what is asked for."""


def held_at_first(owner: CopiedOwner, change: AttributeChange, linker: Linker) -> str | None:
    """What an attribute is at first, in words, if that is plain data that a copy does not share, and other than what
    the change gives it."""
    values = [traced.value for traced in values_at_first(owner, change.attribute, linker)]
    given = change.event.value if isinstance(change.event, Store) else None
    said = [_in_words(value, given) for value in values]
    if isinstance(change.event, ItemStore):
        if any(_may_hold_tensors(value, linker) for value in values):
            return None  # An operator may change a tensor in place, and copies of it may share memory.
        if change.is_of_part and any(map(_is_filled_elsewhere, values)):
            return None  # What it has in it is not seen.
        if PlainValue in map(type, values) and isinstance(owner, InstanceValue):
            return AS_BEFORE if is_kept_by_copies(change.attribute, owner, linker) else None  # An array.
    if isinstance(change.event, Called):
        if not all(isinstance(value, ContainerValue) for value in values):
            return None  # It may be a method of anything.
        if HELD_NOTHING in said and getattr(change.event.call.function, "name", None) in TAKING:
            return None
    return said[-1] if said and None not in said else None


def values_at_first(owner: CopiedOwner, attribute: str, linker: Linker) -> list[TracedValue]:
    """What construction has given an attribute, or else what the class has; of a function, what it is given where it is
    defined."""
    if isinstance(owner, FunctionValue):
        return first_values(owner, attribute, linker) if owner.bound is None else []
    if isinstance(owner, ClassValue):
        return list(linker.classes.class_attribute(owner, attribute, Site(owner.module, owner.facts.header)))
    held = [each for each in linker.classes.states.state(owner) if each.attribute == attribute and each.direct]
    if held:
        return [traced for each in held for traced in linker.evaluate(each.value, each.frame)]
    site = Site(owner.class_.module, owner.class_.facts.header)
    found = linker.classes.class_attribute(owner.class_, attribute, site)
    return [each for each in found if isinstance(each.value, ConstantValue)]


def _in_words(value: AbstractValue, given: Expr | None) -> str | None:
    match value:
        case ConstantValue(value=constant):
            is_same = isinstance(given, Constant) and (given.value == constant or given.value is None)
            return f"`{constant!r}`" if not is_same else None
        case ContainerValue(kind=kind, slots=slots) if kind in FILLABLE:
            return HELD_NOTHING if not slots else AS_BEFORE
        case _:
            return None


def _is_filled_elsewhere(value: AbstractValue) -> bool:
    return isinstance(value, ContainerValue) and not value.slots and value.kind not in _MAKING_PARTS


def _may_hold_tensors(value: AbstractValue, linker: Linker) -> bool:
    slots = value.slots if isinstance(value, ContainerValue) else ()
    held = (traced.value for slot in slots for traced in linker.evaluate(slot.value, slot.frame))
    return any(isinstance(each, (ExternalResult, PlainValue, ProductValue)) for each in held)
