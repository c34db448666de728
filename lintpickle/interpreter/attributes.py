"""What an attribute of a value can be, whatever kind of value that is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from msgspec import structs

from lintpickle.facts.records import NestedFunction, Store
from lintpickle.interpreter.abstract_values import (
    ClassValue,
    ContainerValue,
    DataValue,
    ExternalResult,
    ExternalValue,
    Frame,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    PlainValue,
    ProductValue,
    Site,
    Slot,
    SuperValue,
    TracedValue,
    part_of_data,
)
from lintpickle.interpreter.classes import Classes
from lintpickle.interpreter.decorators import Decorators
from lintpickle.interpreter.handed_methods import method_of
from lintpickle.interpreter.held import OWN_ITEMS
from lintpickle.interpreter.made_classes import MAKES_ONE, is_enumeration, is_member, is_method, member_of
from lintpickle.interpreter.module_names import ModuleNames
from lintpickle.interpreter.named_attributes import named_attribute
from lintpickle.interpreter.own_items import kind_of_items
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.settings_of_products import made_after_setting
from lintpickle.interpreter.stores import SETTINGS

_TEXT = "builtins.str"
"""How the catalog says of an attribute that it is a text."""
WhenRead: TypeAlias = Callable[[InstanceValue, str, Site, Frame], InstanceValue]
WithRegistered: TypeAlias = Callable[[Iterable[TracedValue], "InstanceValue | ClassValue", str], Iterable[TracedValue]]


def _as_made(instance: InstanceValue, name: str, site: Site, frame: Frame) -> InstanceValue:
    return instance


def _as_found(found: Iterable[TracedValue], owner: InstanceValue | ClassValue, name: str) -> Iterable[TracedValue]:
    return found


class Attributes:
    """Attributes of the values of one run."""

    def __init__(self, evaluator: Interpreter, classes: Classes, decorators: Decorators, names: ModuleNames) -> None:
        self._evaluator = evaluator
        self._classes = classes
        self._decorators = decorators
        self._names = names
        self.when_read: WhenRead = _as_made
        self.with_registered: WithRegistered = _as_found

    def with_own_items(self, traced: TracedValue, site: Site, frame: Frame) -> TracedValue:
        """A value, as it is where its items are read at a site: an object whose class derives from `list` or `dict`
        has those too that it has got since it was made."""
        instance = traced.value
        if not isinstance(instance, InstanceValue) or kind_of_items(instance, self._classes) is None:
            return traced
        return structs.replace(traced, value=self.when_read(instance, OWN_ITEMS, site, frame))

    def values(self, base: TracedValue, name: str, site: Site, frame: Frame) -> Iterable[TracedValue]:
        """The values that attribute `name` of a value can be."""
        match base.value:
            case ModuleValue(name=own) if own == frame.module.name:
                return self._names.values(self._evaluator.names.lookup(frame.module, name), site)
            case ExternalValue(path=path) | ModuleValue(name=path):
                return self._names.values(self._evaluator.names.dotted(f"{path}.{name}", frame.module), site)
            case ClassValue() as class_:
                known = tuple(self.with_registered(self._classes.class_attribute(class_, name, site), class_, name))
                if name == "__new__" and not known:
                    return (TracedValue(ExternalValue("builtins.object.__new__"), site),)
                return known if known or not class_.facts.decorators else self._of_replaced(class_, name, site, frame)
            case InstanceValue() as instance:
                found = self._classes.instance_attribute(self.when_read(instance, name, site, frame), name, site)
                return self.with_registered(found, instance, name)
            case FunctionValue(facts=facts) if name == "__wrapped__" and len(facts.decorators) == 1:
                return (self._names.undecorated(base),)
            case FunctionValue(facts=facts, undecorated=False) as function if facts.decorators:
                return self._put_on_by_decorators(function, name)
            case SuperValue(instance=ClassValue()) as parent if name == "__call__":
                return (TracedValue(parent, site),)  # `type.__call__`, in a metaclass: calling it makes an object.
            case SuperValue() as parent:
                return self._classes.super_attribute(parent, name, site)
            case ContainerValue(kind="functools.partial", slots=slots) if name == "func" and slots:
                return self._evaluator.evaluate(slots[0].value, slots[0].frame)
            case ContainerValue(kind=kind) as enumeration if is_enumeration(kind):
                return (TracedValue(member_of(enumeration), site),) if is_member(name) else ()
            case ContainerValue(kind="namedtuple") as record if name == MAKES_ONE:
                return (structs.replace(base, value=structs.replace(record, made_by=MAKES_ONE)),)
            case ContainerValue(kind="type()") as of_type if is_method(of_type, name, self._evaluator):
                return (base,)  # A bound method crosses with its object.
            case ContainerValue(kind=kind, slots=slots) if kind in SETTINGS:
                stored = [
                    slot for slot in slots if slot.key.attribute == name and not _is_stored_behind(slot, site, frame)
                ]
                return (traced for slot in stored for traced in self._evaluator.evaluate(slot.value, slot.frame))
            case (ProductValue() | ExternalResult()) as owner if (
                method := method_of(owner, name, self._evaluator)
            ) is not None:
                return (TracedValue(method, site),)
            case ExternalResult(path=path) as result:
                naming = self._evaluator.catalog.naming_methods(path)
                if naming and (named := named_attribute(result, name, naming, frame, self._evaluator)):
                    return named
                read = self._evaluator.catalog.attribute(path, name)
                if read == _TEXT:
                    return (TracedValue(DataValue("str"), site),)
                value = ExternalValue(f"{path}().{name}") if read is None else structs.replace(result, path=read)
                return (TracedValue(value, site),)
            case ProductValue(product=product):
                made = self._evaluator.catalog.method_product(product, name)
                if made is not None:
                    return (TracedValue(ProductValue(made, name), site),)
                if (row := made_after_setting(base.value, name, self._evaluator)) is not None:
                    return (TracedValue(ProductValue(row, name), site),)
                if (other := self._evaluator.catalog.attribute_product(product)) is not None:
                    return (TracedValue(ProductValue(other, f"{product.type}.{name}"), site),)
                if self._evaluator.catalog.attribute(product, name) == _TEXT:
                    return (TracedValue(DataValue("str"), site),)
                # A method that gives an object of a class is followed as that class.
                class_path = self._evaluator.catalog.method_returns(product, name)
                return (TracedValue(ExternalValue(class_path), site),) if class_path is not None else ()
            case PlainValue() as data:
                return (TracedValue(part_of_data(data), site),)
            case _:
                return ()

    def _put_on_by_decorators(self, function: FunctionValue, name: str) -> Iterator[TracedValue]:
        """An attribute that decorators give to the function of theirs that they put around another:
        `wrapper.meter = meter`."""
        for around in self._decorators.around(function, function.frame or Frame(function.module, function.facts)):
            for store in put_on(around, name):
                if around.frame is not None:
                    yield from self._evaluator.evaluate(store.value, around.frame)

    def _of_replaced(self, class_: ClassValue, name: str, site: Site, frame: Frame) -> Iterator[TracedValue]:
        """An attribute of what a library's decorator has put in the place of a class (`@ray.remote`)."""
        for made in self._decorators.in_place_of(class_, self._classes.body_frame(class_)):
            if isinstance(made, ExternalResult) and self._evaluator.catalog.has_boundaries(made.path):
                yield from self.values(TracedValue(made, site), name, site, frame)


def _is_stored_behind(slot: Slot, site: Site, frame: Frame) -> bool:
    """Whether what an object holds is only put into it behind a place of the same function."""
    return slot.frame.function is frame.function and slot.value.span.start > site.span.start


def put_on(function: FunctionValue, attribute: str) -> list[Store]:
    """Where the function in which another one is defined stores an attribute on that."""
    events = function.frame.function.events if function.frame is not None else ()
    return [
        event
        for event in events
        if isinstance(event, Store)
        and event.attribute == attribute
        and isinstance(event.target, NestedFunction)
        and event.target.function is function.facts
    ]
