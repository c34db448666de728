"""The parts of an object: by which attributes and items an expression leads to one, and what was done to each."""

from __future__ import annotations

import ast
from collections.abc import Callable

from msgspec.structs import replace

from lintpickle.facts.records import Called, Delete, ItemStore
from lintpickle.facts.values import (
    Argument,
    Attribute,
    Call,
    Collection,
    Comprehension,
    Constant,
    Expr,
    Item,
    Mapping,
    Name,
    Sum,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    SOME_ITEM,
    ContainerValue,
    Done,
    Doubt,
    InstanceValue,
    Slot,
    SlotKey,
    TracedValue,
    joined,
)
from lintpickle.interpreter.slots import is_mapping, slot_key

EACH = SOME_ITEM.label
"""The step to each item that iterating a container gives."""
_EACH_VALUE = "[…: …]"
"""The step to each value of a mapping."""
_ONE = "[?]"
"""The step to one item, which one is not known."""
CALLING = "__call__"
"""The method that is meant where an object is called itself."""
PUTTING = "__setitem__"
"""The method that is meant where a container itself gets an item."""
_CALLS_ITS_ITEMS = frozenset({"Sequential", "DataParallel", "DistributedDataParallel"})
"""Kinds of containers that call what they hold when they are called."""
_THROUGH = frozenset({"list", "tuple", "sorted", "reversed", "set", "iter", "enumerate"})
"""Functions that give the items of what they are given, or pairs with them."""


def part_of(value: Expr) -> tuple[Expr, tuple[str, ...]]:
    """What a chain of attributes and items begins with, and the steps: `("rules", "[…]", "regex")` for `rule.regex` in
    a loop over `self.rules`."""
    steps: list[str] = []
    value = without_narrowing(value)
    while isinstance(value, (Attribute, Item)):
        if isinstance(value, Attribute):
            step, value = value.name, value.base
        else:
            step, value = item_step(value)
        if step:
            steps.append(step)
        value = without_narrowing(value)
    return value, tuple(reversed(steps))


def item_step(item: Item) -> tuple[str, Expr]:
    """The step that an item makes, none for a slice, and the container: of a loop over `enumerate(…)`, `x.values()`,
    `x.items()` and the like, the one that these are given."""
    match item:
        case Item(base=held, key=Constant(value=value)) if value is ...:
            return "", held
        case Item(
            base=Item(base=Call(function=Attribute(base=held, name="items"), arguments=()), key=None),
            key=Constant(value=1),
        ):
            return _EACH_VALUE, held
        case Item(base=Call(function=Attribute(base=held, name="values"), arguments=()), key=None):
            return _EACH_VALUE, held
        case Item(
            base=Item(base=Call(function=Name(name="enumerate"), arguments=(Argument(value=held), *_)), key=None),
            key=Constant(value=1),
        ):
            return EACH, held
        case Item(base=Call(function=Name(name=name), arguments=(Argument(value=held),)), key=None) if name in _THROUGH:
            return EACH, held
        case Item(base=held, key=None):
            return EACH, held
        case Item(base=held, key=key):
            known = slot_key(key)
            return known.label if known is not None else _ONE, held


def is_item_step(step: str) -> bool:
    """Whether a step leads to an item, not an attribute."""
    return step.startswith("[")


def place_in(container: Expr, is_it: Callable[[Expr], bool]) -> SlotKey | None:
    """Under which key a container that is written out holds what is sought; None if it does not."""
    match without_narrowing(container):
        case Collection(elements=elements):
            return next((SlotKey(item=index) for index, each in enumerate(elements) if is_it(each)), None)
        case Mapping(items=items):
            held = (slot_key(key) for key, each in items if key is not None and is_it(each))
            return next((key or SOME_ITEM for key in held), None)
        case Comprehension(element=element) if is_it(element):
            return SOME_ITEM
        case Sum(parts=(first, *others)):
            added = SOME_ITEM if any(place_in(each, is_it) for each in others) else None
            return place_in(first, is_it) or added
        case _:
            return None


def done_within(done: Done, key: SlotKey, is_in_mapping: bool | None) -> Done | None:
    """What something that is done to parts of a container does to what stands in it under a key; None if nothing.
    `is_in_mapping` is None if that is not known."""
    if not done.path:
        return None
    step, *rest = done.path
    if key.attribute is not None:
        leads = step == key.attribute
    elif step == EACH:
        leads = not is_in_mapping
    elif step == _EACH_VALUE:
        leads = is_in_mapping is not False
    else:
        leads = step in (key.label, _ONE) or (key == SOME_ITEM and is_item_step(step))
    if not leads:
        return None
    is_sure = step in (key.attribute, EACH, _EACH_VALUE) or (step == key.label and step != EACH)
    doubts = done.doubts if is_sure else joined(done.doubts, (Doubt.BRANCH,))
    return replace(done, path=tuple(rest), doubts=doubts, to_each=step in (EACH, _EACH_VALUE))


def after_all(traced: TracedValue, done: tuple[Done, ...]) -> TracedValue:
    """A value after what was done to it and to its parts."""
    match traced.value if done else None:
        case InstanceValue() as made:
            others = tuple(each for each in done if each.method != PUTTING)
            return replace(traced, value=replace(made, done=(*made.done, *others)))
        case ContainerValue(kind=kind) if kind in _CALLS_ITS_ITEMS and any(map(_is_call, done)):
            return after_all(traced, tuple(replace(each, path=(EACH,)) if _is_call(each) else each for each in done))
        case ContainerValue(kind=kind, slots=slots) as container:
            gone = {key for each in done if (key := key_lost(each)) is not None} if is_mapping(kind) else ()
            changed = tuple(_slot_after(slot, done, is_mapping(kind)) for slot in slots if slot.key not in gone)
            return replace(traced, value=replace(container, slots=changed)) if changed != slots else traced
        case _:
            return traced


def key_lost(done: Done) -> SlotKey | None:
    """The name under which a mapping surely holds nothing more of what it has held, if that is what is done to it:
    `table["log"] = None`, `del table["log"]`, `table.pop("log")` whose result is not kept."""
    if done.path or done.doubts or done.event.conditional:
        return None
    match done.event:
        case ItemStore(key=Constant(value=str() as name)) if done.method == PUTTING:
            return SlotKey(item=name) if _is_statement(done, "update") else None  # not so `setdefault`
        case Called(call=Call(arguments=(Argument(value=Constant(value=str() as name)), *_))) if done.method == "pop":
            return SlotKey(item=name) if _is_statement(done, "pop") else None
        case Delete(attribute=name) if name.startswith("["):
            return SlotKey(item=name[1:-1])
        case _:
            return None


def _is_statement(done: Done, method: str) -> bool:
    """Whether something is done by an assignment, or by the call of a method that is a statement of its own."""
    match done.frame.paths.statement(done.event.span.start):
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))):
            return name == method
        case ast.Assign() | ast.AnnAssign():
            return isinstance(done.event, ItemStore)
        case _:
            return False


def _is_call(done: Done) -> bool:
    return not done.path and done.method == CALLING


def _slot_after(slot: Slot, done: tuple[Done, ...], is_in_mapping: bool) -> Slot:
    inner = tuple(within for each in done if (within := done_within(each, slot.key, is_in_mapping)) is not None)
    return replace(slot, done=(*slot.done, *inner)) if inner else slot
