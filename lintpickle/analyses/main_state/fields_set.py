"""Attributes that code gives an object under the names of all that the object has: `for field in fields(self):
setattr(self, field.name, values[field.name])`."""

from __future__ import annotations

from collections.abc import Callable

from lintpickle.analyses.calls_and_values.looked_up import owner_of_dict
from lintpickle.analyses.calls_and_values.object_changes import path_within
from lintpickle.analyses.calls_and_values.stored_by_methods import changing_method
from lintpickle.analyses.main_state.main_setters import Setter
from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.facts.records import Called, Event, FunctionFacts, Store
from lintpickle.facts.values import (
    Attribute,
    Call,
    Choice,
    Constant,
    Expr,
    Item,
    Name,
    Parameter,
    ending_name,
    without_narrowing,
)
from lintpickle.payload.linker import Linker

_ASKED = frozenset({"fields", "vars", "dir", "asdict", "get_type_hints"})
"""The functions that give the names of what an object has."""
_HELD = frozenset({"__dict__", "__annotations__", "__dataclass_fields__", "__slots__", "_fields", "model_fields"})
_KEPT = frozenset({"list", "tuple", "sorted", "iter", "keys", "items"})
"""What gives the same names again."""
_DEFAULTS = frozenset({"default", "default_factory"})


def sets_own_fields(owner: Owner, setter: Setter, linker: Linker) -> bool:
    """Whether a place gives an object attributes under all names that it has itself, or calls a method that does."""
    module = setter.module
    for event in setter.facts.events:
        if event.span != setter.span:
            continue
        if _gives_own(event, lambda value: path_within(value, owner, module, linker) == ()):
            return True
        if isinstance(event, Called) and isinstance(event.call.function, Attribute):
            facts = changing_method(event.call.function.name, owner, linker)
            if facts is not None and any(_gives_own(each, _is_first_of(facts)) for each in facts.events):
                return True
    return False


def _is_first_of(facts: FunctionFacts) -> Callable[[Expr], bool]:
    me = facts.parameters[0].name

    def is_me(value: Expr) -> bool:
        return isinstance(value, Parameter) and value.name == me

    return is_me


def _gives_own(event: Event, is_it: Callable[[Expr], bool]) -> bool:
    given = gets_any_attribute(event)
    if given is None or not is_it(without_narrowing(given[0])):
        return False
    return _are_names_of(given[1], is_it)


def _are_names_of(names: Expr, is_it: Callable[[Expr], bool]) -> bool:
    """Whether names come from an object, as it is asked: `field.name` of `fields(self)`, a key of `vars(self)`."""
    match without_narrowing(names):
        case Item(base=base) | Attribute(base=base, name="name"):
            return _are_names_of(base, is_it)
        case Attribute(base=base, name=name) if name in _HELD:
            return is_it(without_narrowing(base)) or _is_class_of(base, is_it)
        case Call(function=Attribute(base=base, name=name), arguments=()) if name in _KEPT:
            return _are_names_of(base, is_it)
        case Call(function=function, arguments=(first, *_)) if ending_name(function) in _ASKED:
            return is_it(without_narrowing(first.value)) or _is_class_of(first.value, is_it)
        case Call(function=function, arguments=(first, *_)) if ending_name(function) in _KEPT:
            return _are_names_of(first.value, is_it)
        case Choice(options=options):
            return any(_are_names_of(each, is_it) for each in options)
        case _:
            return False


def _is_class_of(value: Expr, is_it: Callable[[Expr], bool]) -> bool:
    match without_narrowing(value):
        case Call(function=Name(name="type"), arguments=(given,)):
            return is_it(without_narrowing(given.value))
        case Attribute(base=base, name="__class__"):
            return is_it(without_narrowing(base))
        case _:
            return False


def _is_default(event: Event) -> bool:
    """Whether what is given is what the object had at first: `setattr(self, field.name, field.default)`."""
    value = event.value if isinstance(event, Store) else None
    if isinstance(event, Called) and len(event.call.arguments) == 3:
        value = event.call.arguments[2].value
    value = without_narrowing(value) if value is not None else None
    value = value.function if isinstance(value, Call) else value
    return isinstance(value, Attribute) and value.name in _DEFAULTS


def gets_any_attribute(event: Event) -> tuple[Expr, Expr] | None:
    """What is given attributes whose names are not written out, and what their names come from; nothing where it gets
    what it had at first."""
    if _is_default(event):
        return None
    match event:
        case Store(target=target, key=Expr() as key) if not isinstance(key, Constant):
            return target, key
        case Called(call=Call(function=Name(name="setattr"), arguments=(owner, name, _))) if not isinstance(
            name.value, Constant
        ):
            return owner.value, name.value
        case Called(call=Call(function=Attribute(base=attributes, name="update"), arguments=(given, *_))):
            holder = owner_of_dict(attributes)
            return (holder, given.value) if holder is not None else None
        case _:
            return None
