"""Small questions about values and the slots that containers hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from lintpickle.facts.values import Call, Constant, Expr, Item, parameter_name
from lintpickle.interpreter.abstract_values import (
    DOCUMENT,
    PLAIN,
    SOME_ITEM,
    UNKNOWN,
    AbstractValue,
    ConstantValue,
    ContainerValue,
    Done,
    Doubt,
    Frame,
    FunctionValue,
    GeneratorValue,
    InstanceValue,
    ModuleValue,
    ProductValue,
    Site,
    Slot,
    SlotKey,
    TracedValue,
)
from lintpickle.interpreter.iterators import ITERATOR, ITERATORS, given_by, given_by_view
from lintpickle.limits import ITEMS, STEPS, VALUES
from lintpickle.program.cuts import Cuts
from lintpickle.program.module import Module

MODULE_KINDS = frozenset({"module", "lightning-module"})
"""Kinds of classes that are torch modules."""
MODULE_CONTAINERS = frozenset({"Sequential", "ModuleList", "ModuleDict", "DataParallel", "DistributedDataParallel"})
"""Kinds of containers that are torch modules."""

OBJECT_DICT = "__dict__"
"""The kind of the dict of an object's attributes: which of them a function takes that goes over it is not known."""
DICTS = frozenset({OBJECT_DICT, "dict", "OrderedDict", "defaultdict", "Counter", "ChainMap", "UserDict", "EasyDict"})
"""Kinds of mappings that are no torch modules."""
_MAPPINGS = DICTS | {"ModuleDict", "ParameterDict"}


def not_replaced(slots: Iterable[Slot], later: Sequence[Slot]) -> list[Slot]:
    """What a mapping still holds when others have been put into it: not what it had under the same names."""
    names = {slot.key for slot in later if slot.is_item and isinstance(slot.key.item, str)}
    return [slot for slot in slots if slot.key not in names]


def in_any_of(mappings: Sequence[Sequence[Slot]]) -> Iterator[Slot]:
    """What a mapping holds that is made of one of several others: what only some of them have, it may do without."""
    keys = [{slot.key for slot in held} for held in mappings]
    for held in mappings:
        for slot in held:
            yield slot if all(slot.key in each for each in keys) else replace(slot, is_optional=True)


def without_repetitions(slots: Iterable[Slot]) -> Iterator[Slot]:
    """The slots of containers that are put together, each thing once: where `d = dict(d, one=1)` stands in branches,
    what `d` has been holds the same from the start."""
    seen = set[tuple[SlotKey, int, int, tuple[Done, ...]]]()
    for slot in slots:
        thing = (slot.key, id(slot.value), id(slot.frame), slot.done)
        if thing not in seen:
            seen.add(thing)
            yield slot


def elements_of(value: AbstractValue) -> Iterator[Slot]:
    """What iterating a value yields, as far as it can be seen."""
    match value:
        case ContainerValue(kind=kind) if is_mapping(kind):
            return  # Keys are no hazards.
        case ContainerValue(kind=kind) as iterator if kind in ITERATORS:
            yield from given_by(iterator)
        case ProductValue(product=product) if product.kind == "view":
            yield from given_by_view(value)
        case ProductValue(product=product, call=Call() as made, frame=Frame() as home) if product.kind == ITERATOR:
            yield Slot(SOME_ITEM, Item(made.span, made, None), home)
        case ContainerValue(kind="enum" | "flag", slots=(name, *_), call=Call() as made):
            yield Slot(SOME_ITEM, made, name.frame)  # Its members stand and fall with the class.
        case ContainerValue(slots=slots):
            yield from (Slot(SOME_ITEM, slot.value, slot.frame, slot.done) for slot in slots if slot.is_item)
        case GeneratorValue(element=element, frame=inner) if element is not None and inner is not None:
            yield Slot(SOME_ITEM, element, inner)
        case _:
            pass


def is_mapping(kind: str) -> bool:
    """Whether a container of that kind is a mapping: iterating it gives keys."""
    return kind == "**" or kind.rpartition(".")[2] in _MAPPINGS


def kept(call: Call, frame: Frame, dropped: Sequence[str] = ()) -> Iterator[Slot]:
    """The arguments that a call keeps, all but the keywords in `dropped`."""
    for index, argument in enumerate(call.arguments):
        if argument.keyword in dropped:
            continue
        if argument.star == "*":
            element = Item(argument.value.span, argument.value, None)
            yield Slot(SOME_ITEM, element, frame)
            continue
        key = SlotKey(item=index) if argument.keyword is None else SlotKey(attribute=argument.keyword)
        yield Slot(key, argument.value, frame)


def is_module(value: AbstractValue) -> bool:
    """A module among other values that a function returns is a lookup by name, whose result is not known."""
    return isinstance(value, ModuleValue) or (isinstance(value, ProductValue) and value.product.kind == "module")


def made_phrase(value: AbstractValue) -> str:
    """The wording in a trail for a module-level name that holds a value."""
    match value:
        case InstanceValue(class_=class_):
            return f"creates {class_.facts.name}"
        case FunctionValue(facts=facts) if facts.name == "<lambda>":
            return "a lambda, whatever name it is given"
        case _:
            return "is made here"


def kept_kind(path: str) -> str:
    """The kind of the container that a call which keeps its arguments makes."""
    last = path.rpartition(".")[2]
    return {"partial": "functools.partial", "OrderedDict": "collections.OrderedDict"}.get(last, last)


def collection_slots(elements: tuple[Expr, ...], frame: Frame) -> Iterator[Slot]:
    """The slots of a list, tuple or set display."""
    for index, element in enumerate(elements):
        starred = isinstance(element, Item) and element.is_starred
        yield Slot(SOME_ITEM if starred else SlotKey(item=index), element, frame)


def slot_key(key: Expr | AbstractValue | None) -> SlotKey | None:
    """How one gets at a slot by a constant, as it is written or evaluated; None for a key that is not known."""
    match key:
        case Constant(value=str() as name) | ConstantValue(value=str() as name):
            return SlotKey(item=name)
        case Constant(value=bool()) | ConstantValue(value=bool()):
            return None
        case Constant(value=int() as index) | ConstantValue(value=int() as index):
            return SlotKey(item=index)
        case _:
            return None


def counted(keys: tuple[SlotKey, ...], slots: tuple[Slot, ...]) -> tuple[SlotKey, ...]:
    """The keys with those that count from the end (`[-1]`) as the slots are called; none if that is not known."""
    if not any(map(_counts_from_end, keys)):
        return keys
    known = {slot.key for slot in slots}
    items = [slot.key for slot in slots if slot.is_item]
    if any(key in known for key in keys) or items != [SlotKey(item=index) for index in range(len(items))]:
        return keys if known.issuperset(keys) else ()
    return tuple(
        SlotKey(item=len(items) + key.item) if isinstance(key.item, int) and key.item < 0 else key for key in keys
    )


def _counts_from_end(key: SlotKey) -> bool:
    return isinstance(key.item, int) and key.item < 0


def excerpt(module: Module, value: Expr, limit: int = 60) -> str:
    """The source of an expression on one line, cut to `limit`."""
    name = parameter_name(value.base if isinstance(value, Item) and value.key is None else value)
    if name is not None:
        return name
    text = " ".join(module.document.text[value.span.start : value.span.end].split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def one_of(found: Sequence[TracedValue]) -> Sequence[TracedValue]:
    """The values one of which a value is. Which one does not matter if pickle can find none of them by its name."""
    if all(isinstance(each.value, FunctionValue) and each.value.is_nameless for each in found):
        return found
    return [each.doubted(Doubt.BRANCH) for each in found]


def gathered(slots: Iterable[Slot], cuts: Cuts) -> tuple[Slot, ...]:
    """What a container holds that is put together from others, each slot once, and no more than are worth following:
    `x = x + x` in recursive functions doubles them without end. Of others, it is known that there are any."""
    once = list(islice(dict.fromkeys(slots), ITEMS.most + 1))
    if len(once) > ITEMS.most:
        cuts.note(ITEMS)
        last = once[-1]
        once[-1] = Slot(SOME_ITEM, Expr(last.value.span), last.frame)
    return tuple(once)


def with_slots(traced: TracedValue, slots: Iterable[Slot], cuts: Cuts) -> TracedValue:
    """A container that holds more than it did; any other value as it is."""
    held = traced.value
    if not isinstance(held, ContainerValue):
        return traced
    return replace(traced, value=replace(held, slots=gathered((*held.slots, *slots), cuts)))


def distinct(found: Iterable[TracedValue], cuts: Cuts) -> Iterator[TracedValue]:
    """The values without repetitions, up to the limit (the rest becomes one unknown value); all plain data becomes one
    value, at the end: of a document, if all of it is."""
    seen: set[tuple[int, Site]] = set()
    plain: TracedValue | None = None
    count = 0
    for traced in found:
        if traced.value is PLAIN or traced.value is DOCUMENT:
            plain = traced if plain is None or plain.value is DOCUMENT is not traced.value else plain
            continue
        key = (id(traced.value), traced.site)
        if len(traced.hops) > STEPS.most:
            cuts.note(STEPS)
        elif key not in seen:
            seen.add(key)
            yield traced
        count += 1
        if count > VALUES.most:
            cuts.note(VALUES)
            yield TracedValue(UNKNOWN, traced.site)
            break
    if plain is not None:
        yield plain
