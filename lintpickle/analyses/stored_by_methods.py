"""What methods store on their objects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from lintpickle.analyses.held_state import databases_written
from lintpickle.analyses.looked_up import owner_of_dict
from lintpickle.analyses.read_objects import Owner, names_read_by
from lintpickle.analyses.worker_reads import READ
from lintpickle.facts.records import Called, Event, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Constant, Expr, Item, Mapping, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, InstanceValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction


def stored_by(method: str, owner: Owner, linker: Linker) -> Iterator[str]:
    """The attributes that a method of the object stores on it, or puts something into."""
    facts = changing_method(method, owner, linker)
    if facts is not None:
        yield from kept_by(facts)
    found = linker.classes.find_method(owner.value, method) if facts is not None else None
    if found is not None and isinstance(owner.value, InstanceValue):
        yield from databases_written(found[1], found[0].module, owner.value, linker)


def stored_by_name(call: Call, method: str, owner: Owner, linker: Linker) -> Iterator[str]:
    """The attributes that a call names for a method of the object which stores whatever it is told:
    `settings.update(rate=5)`."""
    facts = changing_method(method, owner, linker)
    if facts is None or not any(_is_any_store(event, facts) for event in facts.events):
        return
    own = {each.name for each in facts.parameters}
    if any(each.kind == "**" for each in facts.parameters):
        yield from (each.keyword for each in call.arguments if each.keyword and each.keyword not in own)
    for given in call.positional() or ():
        if isinstance(given, Mapping):
            yield from (str(key.value) for key, _ in given.items if isinstance(key, Constant))


def held_at_import(value: AbstractValue, linker: Linker) -> frozenset[str]:
    """The attributes that an object has as it is made, or a class by what stands in its body."""
    match value:
        case InstanceValue():
            return frozenset(each.attribute for each in linker.classes.states.state(value))
        case ClassValue(facts=facts):
            return frozenset((*facts.body, *(each.name for each in facts.fields if each.default is not None)))
        case _:
            return frozenset()


def _is_any_store(event: Event, facts: FunctionFacts) -> bool:
    """Whether a method stores an attribute on its object whose name is not written out."""
    match event:
        case Store(target=Parameter(name=name), key=Expr()):
            return name == facts.parameters[0].name
        case Called(call=Call(function=Attribute(base=attributes, name="update"))):
            holder = owner_of_dict(attributes)
            return isinstance(holder, Parameter) and holder.name == facts.parameters[0].name
        case _:
            return False


def kept_by(facts: FunctionFacts) -> Iterator[str]:
    """The attributes that a method stores on its object, or puts something into."""
    me = facts.parameters[0].name if facts.parameters else None
    for event in facts.events:
        match event:
            case Store(target=Parameter(name=name), attribute=attribute, guards=()) if name == me:
                yield attribute
            case ItemStore(target=target):
                inner = without_narrowing(target)
                base = without_narrowing(inner.base) if isinstance(inner, Item) else inner
                match base:
                    case Attribute(base=Parameter(name=name), name=attribute) if name == me:
                        yield attribute
                    case _:
                        pass
            case _:
                pass


def changing_method(method: str, owner: Owner, linker: Linker) -> FunctionFacts | None:
    """The method of that name that gets the object itself as its first parameter."""
    if not isinstance(owner.value, (InstanceValue, ClassValue)):
        return None
    found = linker.classes.find_method(owner.value, method)
    facts = found[1] if found is not None else None
    if facts is None or not facts.parameters or facts.decorated_by("staticmethod"):
        return None
    is_of_class = facts.decorated_by("classmethod")
    return facts if is_of_class or isinstance(owner.value, InstanceValue) else None


def is_read_for_others(attribute: str, owner: Owner, code: WorkerCode, linker: Linker) -> bool:
    """Whether workers ask an object for attributes that it does not have, and its `__getattr__` looks these up in the
    given one."""
    found = linker.classes.find_method(owner.value, "__getattr__") if isinstance(owner.value, InstanceValue) else None
    if found is None or not found[1].parameters or not isinstance(owner.value, InstanceValue):
        return False
    home, facts = found[0].module, found[1]
    read = re.compile(READ.format(me=re.escape(facts.parameters[0].name), name=re.escape(attribute)))
    if not read.search(home.code, facts.span.start, facts.span.end):
        return False
    held = {each.attribute for each in linker.classes.states.state(owner.value)}
    return any(
        each not in held and linker.classes.find_method(owner.value, each) is None
        for function in code.functions
        for each in _asked_of(owner.name, function, linker)
    )


def _asked_of(name: str, function: WorkerFunction, linker: Linker) -> Iterator[str]:
    """The attributes of what has a name that a function reads."""
    for written in names_read_by(function, linker):
        parts = written.split(".")
        yield from (asked for owner, asked in pairwise(parts) if owner == name)
