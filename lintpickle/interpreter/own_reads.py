"""Where a method reads a property of its own object that makes the object keep something: a cached one, or one that
opens what it gives on first use."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from lintpickle.facts.methods import methods_holding
from lintpickle.facts.records import Called, Event, FunctionFacts, Implied, ItemStore, Iterated, Store
from lintpickle.facts.values import Attribute, Call, Choice, Expr, Item, Narrowed, Parameter
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue
from lintpickle.interpreter.protocols import ClassQueries

PROPERTY_DECORATORS = (
    "property",
    "cached_property",
    "lazy_property",
    "lazyproperty",
    "memoized_property",
    "reify",
    "abstractproperty",
)
_CACHED, _PROPERTY = "cached_property", "property"
_NAMED = re.compile(_PROPERTY)


def read_names(instance: InstanceValue, classes: ClassQueries) -> frozenset[str]:
    """The properties of an object's classes, if one of them makes the object keep something: others may read that."""
    methods = [
        method
        for class_ in classes.mro(instance)
        if isinstance(class_, ClassValue)
        for method in methods_holding(class_.facts.methods, _NAMED, class_.module.code)
        if method.decorated_by(_CACHED, _PROPERTY)
    ]
    if not any(method.decorated_by(_CACHED) or _stores(method) for method in methods):
        return frozenset()
    return frozenset(method.name for method in methods)


def _stores(method: FunctionFacts) -> bool:
    """Whether a method stores something on its object."""
    me = method.parameters[0].name if method.parameters else ""
    return any(
        isinstance(event, Store) and isinstance(event.target, Parameter) and event.target.name == me
        for event in method.events
    )


def own_reads(event: Event, me: str, names: Collection[str]) -> Iterator[Implied]:
    """The reads of properties of the object `me` in an event of a method."""
    match event:
        case Called(call=call):
            values: tuple[Expr, ...] = (call.function, *(argument.value for argument in call.arguments))
        case Iterated(iterable=value) | Store(value=value) | Implied(target=value):
            values = (value,)
        case ItemStore(target=target, value=value):
            values = (target, value)
        case _:
            return
    for value in values:
        for read in _reads(value, me, names):
            yield _read(read, event.conditional, event.guards)


def reads_in_results(function: FunctionFacts, me: str, names: Collection[str]) -> Iterator[Implied]:
    """The same for what a method returns."""
    for value in (*function.returns, *function.yields):
        for read in _reads(value, me, names):
            yield _read(read, False, ())


def _read(read: Attribute, conditional: bool, guards: tuple[str, ...]) -> Implied:
    return Implied(read.span, conditional, guards, read.base, Call(read.span, read, ()), read.name, True)


def _reads(value: Expr, me: str, names: Collection[str]) -> Iterator[Attribute]:
    waiting = [value]
    while waiting:
        match waiting.pop():
            case Attribute(base=Parameter(name=name), name=attribute) as read if name == me:
                if attribute in names:
                    yield read
            case Attribute(base=inner) | Narrowed(value=inner) | Item(base=inner):
                waiting.append(inner)
            case Call(function=function, arguments=arguments):
                waiting += [argument.value for argument in reversed(arguments)]
                waiting.append(function)
            case Choice(options=options):
                waiting += reversed(options)
            case _:
                pass
