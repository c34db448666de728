"""What objects of `operator` do with what they are given: `methodcaller("run", 3)` calls a method of it,
`attrgetter("last", "run.result")` reads attributes."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.values import Constant
from lintpickle.interpreter.abstract_values import AbstractValue, ContainerValue, InstanceValue, Site
from lintpickle.payload.protocols import LinkedProgram

_METHOD_CALLER, _ATTRIBUTE_GETTER = "methodcaller", "attrgetter"
"""The kinds of such objects."""


def is_getter(value: AbstractValue) -> bool:
    """Whether a value is such an object."""
    return isinstance(value, ContainerValue) and value.kind in (_METHOD_CALLER, _ATTRIBUTE_GETTER)


def names_got(getter: AbstractValue) -> Iterator[tuple[str, ...]]:
    """The method, or each of the attributes, by the names that lead to it."""
    match getter:
        case ContainerValue(kind=kind, slots=slots) if is_getter(getter):
            for slot in slots:
                is_named = slot.key.item == 0 or (kind == _ATTRIBUTE_GETTER and slot.key.attribute is None)
                if is_named and isinstance(slot.value, Constant) and isinstance(slot.value.value, str):
                    yield tuple(slot.value.value.split("."))
        case _:
            pass


def is_of_properties(getter: AbstractValue) -> bool:
    """Whether such an object runs nothing but properties."""
    return isinstance(getter, ContainerValue) and getter.kind == _ATTRIBUTE_GETTER


def objects_led_to(
    instance: InstanceValue, names: tuple[str, ...], site: Site, linker: LinkedProgram
) -> Iterator[InstanceValue]:
    """The objects to which attributes of these names lead, one after the other, from an object."""
    if not names:
        yield instance
        return
    for traced in linker.classes.instance_attribute(instance, names[0], site):
        if isinstance(traced.value, InstanceValue):
            yield from objects_led_to(traced.value, names[1:], site, linker)
