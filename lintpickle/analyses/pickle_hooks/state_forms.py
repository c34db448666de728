"""Attributes that `__getstate__` replaces, on the object itself, by another form of what they hold, which only
`__setstate__` turns back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.calls_and_values.hierarchies import is_me
from lintpickle.facts.records import FunctionFacts, ItemStore, Store
from lintpickle.facts.values import (
    Argument,
    Attribute,
    Call,
    Constant,
    Expr,
    Item,
    Parameter,
    parts_of,
    without_narrowing,
)


def converted(stores: Iterable[Store], hook: FunctionFacts, back: FunctionFacts) -> Iterator[Store]:
    """The last store of each attribute that gives it what a call makes of it, and that `back` turns back."""
    last = {event.attribute: event for event in stores}
    for attribute, event in last.items():
        if _is_made_of(event.value, attribute, hook) and _is_turned_back(attribute, back):
            yield event


def _is_turned_back(attribute: str, back: FunctionFacts) -> bool:
    """Whether unpickling makes an attribute by a call of what the state has under its name."""
    return any(_is_made_of(value, attribute, back) for value in _given(attribute, back))


def _given(attribute: str, back: FunctionFacts) -> Iterator[Expr]:
    """What unpickling stores under a name, on the object or in the state."""
    for event in back.events:
        match event:
            case Store(target=target, attribute=name, value=value) if name == attribute and is_me(target, back):
                yield value
            case ItemStore(target=target, key=Constant(value=name), value=value) if name == attribute:
                if _is_state(target, back):
                    yield value
            case _:
                pass


def _is_made_of(value: Expr, attribute: str, hook: FunctionFacts) -> bool:
    """Whether a call gives a value that has to do with what is kept under a name."""
    value = without_narrowing(value)
    return isinstance(value, Call) and not _is_lookup(value, attribute, hook) and _has(value, attribute, hook)


def _has(value: Expr, attribute: str, hook: FunctionFacts) -> bool:
    waiting, seen = [value], {id(value)}
    while waiting:
        part = waiting.pop()
        if _is_kept(part, attribute, hook) or _is_lookup(part, attribute, hook):
            return True
        new = [each for each in parts_of(part) if id(each) not in seen]
        seen.update(map(id, new))
        waiting += new
    return False


def _is_kept(value: Expr, attribute: str, hook: FunctionFacts) -> bool:
    """Whether a value is what the object, or the state, has under a name."""
    match value:
        case Attribute(base=me, name=name):
            return name == attribute and is_me(me, hook)
        case Item(base=base, key=Constant(value=name)):
            return name == attribute and _is_state(base, hook)
        case _:
            return False


def _is_lookup(value: Expr, attribute: str, hook: FunctionFacts) -> bool:
    """Whether a value is `state.get(name)` or `state.pop(name)`."""
    match value:
        case Call(
            function=Attribute(base=base, name="get" | "pop"), arguments=(Argument(value=Constant(value=name)), *_)
        ):
            return name == attribute and _is_state(base, hook)
        case _:
            return False


def _is_state(value: Expr, hook: FunctionFacts) -> bool:
    """Whether a value is the dict of the object's attributes, or the state that unpickling is given."""
    match value:
        case Attribute(base=me, name="__dict__"):
            return is_me(me, hook)
        case Parameter(name=name):
            return len(hook.parameters) > 1 and name == hook.parameters[1].name
        case _:
            return False
