"""Classes that are registered with a manager of `multiprocessing`, and what an `AutoProxy` of their objects lacks.

Measured with CPython 3.11 and 3.13, under every start method: an `AutoProxy` has the public methods of the object, and
nothing else of it. A property or another attribute is an AttributeError, as is a method whose name begins with `_`; a
special method (`len(proxy)`, `proxy[key]`) is a TypeError.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import stored_on_made
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Collection, Constant, Expr, Mapping, says_none, without_narrowing
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ConstantValue,
    ExternalResult,
    ExternalValue,
    Frame,
    FunctionValue,
    InstanceValue,
    Site,
)
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.syntax import is_special_name
from lintpickle.payload.linker import Linker

_OF = "multiprocessing.managers."
_OF_PROXIES = (("proxytype", 2), ("exposed", 3), ("create_method", 5))
"""The arguments that say which proxies there are, and their places."""
_REGISTERS = re.compile(r"\.\s*register\s*\(")
_PROPERTIES = ("property", "cached_property")


class Registered(Struct, frozen=True, eq=False):
    """A class whose objects a manager gives proxies of, by which name, and the classes of managers that do."""

    class_: ClassValue
    site: Site
    name: str
    managers: frozenset[Hashable]
    data: frozenset[str]
    """The attributes and properties of its objects."""
    private: frozenset[str]
    """Its methods whose names begin with `_`."""
    special: frozenset[str]
    """Its special methods."""
    is_own_result: bool
    """Whether methods give what they return, and no proxies of it."""


def registered_classes(root: RootFrame, linker: Linker) -> Iterator[Registered]:
    """The classes of the program that a function registers with managers, if proxies are made for them by default and
    nothing else is registered by their names."""
    for own in _registrations(root, linker):
        class_ = _class_made(own, linker) if own.is_by_default else None
        if class_ is None:
            continue
        others = linker.remembered("registrations", lambda: tuple(_all_registrations(root.frame.module.path, linker)))
        if all(_agrees(each, own, class_, linker) for each in others):
            yield _registered(class_, own, linker)


class _Registration(Struct, frozen=True, eq=False):
    """A call that registers something with a class of managers."""

    call: Call
    frame: Frame
    name: str
    managers: frozenset[Hashable]

    @property
    def is_by_default(self) -> bool:
        """Whether nothing is said of the proxies."""
        own = (self.call.argument(name, place) for name, place in _OF_PROXIES)
        return not any(each is not None and not says_none(each) for each in own)

    @property
    def made_by(self) -> Expr | None:
        """What is called for an object."""
        made_by = self.call.argument("callable", 1)
        return None if made_by is None or says_none(made_by) else made_by

    @property
    def is_own_result(self) -> bool:
        """Whether no method is said to return a proxy."""
        said = self.call.argument("method_to_typeid", 4)
        return said is None or says_none(said)


def _all_registrations(asker: str, linker: Linker) -> Iterator[_Registration]:
    for root in linker.activations_with({"register"}, _REGISTERS, asker):
        yield from _registrations(root, linker)


def _registrations(root: RootFrame, linker: Linker) -> Iterator[_Registration]:
    for event in root.function.events:
        match event:
            case Called(call=Call(function=Attribute(base=base, name="register")) as call):
                name = call.argument("typeid", 0)
                managers = _managers(base, root.frame, linker) if name is not None else frozenset[Hashable]()
                match [each.value for each in linker.evaluate(name, root.frame)] if name and managers else []:
                    case [ConstantValue(value=str() as written)]:
                        yield _Registration(call, root.frame, written, managers)
                    case _:
                        pass
            case _:
                pass


def _managers(base: Expr, frame: Frame, linker: Linker) -> frozenset[Hashable]:
    """The classes of managers that an expression can be."""
    found: set[Hashable] = set()
    for each in (traced.value for traced in linker.evaluate(base, frame)):
        match each:
            case ClassValue() as class_ if any(_is_manager(one) for one in linker.classes.mro(class_)):
                found.add(class_.key)
            case ExternalValue(path=path) if _is_manager(each):
                found.add(path)
            case _:
                pass
    return frozenset(found)


def _is_manager(class_: AbstractValue) -> bool:
    return isinstance(class_, ExternalValue) and class_.path.startswith(_OF) and class_.path.endswith("Manager")


def _agrees(other: _Registration, own: _Registration, class_: ClassValue, linker: Linker) -> bool:
    """Whether another registration does not give what one registers other proxies, or another class."""
    if other.call is own.call or other.name != own.name or other.managers.isdisjoint(own.managers):
        return True
    if not other.is_by_default:
        return False
    made = _class_made(other, linker)
    return other.made_by is None or (made is not None and made.facts is class_.facts)


def is_proxy_of(registered: Registered, value: AbstractValue, linker: Linker) -> bool:
    """Whether a value is what a manager gives for an object of the class."""
    if not isinstance(value, ExternalResult) or not value.path.startswith(_OF):
        return False
    function = value.call.function
    if not isinstance(function, Attribute) or function.name != registered.name:
        return False
    owners = [each.value for each in linker.evaluate(function.base, value.frame)]
    return any(not registered.managers.isdisjoint(_classes_of(each, linker)) for each in owners)


def _class_made(registration: _Registration, linker: Linker) -> ClassValue | None:
    """The class of the objects that what is registered makes."""
    made_by = registration.made_by
    values = linker.evaluate(made_by, registration.frame) if made_by is not None else ()
    match [each.value for each in values]:
        case [ClassValue() as class_]:
            return class_
        case [FunctionValue(module=module, facts=facts, opaque=False) as function] if not facts.is_generator:
            frame = Frame(module, facts, parent=function.frame, open=True)
            returned = [value.value for each in facts.returns for value in linker.evaluate(each, frame)]
            classes = {each.class_.key: each.class_ for each in returned if isinstance(each, InstanceValue)}
            is_one = len(classes) == 1 and all(isinstance(each, InstanceValue) for each in returned)
            return next(iter(classes.values())) if is_one else None
        case _:
            return None


def _registered(class_: ClassValue, registration: _Registration, linker: Linker) -> Registered:
    own = [each for each in linker.classes.mro(class_) if isinstance(each, ClassValue)]
    methods = {key: facts for each in reversed(own) for key, facts in each.facts.methods.items()}
    properties = {key for key, facts in methods.items() if facts.decorated_by(*_PROPERTIES)}
    stored = {event.attribute for facts in methods.values() for event in stored_on_made(facts)}
    fields = {field.name for each in own for field in each.facts.fields if field.stored}
    data = (stored | fields | properties | _plain_names(own)) - (methods.keys() - properties)
    private = {key for key in methods.keys() - properties if key.startswith("_") and not is_special_name(key)}
    special = {key for key in methods if is_special_name(key)}
    site = Site(registration.frame.module, registration.call.span)
    return Registered(
        class_,
        site,
        registration.name,
        registration.managers,
        frozenset(data),
        frozenset(private),
        frozenset(special),
        registration.is_own_result,
    )


def _plain_names(own: list[ClassValue]) -> set[str]:
    """What the bodies of classes bind to what can surely not be called."""
    named = ((key, without_narrowing(value)) for each in own for key, value in each.facts.body.items())
    return {key for key, value in named if isinstance(value, Constant | Collection | Mapping) and key[:2] != "__"}


def _classes_of(value: AbstractValue, linker: Linker) -> Iterator[Hashable]:
    """The class of a manager, and its bases, as registrations name them."""
    match value:
        case InstanceValue() as instance:
            for each in linker.classes.mro(instance):
                yield each.key if isinstance(each, ClassValue) else each.path
        case ExternalResult(path=path) | ExternalValue(path=path):
            yield path
        case _:
            pass
