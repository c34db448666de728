"""Objects of modules whose classes derive from `dict`, `list` and the like: what main puts in is in its process alone,
as with a plain container."""

from __future__ import annotations

from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.interpreter.abstract_values import AbstractValue, ContainerValue, ExternalValue, InstanceValue
from lintpickle.interpreter.held import OWN_ITEMS
from lintpickle.interpreter.own_items import kind_of_items
from lintpickle.interpreter.slots import is_mapping
from lintpickle.payload.linker import Linker

_COUNTING = frozenset({"collections.Counter", "collections.defaultdict"})
_ANSWERING = ("__missing__", "__getitem__", "get")
"""The methods by which a class gives something of its own for a key that is not there."""


def has_own_items(value: AbstractValue, linker: Linker) -> bool:
    """Whether an object of the program holds items itself. For `migrate`."""
    is_object = linker.moving_to is not None and isinstance(value, InstanceValue)
    return is_object and kind_of_items(value, linker.classes) is not None


def has_no_items(value: AbstractValue, linker: Linker) -> bool:
    """Whether a container, or such an object, holds no items as it is made."""
    if isinstance(value, ContainerValue):
        return not value.slots
    if not isinstance(value, InstanceValue) or not has_own_items(value, linker):
        return False
    return not any(held.attribute == OWN_ITEMS for held in linker.classes.states.state(value))


def text_of_empty(owner: Owner, linker: Linker) -> str:
    """The text of an empty container that answers as the object does while that is empty; none if its class answers in
    its own way. Of a plain container, its own text."""
    if not isinstance(owner.value, InstanceValue) or not has_own_items(owner.value, linker):
        return owner.text
    line = linker.classes.mro(owner.value)
    is_counting = any(isinstance(each, ExternalValue) and each.path in _COUNTING for each in line)
    if is_counting or any(linker.classes.find_method(owner.value, name) is not None for name in _ANSWERING):
        return ""
    kind = kind_of_items(owner.value, linker.classes)
    return "{}" if kind is not None and is_mapping(kind) else "[]"
