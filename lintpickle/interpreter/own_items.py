"""The items of objects whose classes derive from `dict`, `list` and the like: pickle ships them too."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from msgspec.structs import replace

from lintpickle.facts.records import ItemStore
from lintpickle.facts.values import Super, merged_mapping
from lintpickle.interpreter.abstract_values import (
    SOME_ITEM,
    AbstractValue,
    ClassValue,
    ContainerValue,
    ExternalValue,
    InstanceValue,
    Slot,
    SlotKey,
    TracedValue,
)
from lintpickle.interpreter.held import OWN_ITEMS
from lintpickle.interpreter.protocols import ClassQueries, Interpreter
from lintpickle.interpreter.slots import is_mapping
from lintpickle.parsing.syntax import MERGING_METHODS, PUTTING_METHODS

_KINDS = {
    "builtins.dict": "dict",
    "typing.Dict": "dict",
    "collections.Counter": "dict",
    "collections.OrderedDict": "dict",
    "collections.UserDict": "dict",
    "collections.defaultdict": "defaultdict",
    "builtins.list": "list",
    "collections.UserList": "list",
    "typing.List": "list",
    "builtins.set": "set",
    "collections.deque": "deque",
}
_METHODS = {
    **{kind: frozenset(dir(dict)) for kind in ("dict", "defaultdict")},
    **{each.__name__: frozenset(dir(each)) for each in (list, set, deque)},
}
"""The methods of each kind: what another is called puts in nothing."""
FACTORY = SlotKey(attribute="default_factory")
"""Where a `defaultdict` holds what makes its items."""
_PUTTING_UNDER_KEYS = ("__setitem__", "setdefault", *MERGING_METHODS)
_PUTTING = ("__setitem__", *PUTTING_METHODS, *MERGING_METHODS)


def kind_of_items(value: AbstractValue, classes: ClassQueries) -> str | None:
    """The kind of container that an object is, by what its class derives from; None of all others."""
    line = classes.mro(value) if isinstance(value, (InstanceValue, ClassValue)) else ()
    return next((_KINDS[each.path] for each in line if isinstance(each, ExternalValue) and each.path in _KINDS), None)


def is_container(class_: AbstractValue) -> bool:
    """Whether a value is one of the classes whose objects hold items."""
    return isinstance(class_, ExternalValue) and class_.path in _KINDS


def puts_plainly(event: ItemStore, instance: InstanceValue, owner: ClassValue, classes: ClassQueries) -> bool:
    """Whether what a method puts into its own object gets there: no class that is read does it in its own way."""
    after = owner if isinstance(event.target, Super) else None
    putting = _PUTTING if event.key is None else _PUTTING_UNDER_KEYS
    own = _METHODS.get(kind_of_items(instance, classes) or "", frozenset(putting))
    return all(classes.find_method(instance, name, after=after) is None for name in own.intersection(putting))


def as_container(instance: InstanceValue, evaluator: Interpreter) -> TracedValue | None:
    """The container that an object is, as what reads its items sees it; None of one that is none. It may hold other
    items than those that are seen to be put into it."""
    kind = kind_of_items(instance, evaluator.classes)
    if kind is None or instance.call is None or instance.frame is None:
        return None
    held = [each for each in evaluator.classes.states.state(instance) if each.attribute == OWN_ITEMS]
    slots: list[Slot] = []
    for each in held:
        merged = merged_mapping(each.value)
        key = each.key or SOME_ITEM
        if merged is not None:
            found = evaluator.evaluate(merged, each.frame)
            slots += [slot for traced in found for slot in items_of(traced.value, kind, evaluator)]
        elif key != FACTORY:
            slots.append(Slot(key, each.value, each.frame, each.done))
    site = next((each.site for each in held), None)
    if site is None:
        return None
    container = ContainerValue("dict" if is_mapping(kind) else kind, tuple(slots), instance.call)
    doubts = tuple(dict.fromkeys(doubt for each in held for doubt in each.doubts))
    return TracedValue(container, site, doubts=doubts)


def as_read(traced: TracedValue, method: str, evaluator: Interpreter) -> TracedValue:
    """An object as the container that it is, for a method that its class has from `dict` or `list`; any other value as
    it is."""
    if not isinstance(traced.value, InstanceValue) or evaluator.classes.find_method(traced.value, method) is not None:
        return traced
    found = as_container(traced.value, evaluator)
    return traced if found is None else replace(found, site=traced.site).by_way_of(traced)


def items_of(value: AbstractValue, kind: str, evaluator: Interpreter) -> Iterator[Slot]:
    """The items that a container of a kind gets from a value that it is to hold the items of."""
    match value:
        case ContainerValue(kind=held, slots=slots) if is_mapping(kind):
            if is_mapping(held):
                yield from (slot for slot in slots if slot.is_item)
        case _ if not is_mapping(kind):
            yield from evaluator.elements(value)
        case _:
            pass
