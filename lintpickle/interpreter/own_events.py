"""The events of a method that can do anything to its object: most only read it, or concern other things."""

from __future__ import annotations

from collections.abc import Sequence

from lintpickle.facts.records import Called, Delete, Event, FunctionFacts, Implied, ItemStore, PartRead, Store
from lintpickle.facts.values import Attribute, Call, Choice, Expr, Item, Parameter, Super, mentions_parameter
from lintpickle.interpreter.parts import part_of
from lintpickle.interpreter.stores import stored_on
from lintpickle.limits import Limit


class OwnEvents:
    """Remembers them, for one evaluator: many objects are built by one constructor."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str], tuple[FunctionFacts, tuple[Event, ...]]] = {}
        self._stores: dict[int, tuple[FunctionFacts, dict[str, list[Store]]]] = {}

    def of(self, function: FunctionFacts, me: str) -> tuple[Event, ...]:
        """The events of a function that can do something to the object that its parameter `me` is: stores and deletions
        on it and on its parts, calls of its methods, calls that are given it or one of them, and calls of what may be
        one of its methods."""
        key = (id(function), me)
        if key not in self._known:
            self._known[key] = (function, tuple(event for event in function.events if _concerns(event, me)))
        return self._known[key][1]

    def stores_in(self, function: FunctionFacts, attribute: str) -> Sequence[Store]:
        """The stores of a function in an attribute of that name, of whatever object."""
        if id(function) not in self._stores:
            found: dict[str, list[Store]] = {}
            for event in function.events:
                if isinstance(event, Store):
                    found.setdefault(event.attribute, []).append(event)
            self._stores[id(function)] = (function, found)
        return self._stores[id(function)][1].get(attribute, ())


def _concerns(event: Event, me: str) -> bool:
    match event:
        case ItemStore(target=Super()):
            return True
        case Store() | ItemStore():
            target = stored_on(event) or event.target
            return _is_part_of(target, me)
        case Delete(target=target) | Implied(target=target) | PartRead(target=target):
            return _is_part_of(target, me)
        case Called(call=call):
            return _is_given(call, me) or _may_be_method(call.function, me)
        case _:
            return False


def _is_given(call: Call, me: str) -> bool:
    return any(_is_part_of(each.value, me) for each in call.arguments)


def _may_be_method(function: Expr, me: str) -> bool:
    """Whether what is called may be a method of the object, or of a part of it."""
    match function:
        case Attribute(base=Super()):
            return True
        case Attribute(base=base):
            return _is_part_of(base, me)
        case Parameter():
            return is_the_object(function, me)
        case Call() | Item() | Choice():
            cut: list[Limit] = []
            return mentions_parameter(function, None, cut.append) or bool(cut)
        case _:
            return False


def _is_part_of(value: Expr, me: str) -> bool:
    return is_the_object(part_of(value)[0], me)


def is_the_object(value: Expr, me: str) -> bool:
    """Whether an expression is the parameter that is the object."""
    return isinstance(value, Parameter) and value.name == me
