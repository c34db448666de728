"""What iterators of the standard library give, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.values import Argument, Attribute, Call, Collection, Expr, Imported, Item
from lintpickle.interpreter.abstract_values import SOME_ITEM, ContainerValue, Frame, ProductValue, Slot
from lintpickle.parsing.imports import ImportedName

ITERATOR = "iterator"
"""The kind of those, and of the iterators of libraries that cannot be pickled themselves."""
ITERATORS = frozenset({ITERATOR, "chain", "repeat"})
"""The kinds of containers that are iterators; `slots` are what they were made of."""
_OF_FIRST = frozenset({"reversed", "islice", "cycle", "compress"})
_OF_SECOND = frozenset({"filter", "filterfalse", "takewhile", "dropwhile"})
_SIDE_BY_SIDE = frozenset({"zip", "zip_longest", "product"})
_GROUP = ImportedName("itertools", "_grouper")
"""The iterator over one group of what `itertools.groupby` goes through."""
_NEIGHBOURS = frozenset({"pairwise", "permutations", "combinations", "combinations_with_replacement"})


def given_by(iterator: ContainerValue) -> Iterator[Slot]:
    """What an iterator gives, by the function that made it and what that was given; nothing if it is not known."""
    slots = iterator.slots
    values = [slot.value for slot in slots if slot.key != SOME_ITEM]
    if iterator.gives is not None and slots:
        yield _slot(iterator.gives, slots[0])
        return
    if iterator.made_by == "chain":
        yield from (_slot(some_element(slot.value), slot) for slot in slots)
        return
    if not slots or len(values) < len(slots):
        return
    match iterator.made_by, values:
        case "repeat", [value, *_]:
            yield _slot(value, slots[0])
        case "chain.from_iterable", [value]:
            yield _slot(some_element(some_element(value)), slots[0])
        case "enumerate", [value, *_]:
            yield _slot(_tuple(Expr(value.span), some_element(value)), slots[0])
        case "groupby", [value, *_]:
            at = iterator.call.span if iterator.call is not None else value.span
            yield _slot(_tuple(Expr(at), Call(at, Imported(at, _GROUP), ())), slots[0])
        case "iter", [value]:
            yield _slot(some_element(value), slots[0])
        case name, [value, *_] if name in _OF_FIRST:
            yield _slot(some_element(value), slots[0])
        case name, [_, value] if name in _OF_SECOND:
            yield _slot(some_element(value), slots[0])
        case name, _ if name in _SIDE_BY_SIDE:
            yield _slot(_tuple(*map(some_element, values)), slots[0])
        case name, [value, *_] if name in _NEIGHBOURS:
            yield _slot(_tuple(some_element(value), some_element(value)), slots[0])
        case _:
            pass


def called_for_each(name: str, call: Call) -> Call | None:
    """The call that `map` or `starmap` makes for each thing that it gives; None if others make none."""
    match name, call.positional():
        case "map", (function, *iterables) if iterables and not any(each.keyword for each in call.arguments):
            return Call(call.span, function, tuple(Argument(some_element(each)) for each in iterables))
        case "starmap", (function, rows):
            return Call(call.span, function, (Argument(some_element(rows), star="*"),))
        case _:
            return None


def given_by_view(view: ProductValue) -> Iterator[Slot]:
    """The same for a view of a dict, whose keys are no hazards."""
    match view:
        case ProductValue(call=Call(function=Attribute(base=base, name=name)), frame=Frame() as frame):
            if name == "values":
                yield Slot(SOME_ITEM, _any_item(base), frame)
            elif name == "items":
                yield Slot(SOME_ITEM, _tuple(Expr(base.span), _any_item(base)), frame)
        case _:
            pass


def gone_through(view: Slot) -> Slot:
    """What an iterator keeps of a view of a dict that it is given: its elements cross, the view does not. (Measured
    with CPython 3.11: `enumerate(held.items())` pickles, and is a list of them then.)"""
    value = view.value
    element = Item(value.span, value, None, is_starred=True)
    return Slot(view.key, Collection(value.span, "list", (element,)), view.frame)


def some_element(value: Expr) -> Expr:
    """Any of the elements of what can be gone through."""
    return Item(value.span, value, None)


def _any_item(value: Expr) -> Expr:
    return Item(value.span, value, Expr(value.span))


def _tuple(*elements: Expr) -> Expr:
    return Collection(elements[0].span, "tuple", elements)


def _slot(value: Expr, slot: Slot) -> Slot:
    return Slot(SOME_ITEM, value, slot.frame)
