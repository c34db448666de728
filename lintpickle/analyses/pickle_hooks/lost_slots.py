"""Slots that a `__getstate__` leaves out because it returns only the `__dict__`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import stores_of
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Collection, Constant
from lintpickle.interpreter.abstract_values import ClassValue, ExternalValue
from lintpickle.interpreter.plain_bases import BARE_BASES
from lintpickle.interpreter.protocols import Ancestor

_FROM_DICT = r"\b{me}\.__dict__|\bvars\({me}\)"
_MENTIONS_SLOTS = re.compile(r"__slots__|getattr\(|super\(\)|copyreg")
"""What may bring the slots into the state."""


class LostSlot(Struct, frozen=True):
    """A slot that is not in the state, and the attribute whose lack is noticed first: `__dict__` if objects have
    none."""

    slot: str
    missed: str


def lost_slot(class_: ClassValue, line: tuple[Ancestor, ...], method: FunctionFacts) -> LostSlot | None:
    """The first slot of a hierarchy that a constructor fills and the `__getstate__` of its first class leaves out."""
    text = class_.module.code[method.span.start : method.span.end]
    me = re.escape(method.parameters[0].name)
    if not re.search(_FROM_DICT.format(me=me), text) or _MENTIONS_SLOTS.search(text):
        return None
    classes = tuple(each for each in line if isinstance(each, ClassValue))
    restoring = "".join(
        each.module.code[found.span.start : found.span.end]
        for each in classes
        if (found := each.facts.methods.get("__setstate__")) is not None
    )
    for slot in _slots(classes):
        is_stored = any(function.name == "__init__" for function, _ in stores_of(classes, slot))
        if is_stored and not re.search(rf"\b{re.escape(slot)}\b", text + restoring):
            return LostSlot(slot, slot if _has_dict(line) else "__dict__")
    return None


def _slots(line: tuple[ClassValue, ...]) -> Iterator[str]:
    """The literal names of the slots of a hierarchy, without `__dict__` and `__weakref__`."""
    for each in line:
        value = each.facts.body.get("__slots__")
        elements = value.elements if isinstance(value, Collection) else (value,)
        for element in elements:
            if isinstance(element, Constant) and isinstance(element.value, str) and not element.value.startswith("__"):
                yield from element.value.replace(",", " ").split()


def _has_dict(line: tuple[ClassValue | ExternalValue, ...]) -> bool:
    """Whether objects have a `__dict__` beside their slots: a class of the hierarchy has no slots, or names it."""
    for each in line:
        if isinstance(each, ExternalValue):
            if each.path not in BARE_BASES:
                return True
            continue
        value = each.facts.body.get("__slots__")
        if value is None or "__dict__" in each.module.code[value.span.start : value.span.end]:
            return True
    return False
