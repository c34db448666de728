"""What methods store on their objects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.looked_up import looked_up, owner_of_dict
from lintpickle.analyses.main_state.held_state import databases_written
from lintpickle.analyses.main_state.read_objects import CONTEXT_VARIABLE, Owner, names_read_by, path_of
from lintpickle.analyses.workers.worker_reads import READ
from lintpickle.facts.records import Called, Event, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import (
    UNNAMED,
    Attribute,
    Call,
    Constant,
    Expr,
    Item,
    Mapping,
    Parameter,
    rooted,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, InstanceValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_DEPTH = 3
"""Methods of an object, and of its parts, that call one another until one stores something."""

_SETS = "set"
"""The method that gives a context variable another value."""
_PROPERTIES = ("property", "cached_property")


def stored_by(method: str, owner: Owner, linker: Linker, path: tuple[str, ...] = ()) -> Iterator[str]:
    """The attributes that a method of the object stores on it, or puts something into, or that other methods do which
    it calls; of an attribute of a part (`self.retry.attempts = 3`), the attributes that lead there. `path` leads to the
    part whose method it is, if that is not the object itself."""
    return iter(dict.fromkeys(_stored_by(method, path, owner, linker, set(), 0)))


def _stored_by(
    method: str, path: tuple[str, ...], owner: Owner, linker: Linker, seen: set[tuple[str, ...]], depth: int
) -> Iterator[str]:
    if depth > _DEPTH or (*path, method) in seen:
        return
    seen.add((*path, method))
    for part in _parts_at(path, owner, linker):
        if path and method == _SETS and path_of(part.value) == CONTEXT_VARIABLE:
            yield ".".join(path)
        facts = changing_method(method, part, linker)
        if facts is None:
            continue
        yield from (".".join((*path, each)) for each in kept_by(facts))
        found = linker.classes.find_method(part.value, method)
        if found is not None and isinstance(part.value, InstanceValue):
            written = databases_written(found[1], found[0].module, part.value, linker)
            yield from (".".join((*path, each)) for each in written)
        for within, called in _methods_called(facts):
            yield from _stored_by(called, (*path, *within), owner, linker, seen, depth + 1)


def _methods_called(facts: FunctionFacts) -> Iterator[tuple[tuple[str, ...], str]]:
    """The methods of its object, and of parts of that, which a method calls, whatever the object has by then."""
    me = facts.parameters[0].name
    for event in facts.events:
        match event:
            case Called(call=Call(function=Attribute(base=base, name=called)), guards=()):
                within = _path_on(base, me)
                if within is not None and UNNAMED not in within:
                    yield within, called
            case _:
                pass


def methods_storing(method: str, owner: Owner, linker: Linker) -> list[FunctionFacts]:
    """The methods that store something on the object, or on the class, when one of it is called: that one, or those
    that it calls on itself."""
    found: list[FunctionFacts] = []
    names, seen = [method], set[str]()
    while names:
        name = names.pop()
        facts = changing_method(name, owner, linker) if name not in seen else None
        seen.add(name)
        if facts is not None:
            found += [facts] if any(kept_by(facts)) else []
            names += (called for within, called in _methods_called(facts) if not within)
    return found


def _parts_at(path: tuple[str, ...], owner: Owner, linker: Linker) -> Iterator[Owner]:
    """What the object has at the end of a path of attributes, as it is made."""
    values: list[AbstractValue] = [owner.value]
    for step in path:
        site = Site(owner.module, owner.block.span)
        objects = [each for each in values if isinstance(each, InstanceValue)]
        values = [each.value for one in objects for each in linker.classes.instance_attribute(one, step, site)]
    yield from (replace(owner, value=each) for each in values)


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
    """The attributes that a method stores on its object, or puts something into; of an attribute of a part, those that
    lead there."""
    me = facts.parameters[0].name if facts.parameters else ""
    for event in facts.events:
        match event:
            case Store(target=target, attribute=attribute, guards=()):
                path = _path_on(target, me)
                if path is not None:
                    yield ".".join((*path, attribute))
            case ItemStore(target=target):
                inner = without_narrowing(target)
                path = _path_on(inner.base if isinstance(inner, Item) else inner, me)
                if path:
                    yield ".".join(path)
            case _:
                pass


def _path_on(value: Expr, me: str) -> tuple[str, ...] | None:
    """The attributes that lead from the object of a method to an expression, also if the code looks them up by name;
    None if it does not begin with that."""
    part = looked_up(value)
    if part is not None:
        path = _path_on(part[0], me)
        return (*path, *part[1]) if path is not None else None
    root, names = rooted(value)
    return names if isinstance(root, Parameter) and root.name == me else None


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
    given one; or for a property that reads it."""
    if not isinstance(owner.value, InstanceValue):
        return False
    asked = _asked_by(code, linker).get(owner.name, set[str]())
    held = {each.attribute for each in linker.classes.states.state(owner.value)}
    for name in asked - held:
        found = linker.classes.find_method(owner.value, name)
        if found is not None and not found[1].decorated_by(*_PROPERTIES):
            continue
        found = found or linker.classes.find_method(owner.value, "__getattr__")
        if found is not None and found[1].parameters and _reads(attribute, *found):
            return True
    return False


def _reads(attribute: str, owner: ClassValue, method: FunctionFacts) -> bool:
    read = re.compile(READ.format(me=re.escape(method.parameters[0].name), name=re.escape(attribute)))
    return read.search(owner.module.code, method.span.start, method.span.end) is not None


def _asked_by(code: WorkerCode, linker: Linker) -> dict[str, set[str]]:
    """The attributes that the functions of workers read of names, by these names."""

    def find() -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for written in {each for function in code.functions for each in names_read_by(function, linker)}:
            for owner, asked in pairwise(written.split(".")):
                found.setdefault(owner, set()).add(asked)
        return found

    return linker.remembered(("attributes read of names", code), find)
