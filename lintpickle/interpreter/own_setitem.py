"""What an attribute holds if it may be an object of a class that stores items in its own way: a `__setitem__` that
hands on only `item["data"]` keeps another value than the one that is put in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintpickle.facts.records import Called, Event, FunctionFacts, ItemStore
from lintpickle.facts.values import Attribute, Expr, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import InstanceValue
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.protocols import Interpreter


def without_changed_items(held: Sequence[Held], evaluator: Interpreter) -> Sequence[Held]:
    """What stores give an attribute, but for the items that are put into what it holds if that may be an object whose
    class stores others in their place."""
    if all(each.key is None for each in held):
        return held
    kept = [each for each in held if each.key is None]
    return kept if any(_may_change_items(each, evaluator) for each in kept) else held


def _may_change_items(held: Held, evaluator: Interpreter) -> bool:
    for traced in evaluator.given(held.value, held.frame):
        is_object = isinstance(traced.value, InstanceValue)
        found = evaluator.classes.find_method(traced.value, "__setitem__") if is_object else None
        if found is not None and not _hands_on(found[1]):
            return True
    return False


def _hands_on(method: FunctionFacts) -> bool:
    """Whether a `__setitem__` gives the very value that it gets to something else: `super().__setitem__(key, item)`."""
    name = method.parameters[2].name if len(method.parameters) > 2 else ""
    return any(_is_parameter(each, name) for event in method.events for each in _given(event))


def _given(event: Event) -> Iterator[Expr]:
    """What an event puts into a container, or into an object."""
    match event:
        case ItemStore(value=value):
            yield value
        case Called(call=call) if isinstance(call.function, Attribute):
            yield from (argument.value for argument in call.arguments)
        case _:
            pass


def _is_parameter(value: Expr, name: str) -> bool:
    inner = without_narrowing(value)
    return isinstance(inner, Parameter) and inner.name == name
