"""What going over an object of the program gives: its class has an `__iter__` or `__aiter__`, or it is an enumeration,
which gives its members."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.values import Name
from lintpickle.interpreter.abstract_values import (
    SOME_ITEM,
    AbstractValue,
    ClassValue,
    Frame,
    InstanceValue,
    Site,
    Slot,
    TracedValue,
)
from lintpickle.interpreter.iterators import some_element
from lintpickle.interpreter.made_classes import makes_members
from lintpickle.interpreter.own_items import as_read
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.slots import elements_of
from lintpickle.interpreter.taken import taken_returns

_AWAITED = frozenset({"__aiter__", "__anext__"})
"""Special methods of which `async for` waits for what they give."""


def elements_in(value: AbstractValue, evaluator: Interpreter) -> Iterator[Slot]:
    """What iterating a value yields, as far as it can be seen."""
    if isinstance(value, ClassValue):
        yield from _members(value, evaluator)
        return
    if not isinstance(value, InstanceValue):
        yield from elements_of(value)
        return
    frame = _frame_of("__iter__", value, evaluator) or _frame_of("__aiter__", value, evaluator)
    if frame is None:
        own = as_read(TracedValue(value, Site(value.class_.module, value.class_.facts.header)), "__iter__", evaluator)
        yield from elements_of(own.value)
        return
    if frame.function.is_generator:
        yield from (Slot(SOME_ITEM, each, frame) for each in frame.function.yields)
        return
    for returned in taken_returns(frame, evaluator):
        found = [each.value for each in evaluator.evaluate(returned, frame)]
        if all(each is value for each in found):
            yield from _given_next(value, evaluator)
        elif not any(each is value for each in found):
            yield Slot(SOME_ITEM, some_element(returned), frame)


def _members(class_: ClassValue, evaluator: Interpreter) -> Iterator[Slot]:
    """The members of an enumeration that a module defines; nothing for other classes."""
    block = class_.module.outline.block_at(class_.facts.header.start)
    home = class_.module.facts_of(block) if block is not None and block.names == (class_.facts.qualname,) else None
    if home is not None and makes_members(evaluator.classes.mro(class_)):
        named = Name(class_.facts.header, class_.facts.name)
        yield Slot(SOME_ITEM, some_element(named), evaluator.module_frame(class_.module, home.body))


def _given_next(instance: InstanceValue, evaluator: Interpreter) -> Iterator[Slot]:
    """What an object that is its own iterator gives, one after the other."""
    frame = _frame_of("__next__", instance, evaluator) or _frame_of("__anext__", instance, evaluator)
    if frame is not None:
        yield from (Slot(SOME_ITEM, each, frame) for each in taken_returns(frame, evaluator))


def _frame_of(name: str, instance: InstanceValue, evaluator: Interpreter) -> Frame | None:
    """The frame of a special method of an object; None if it has none that is understood."""
    found = evaluator.classes.find_method(instance, name)
    if found is None or (found[1].is_async and name not in _AWAITED) or found[1].decorators:
        return None
    return evaluator.classes.frame_on(*found, instance)
