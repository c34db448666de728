"""Which attributes of an object code changes so that copies of the object keep what they have: it stores them, counts
them up, or puts something into a list, dict or array of the object's own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.hierarchies import is_me
from lintpickle.analyses.lost_changes.container_methods import CHANGING, FILLABLE
from lintpickle.facts.records import Called, Event, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Expr, ending_name, holder_of
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ConstantValue,
    ContainerValue,
    ExternalValue,
    Frame,
    InstanceValue,
)
from lintpickle.payload.linker import Linker

MAKING_METHODS = frozenset({"__init__", "__post_init__", "__new__"})
_OWN_ARRAYS = re.compile(r"numpy\.(?:arange|array|empty|full|linspace|ones|random\.permutation|zeros)(?:_like)?")
"""What makes an array that has memory of its own."""
_IN_PLACE = CHANGING | {"fill", "reverse"}
"""Methods that change a container or an array."""
_SHUFFLE = "shuffle"
"""The function of modules and generators of random numbers that changes what it is given."""
_DEEPEST = 3
"""How many methods may lead from one to a change."""


def changed_by(event: Event) -> Iterator[tuple[Expr, str, bool]]:
    """The objects of which an event changes an attribute, which one, and whether it only changes what the attribute
    holds (or counts it up) instead of storing another value."""
    match event:
        case Store(target=target, attribute=attribute):
            yield target, attribute, False
        case ItemStore(target=target):
            yield from _part(target)
        case Called(call=Call(function=Attribute(base=base, name=name))) if name in _IN_PLACE:
            yield from _part(base)
        case Called(call=Call(function=function) as call) if ending_name(function) == _SHUFFLE:
            for given in (call.positional() or ())[:1]:
                yield from _part(given)
        case _:
            pass


def _part(target: Expr) -> Iterator[tuple[Expr, str, bool]]:
    inner = holder_of(target)
    if isinstance(inner, Attribute):
        yield inner.base, inner.name, True


def is_kept_by_copies(attribute: str, owner: InstanceValue, linker: Linker) -> bool:
    """Whether what an attribute holds is a number, a text, a container or an array: plain data that a copy of the
    object does not share with it."""
    held = [each for each in linker.classes.states.state(owner) if each.attribute == attribute and each.direct]
    return bool(held) and all(_is_own_data(each.value, each.frame, linker) for each in held)


def _is_own_data(value: Expr, frame: Frame, linker: Linker) -> bool:
    if isinstance(value, Call):
        made_by = [traced.value for traced in linker.evaluate(value.function, frame)]
        if any(isinstance(each, ExternalValue) and _OWN_ARRAYS.fullmatch(each.path) for each in made_by):
            return len(made_by) == 1
    found = [traced.value for traced in linker.evaluate(value, frame)]
    return bool(found) and all(map(_is_plain, found))


def _is_plain(value: AbstractValue) -> bool:
    match value:
        case ConstantValue(value=constant):
            return constant is not None
        case ContainerValue(kind=kind):
            return kind in FILLABLE
        case _:
            return False


def changed_by_method(name: str, owner: InstanceValue, linker: Linker, depth: int = 0) -> Iterator[str]:
    """The attributes of an object that a method of it changes, by itself or by others that it calls of the object."""
    found = linker.classes.find_method(owner.class_, name) if name not in MAKING_METHODS else None
    if found is None:
        return
    method = found[1]
    for event in method.events:
        for target, attribute, is_part in changed_by(event):
            if is_me(target, method) and (not is_part or is_kept_by_copies(attribute, owner, linker)):
                yield attribute
    for called in _called_in(method) if depth < _DEEPEST else ():
        yield from changed_by_method(called, owner, linker, depth + 1)


def names_changing(class_: ClassValue, linker: Linker) -> frozenset[str]:
    """The methods of a class that change attributes of its object, and these attributes."""
    found: set[str] = set()
    calls: dict[str, set[str]] = {}
    for owner in linker.classes.mro(class_):
        for method in owner.facts.methods.values() if isinstance(owner, ClassValue) else ():
            changed = _changed_in(method)
            found |= changed if not changed or method.name in MAKING_METHODS else {*changed, method.name}
            calls.setdefault(method.name, set()).update(_called_in(method))
    for _ in range(_DEEPEST):
        found |= {name for name, called in calls.items() if name not in MAKING_METHODS and not found.isdisjoint(called)}
    return frozenset(found)


def _changed_in(method: FunctionFacts) -> set[str]:
    changed = (each for event in method.events for each in changed_by(event))
    return {attribute for target, attribute, _ in changed if is_me(target, method)}


def _called_in(method: FunctionFacts) -> Iterator[str]:
    for event in method.events:
        match event:
            case Called(call=Call(function=Attribute(base=base, name=name))) if is_me(base, method):
                yield name
            case _:
                pass
