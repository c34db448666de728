"""Classes whose objects get into each other's sets, or into each other's keys, so that they hold each other in a
circle that goes through a hash."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import is_me, known_ancestors
from lintpickle.facts.records import Called, Event, ItemStore, Store
from lintpickle.facts.values import (
    Attribute,
    Constant,
    Expr,
    Item,
    Parameter,
    reads_the_same,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import UNKNOWN, ClassValue, ContainerValue, InstanceValue, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.interpreter.slots import is_mapping
from lintpickle.payload.linker import Linker


class _Link(Struct, frozen=True):
    """That one object is put among what another one hashes."""

    holder: Expr
    held: Expr
    site: Site


def where_linked(class_: ClassValue, linker: Linker, asker: str) -> Site | None:
    """Where two objects of a class are put into each other's sets or dictionaries, as elements or keys. `asker` is the
    path of the module being judged."""
    question = ("linked both ways", class_.key, asker)
    return linker.remembered(question, lambda: next(_linked(class_, linker, asker), None))


def _linked(class_: ClassValue, linker: Linker, asker: str) -> Iterator[Site]:
    hashing = frozenset(_hashing(class_, linker))
    methods = _adding_methods(class_, hashing, linker) if hashing else frozenset()
    words = hashing | methods
    form = re.compile(rf"\.(?:{'|'.join(map(re.escape, sorted(words)))})\b") if words else None
    before: dict[str, list[_Link]] = {}
    for root in linker.activations_with(words, form, asker) if form is not None else ():
        found = list(_links(root, hashing, methods))
        links = before.setdefault(root.frame.module.path, []) if root.function.is_module_body else []
        links += found
        for first in found:
            is_back = any(_is_back(first, each) for each in links) or _is_called_back(first, root)
            if is_back and _are_of(class_, first, root, linker):
                yield first.site


def _hashing(class_: ClassValue, linker: Linker) -> Iterator[str]:
    """The attributes that hold sets, or dictionaries."""
    line = known_ancestors(class_, linker.classes) or ()
    named = {field.name for each in line if isinstance(each, ClassValue) for field in each.facts.fields}
    named |= {
        event.attribute
        for each in line
        if isinstance(each, ClassValue)
        for function in each.facts.methods.values()
        for event in function.events
        if isinstance(event, Store)
    }
    me = linker.activations.instance(class_)
    site = Site(class_.module, class_.facts.header)
    for name in sorted(named):
        found = (each.value for each in linker.classes.instance_attribute(me, name, site))
        if any(isinstance(each, ContainerValue) and (each.kind == "set" or is_mapping(each.kind)) for each in found):
            yield name


def _adding_methods(class_: ClassValue, hashing: frozenset[str], linker: Linker) -> frozenset[str]:
    """The methods that put what they are given first into a set of their object."""
    found: set[str] = set()
    for each in linker.classes.mro(class_):
        for method in each.facts.methods.values() if isinstance(each, ClassValue) else ():
            given = method.parameters[1].name if len(method.parameters) > 1 else None
            for link in _put(method.events, hashing, Site(class_.module, method.span)):
                if is_me(link.holder, method) and isinstance(link.held, Parameter) and link.held.name == given:
                    found.add(method.name)
    return frozenset(found)


def _links(root: RootFrame, hashing: frozenset[str], methods: frozenset[str]) -> Iterator[_Link]:
    here = Site(root.frame.module, root.function.span)
    yield from _put(root.function.events, hashing, here)
    for event in root.function.events:
        match event:
            case Called(call=call) if isinstance(call.function, Attribute) and call.function.name in methods:
                given = call.positional()
                if given:
                    yield _Link(call.function.base, given[0], Site(here.module, event.span))
            case _:
                pass


def _put(events: Iterable[Event], hashing: frozenset[str], here: Site) -> Iterator[_Link]:
    """The elements and keys that a function puts into such attributes."""
    for event in events:
        match event:
            case Called(call=call) if isinstance(call.function, Attribute) and call.function.name == "add":
                inner, given = without_narrowing(call.function.base), call.positional()
                if isinstance(inner, Attribute) and inner.name in hashing and given and len(given) == 1:
                    yield _Link(
                        without_narrowing(inner.base), without_narrowing(given[0]), Site(here.module, event.span)
                    )
            case ItemStore(target=target, key=Expr() as key):
                inner = without_narrowing(target)
                if isinstance(inner, Attribute) and inner.name in hashing:
                    yield _Link(without_narrowing(inner.base), without_narrowing(key), Site(here.module, event.span))
            case _:
                pass


def _is_back(first: _Link, second: _Link) -> bool:
    return _is_same(first.holder, second.held) and _is_same(first.held, second.holder)


def _is_called_back(link: _Link, root: RootFrame) -> bool:
    """Whether a method puts something into its object, and calls itself on that with its object."""
    function = root.function
    if not is_me(link.holder, function) or not isinstance(link.held, Parameter):
        return False
    return any(
        isinstance(event, Called)
        and isinstance(event.call.function, Attribute)
        and event.call.function.name == function.name
        and _is_same(event.call.function.base, link.held)
        and any(is_me(without_narrowing(each), function) for each in event.call.positional() or ())
        for event in function.events
    )


def _is_same(first: Expr, second: Expr) -> bool:
    """Whether two expressions of a function give the same object, items by the same key among them."""
    first, second = without_narrowing(first), without_narrowing(second)
    match first, second:
        case _ if reads_the_same(first, second):
            return True
        case Item(key=Expr() as key), Item(key=Expr() as other):
            return _is_same(first.base, second.base) and _is_same(key, other)
        case Constant(value=value), Constant(value=other_value):
            return value == other_value
        case _:
            return False


def _are_of(class_: ClassValue, link: _Link, root: RootFrame, linker: Linker) -> bool:
    """Whether objects of the class are linked. Of those that a function is given, all is unknown but the attribute."""
    found = [each.value for value in (link.holder, link.held) for each in linker.evaluate(value, root.frame)]
    for value in found:
        if isinstance(value, InstanceValue):
            return linker.classes.derives(value, class_)
    return root.frame.module is class_.module and all(value is UNKNOWN for value in found)
