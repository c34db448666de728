"""Replaced attributes: those to which the code that ships an object, or that calls this code, gives another value first
(`saved, ds.file = ds.file, None`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

from lintpickle.facts.records import Called, Delete, Event, FunctionFacts, Store
from lintpickle.facts.values import UNNAMED, Attribute, Call, Expr, reads_the_same
from lintpickle.interpreter.abstract_values import ConstantValue, Frame, InstanceValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.pickle_time import PickleTime

_ByName: TypeAlias = "dict[str, list[tuple[Store | Delete, Frame, Call]]]"
_ONLY_LOOKS = frozenset({"print", "len", "type", "isinstance", "hasattr", "getattr", "id", "repr", "str"})


class Replaced:
    """Finds them for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._known: tuple[PickleTime, _ByName] | None = None

    def is_replaced(self, held: Held, instance: InstanceValue, pickling: PickleTime) -> bool:
        """Whether what an attribute of an object holds has surely been replaced when the object is pickled."""
        setter = self._evaluator.classes.find_setter(instance, held.method)
        names = (held.name, held.method) if setter is not None and setter[1] is held.frame.function else (held.name,)
        return any(
            not _is_stored_between(held, event, call, frame) and self._is(event.target, instance, frame, call)
            for name in names
            for event, frame, call in self._before(pickling).get(name, ())
        )

    def _before(self, pickling: PickleTime) -> _ByName:
        """The stores that have surely been made when a boundary pickles, by the names of their attributes; each with
        the frame, and the call in it that leads to the boundary."""
        if self._known is None or self._known[0] is not pickling:
            found: _ByName = {}
            place: tuple[Frame, Call] | None = (pickling.frame, pickling.call)
            while place is not None:
                frame, call = place
                for name, event in _stored_before(call, frame, self._evaluator):
                    found.setdefault(name, []).append((event, frame, call))
                place = frame.called_by
            self._known = (pickling, found)
        return self._known[1]

    def _is(self, value: Expr, instance: InstanceValue, frame: Frame, call: Call) -> bool:
        """Whether an expression is the object: it can be no other one, or is what the call is given."""
        found = [traced.value for traced in self._evaluator.evaluate(value, frame)]
        made = [each for each in found if isinstance(each, InstanceValue)]
        is_it = [each.call is instance.call and each.class_.facts is instance.class_.facts for each in made]
        is_given = any(reads_the_same(argument.value, value) for argument in call.arguments)
        return any(is_it) and (len(made) == 1 or is_given)


def is_emptied_before(call: Call, target: Expr, name: str, frame: Frame, evaluator: Evaluator) -> bool:
    """Whether a function has surely given None to an attribute of that name of an expression's object, or deleted it,
    when it gets to a call."""
    stored = _stored_before(call, frame, evaluator)
    return any(each == name and reads_the_same(event.target, target) for each, event in stored)


def attributes_emptied(function: FunctionFacts) -> Iterator[str]:
    """The names of all attributes to which a function gives None, or which it deletes, on whatever object; `UNNAMED`
    for those that are not named."""
    for event in function.events:
        if isinstance(event, Delete) or (isinstance(event, Store) and _is_none(event)):
            yield event.attribute


def _stored_before(call: Call, frame: Frame, evaluator: Evaluator) -> Iterator[tuple[str, Store | Delete]]:
    """The stores of a function on objects that have surely been made when it gets to a call, with nothing in between
    that gets the object and so may store something else; each with the name of its attribute."""
    place = call.span.start
    earlier: list[Event] = []
    for event in reversed(frame.function.events):
        if event.span.start >= place:
            continue
        match event:
            case Store(target=target):
                value = None if _is_none(event) else event.value
            case Delete(target=target):
                value = None
            case _:
                earlier.append(event)
                continue
        if value is None and not any(_may_store_again(other, target, event) for other in earlier):
            yield from ((name, event) for name in _names_surely_stored(event, frame, place, evaluator))
        earlier.append(event)


def _names_surely_stored(event: Store | Delete, frame: Frame, place: int, evaluator: Evaluator) -> Iterator[str]:
    """The attribute that an event surely stores before a place; all that a loop names that stores in each round, if
    the object has them: `for name in ("lock", "cache"): setattr(job, name, None)`."""
    if event.attribute != UNNAMED:
        if frame.paths.precedes(event.span.start, place):
            yield event.attribute
        return
    key = event.key if isinstance(event, Store) else None
    if key is None or not _is_in_each_round(event.span.start, place, frame):
        return
    names = [traced.value for traced in evaluator.evaluate(key, frame)]
    if all(isinstance(name, ConstantValue) and isinstance(name.value, str) for name in names):
        yield from (str(name.value) for name in names if isinstance(name, ConstantValue))


def _is_in_each_round(stored: int, place: int, frame: Frame) -> bool:
    """Whether nothing but loops, and the question whether the object has the attribute, stands around a store that is
    not around a place behind it."""
    inner = (step.node for step in frame.paths.steps_beyond(stored, place))
    return all(isinstance(node, ast.For) or _asks_for_attribute(node) for node in inner)


def _asks_for_attribute(node: ast.AST) -> bool:
    match node:
        case ast.If(test=ast.Call(func=ast.Name(id="hasattr"))):
            return True
        case ast.If(test=ast.Compare(ops=[ast.In()], comparators=[ast.Attribute(attr="__dict__")])):
            return True
        case _:
            return False


def _is_none(event: Store) -> bool:
    return getattr(event.value, "value", ...) is None


def _may_store_again(event: Event, target: Expr, store: Event) -> bool:
    """Whether something that happens behind a store may give the attribute another value."""
    if event.span.start < store.span.end:
        return False
    match event:
        case Store(target=other, attribute=name):
            return name == getattr(store, "attribute", None) and reads_the_same(other, target)
        case Called(call=Call(function=Attribute(base=base))) if reads_the_same(base, target):
            return True
        case Called(call=call) if getattr(call.function, "name", "") not in _ONLY_LOOKS:
            return any(reads_the_same(argument.value, target) for argument in call.arguments)
        case _:
            return False


def _is_stored_between(held: Held, event: Event, call: Call, frame: Frame) -> bool:
    """Whether the same function stores the value between the store that would replace it and the call. What it stores
    behind the call comes too late, or is replaced in the next round of a loop."""
    return held.frame.function is frame.function and event.span.start <= held.site.span.start < call.span.start
