"""Pickling hooks: which attributes `__getstate__` and `__reduce__` let through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lintpickle.facts.records import Called, Delete, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import (
    UNNAMED,
    Attribute,
    Call,
    Choice,
    Collection,
    Constant,
    Data,
    Item,
    Mapping,
    Name,
    Parameter,
    Sum,
    Super,
    Value,
)

if TYPE_CHECKING:
    from lintpickle.project.classes import Classes
    from lintpickle.project.things import ClassThing, InstanceThing


class Shipped:
    """Which attributes of an instance are in its pickle, by their names in its `__dict__` (`mangled`)."""

    def __init__(
        self,
        everything: bool,
        dropped: frozenset[str] = frozenset(),
        only: frozenset[str] | None = None,
        within: Shipped | None = None,
    ) -> None:
        self._everything = everything
        self._dropped = dropped
        self._only = only
        self._within = within

    def of(self, parent: Shipped) -> Shipped:
        """The same, of what a parent's hook lets through."""
        return Shipped(self._everything, self._dropped, self._only, parent)

    def __contains__(self, attribute: str) -> bool:
        if self._within is not None and attribute not in self._within:
            return False
        if self._only is not None:
            return attribute in self._only
        if UNNAMED in self._dropped or (self._dropped and attribute == UNNAMED):
            return False
        return self._everything and attribute not in self._dropped


def shipped(instance: InstanceThing, classes: Classes) -> Shipped:
    """Read the hooks of the instance's class. A hook that cannot be understood is taken to do its job: it lets
    nothing through that is a hazard."""
    if id(instance.class_.facts) in classes.registered:
        return Shipped(everything=False)
    if any(classes.defines(instance, hook) for hook in ("__reduce__", "__reduce_ex__")):
        return Shipped(everything=False)
    return _by_getstate(instance, classes, None)


def _by_getstate(instance: InstanceThing, classes: Classes, after: ClassThing | None) -> Shipped:
    """What the hook that is found behind the class `after` lets through, and the hooks that it calls by `super()`."""
    found = classes.find_method(instance, "__getstate__", after)
    if found is None:
        return Shipped(everything=True)
    owner, function = found
    own = read_getstate(function, owner.facts.name)
    return own.of(_by_getstate(instance, classes, owner)) if _asks_parent(function) else own


def _asks_parent(function: FunctionFacts) -> bool:
    return any(isinstance(event, Called) and _is_parents_state(event.call) for event in function.events)


def _is_parents_state(value: Value) -> bool:
    match value:
        case Call(function=Attribute(base=Super(), name="__getstate__")):
            return True
        case _:
            return False


def read_getstate(function: FunctionFacts, owner: str) -> Shipped:
    """What a `__getstate__` method of the class `owner` lets through."""
    me = function.parameters[0].name if function.parameters else "self"
    dropped = frozenset(_dropped(function, me, owner))
    listed: set[str] = set()
    replaced: set[str] = set()
    whole = False
    for value in _flat(function.returns):
        if _is_whole_state(value, me):
            whole = True
        elif isinstance(value, Mapping):
            listed.update(_read(me, owner, (item for key, item in value.items if key is not None)))
            spread = [i for i, (key, item) in enumerate(value.items) if key is None and _is_whole_state(item, me)]
            if spread:
                whole = True
                replaced.update(name for key, _ in value.items[spread[-1] :] if key is not None for name in _names(key))
        elif isinstance(value, Collection):
            listed.update(_read(me, owner, value.elements))
        elif isinstance(value, Attribute) and _is_me(value.base, me):
            listed.update(_read(me, owner, (value,)))
        elif not isinstance(value, (Constant, Data)):
            return Shipped(everything=False)
    if whole:
        return Shipped(True, dropped | (replaced - listed))
    return Shipped(False, only=frozenset(listed))


def mangled(name: str, class_name: str) -> str:
    """A name as Python writes it for code in the class: private ones begin with the class's."""
    owner = class_name.lstrip("_")
    is_private = name.startswith("__") and not name.endswith("__") and "." not in name
    return f"_{owner}{name}" if is_private and owner else name


def _read(me: str, owner: str, values: Iterable[Value]) -> Iterator[str]:
    """The attributes of the instance among some values."""
    for value in values:
        if isinstance(value, Attribute) and _is_me(value.base, me):
            yield mangled(value.name, owner)


def _flat(values: tuple[Value, ...]) -> Iterator[Value]:
    for value in values:
        if isinstance(value, Choice):
            yield from _flat(value.options)
        elif isinstance(value, Sum):
            yield from _flat(value.parts[:1])
        else:
            yield value


def _is_me(value: Value, me: str) -> bool:
    return isinstance(value, Parameter) and value.name == me


def _is_whole_state(value: Value, me: str) -> bool:
    """`self.__dict__`, a copy of it, or what the parent's hook gives."""
    match value:
        case Sum(parts=(first, *_)):
            return _is_whole_state(first, me)
        case Choice(options=options):
            return any(_is_whole_state(option, me) for option in options)
        case Attribute(base=base, name="__dict__"):
            return _is_me(base, me)
        case _ if _is_parents_state(value):
            return True
        case Call(function=Attribute(base=inner, name="copy")) if not isinstance(inner, Name):
            return _is_whole_state(inner, me)
        case Call(arguments=(argument, *_)):
            return _is_whole_state(argument.value, me)
        case _:
            return False


def _dropped(function: FunctionFacts, me: str, owner: str) -> Iterator[str]:
    """Names that the method takes out of the state or replaces in it."""
    for event in function.events:
        match event:
            case Delete(attribute=attribute):
                yield attribute.strip("[]") if attribute.startswith("[") else mangled(attribute, owner)
            case ItemStore(key=key) if key is not None:
                yield from _names(key)
            case Store(target=target, attribute=attribute) if _is_me(target, me):
                yield mangled(attribute, owner)
            case Called(call=Call(function=Attribute(name="pop" | "__delitem__"), arguments=(argument, *_))):
                yield from _names(argument.value)
            case Called(call=Call(function=Attribute(name="update"), arguments=arguments)):
                for argument in arguments:
                    if argument.keyword is not None:
                        yield argument.keyword
                    elif isinstance(argument.value, Mapping):
                        for key, _ in argument.value.items:
                            if key is not None:
                                yield from _names(key)
            case _:
                pass


def _names(value: Value) -> Iterator[str]:
    match value:
        case Constant(value=str() as name):
            yield name
        case Data(kind="str"):
            yield UNNAMED
        case Item(base=Collection(elements=elements)):
            for element in elements:
                yield from _names(element)
        case _:
            pass
