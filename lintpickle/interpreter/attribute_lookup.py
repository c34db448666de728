"""What attribute access finds on a class, on an instance, and behind `super()`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec import structs

from lintpickle.facts.methods import method_named, methods_holding
from lintpickle.facts.records import ClassFacts, FunctionFacts, Store
from lintpickle.facts.values import UNNAMED, Argument, Attribute, Call, Constant, Expr, Name, Parameter, merged_mapping
from lintpickle.interpreter.abstract_values import (
    SOME_ITEM,
    UNKNOWN,
    AbstractValue,
    ClassValue,
    ConstantValue,
    ContainerValue,
    Doubt,
    ExternalValue,
    Frame,
    FunctionValue,
    InstanceValue,
    Site,
    Slot,
    SuperValue,
    TracedValue,
)
from lintpickle.interpreter.class_reads import ClassReads
from lintpickle.interpreter.delegated_reads import DelegatedReads
from lintpickle.interpreter.descriptors import Descriptors
from lintpickle.interpreter.fields import value_on_class
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.items import keys_of
from lintpickle.interpreter.own_setitem import without_changed_items
from lintpickle.interpreter.protocols import ClassQueries, Interpreter
from lintpickle.interpreter.proxies import kept_in_process
from lintpickle.interpreter.slots import is_mapping
from lintpickle.parsing.syntax import is_special_name
from lintpickle.resolution.registrations import derived_in, table_of_subclasses

_STORES_BY_ANY_NAME = re.compile(r"setattr|__dict__|vars\(")
"""What stands in code that may store an attribute without writing its name after a dot."""


_IsTarget: TypeAlias = Callable[[Expr, FunctionFacts, ClassValue], bool]


def _is_own(target: Expr, method: FunctionFacts, owner: ClassValue) -> bool:
    """Whether an expression is what the method is called on."""
    return isinstance(target, Parameter) and target.name == method.parameters[0].name


def is_class_of_own(target: Expr, method: FunctionFacts, owner: ClassValue) -> bool:
    """Whether an expression is the class of what the method is called on, or the one that defines the method."""
    match target:
        case Name(name=name):
            return name == owner.facts.name
        case Call(function=Name(name="type"), arguments=(Argument(value=me),)) | Attribute(base=me, name="__class__"):
            return _is_own(me, method, owner)
        case Parameter():
            return method.decorated_by("classmethod") and _is_own(target, method, owner)
        case _:
            return False


class AttributeLookup:
    """Attributes of the classes of one run and of their instances."""

    def __init__(self, evaluator: Interpreter, classes: ClassQueries, descriptors: Descriptors) -> None:
        self._evaluator = evaluator
        self._classes = classes
        self.reads = ClassReads(evaluator, classes, descriptors)
        self._delegated = DelegatedReads(evaluator, classes, self.reads)
        self._sought: set[str] = set()
        self._never_stored: dict[tuple[int, str], tuple[ClassFacts, bool]] = {}

    def forget(self) -> None:
        """Let go of the frames in which properties were read, and attributes looked up."""
        self.reads.forget()
        self._delegated.forget()

    def class_attribute(self, class_: ClassValue, name: str, site: Site) -> Iterator[TracedValue]:
        """What `Class.name` can be."""
        for inner in class_.facts.classes:
            if inner.name == name:
                yield TracedValue(self._classes.module_level(class_.module, inner), site)
                return
        for ancestor in self._classes.mro(class_):
            if isinstance(ancestor, ExternalValue):
                if ancestor.path != "builtins.object":
                    yield TracedValue(ExternalValue(f"{ancestor.path}.{name}"), site)
                continue
            method = method_named(name, ancestor.facts)
            if method is not None:
                bound = class_ if method.decorated_by("classmethod") else None
                yield TracedValue(FunctionValue(ancestor.module, method, ancestor.frame, bound), site)
                return
            value = value_on_class(name, ancestor, self._classes)
            if value is not None:
                for traced in self.reads.read(value, ancestor, None):
                    yield self._with_subclasses(traced, ancestor, name)
                if isinstance(value, Constant) and value.value is None:
                    yield from self._stored_on_class(class_, name, site)
                return
        yield from self._stored_on_class(class_, name, site)

    def _stored_on_class(self, class_: ClassValue, name: str, site: Site) -> Iterator[TracedValue]:
        """What class methods store on their class in an attribute that its body leaves empty: `cls._instance = cls()`,
        say."""
        line = self._classes.mro(class_)
        is_read = all(isinstance(each, ClassValue) or each.path == "builtins.object" for each in line)
        sought = f"{class_.facts.qualname}.{name}"
        if not is_read or is_special_name(name) or sought in self._sought:
            return
        self._sought.add(sought)
        try:
            for owner in line:
                if isinstance(owner, ClassValue):
                    yield from self._stored_by_class_methods(class_, owner, name, site)
        finally:
            self._sought.discard(sought)

    def _stored_by_class_methods(
        self, class_: ClassValue, owner: ClassValue, name: str, site: Site
    ) -> Iterator[TracedValue]:
        for method in methods_holding(owner.facts.methods, _stored_as(name), owner.module.code):
            if method.name == "__new__" or method.decorated_by("classmethod"):
                yield from self._stored_by(method, owner, class_, name, site)

    def _stored_by(
        self,
        method: FunctionFacts,
        owner: ClassValue,
        me: AbstractValue,
        name: str,
        site: Site,
        is_target: _IsTarget = _is_own,
    ) -> Iterator[TracedValue]:
        """What a method stores in an attribute of what it is called on, or of its class; not for the very value that is
        stored."""
        for event in self._evaluator.own_events.stores_in(method, name) if method.parameters else ():
            value = event.value
            if is_target(event.target, method, owner) and not Site(owner.module, value.span).contains(site):
                for traced in self._evaluator.evaluate(value, self._frame_of(method, owner, me)):
                    if traced.value is not UNKNOWN:
                        yield traced.doubted(Doubt.BRANCH)

    def _with_subclasses(self, traced: TracedValue, owner: ClassValue, name: str) -> TracedValue:
        """What a class has under a name; of a table into which it puts its subclasses, with those of the module."""
        table = traced.value
        if not isinstance(table, ContainerValue) or not is_mapping(table.kind):
            return traced
        how = table_of_subclasses(owner.facts, name, owner.module.code)
        if how is None:
            return traced
        frame = self._classes.body_frame(owner)
        slots = list(table.slots)
        for key, class_ in derived_in(owner.module, how):
            for found in self._evaluator.evaluate(class_, frame):
                line = self._classes.mro(found.value)[1:] if isinstance(found.value, ClassValue) else ()
                if any(isinstance(each, ClassValue) and each.facts is owner.facts for each in line):
                    keys = keys_of(key, frame, self._evaluator)
                    slots.append(Slot(keys[0] if len(keys) == 1 else SOME_ITEM, class_, frame))
        return structs.replace(traced, value=ContainerValue(table.kind, tuple(slots), table.call))

    def instance_attribute(self, instance: InstanceValue, name: str, site: Site) -> Iterator[TracedValue]:
        """What `instance.name`, read at `site`, can be: what construction stored, else what the class has, or an object
        to which it hands the read on. What is read for the very value that is stored (`self.read = logged(self.read)`)
        is what was there before."""
        if name == "__class__":
            yield TracedValue(instance.class_, site)
            return
        if self._is_method_alone(instance, name):
            yield from self.reads.from_class(instance, name, site, None)
            return
        states = self._classes.states.state(instance)
        held = [each for each in states if each.attribute == name and not each.is_made_from(site)]
        held = list(without_changed_items(held, self._evaluator))
        filled = self._filled(held)
        if filled is not None:
            yield from filled
            return
        for item in kept_in_process(held, self._evaluator):
            yield from self._held_by(item, site)
        if _may_be_filled(held, states):
            yield TracedValue(UNKNOWN, site)
        is_known, is_in_class = bool(held), False
        for traced in self.reads.from_class(instance, name, site, None) if not held else ():
            is_none = isinstance(traced.value, ConstantValue) and traced.value.value is None
            is_known = is_known or not isinstance(traced.value, ExternalValue)
            is_in_class = is_in_class or (is_known and not is_none)
            yield traced
        if name in self._sought or is_in_class or not all(each.is_none for each in held):
            return
        is_had = is_known
        self._sought.add(name)
        try:
            for traced in self._stored_later(instance, name, site, bool(held), is_known):
                is_had = True
                yield traced
        finally:
            self._sought.discard(name)
        if not is_had:
            yield from self._delegated.read(instance, name)

    def _stored_later(
        self, instance: InstanceValue, name: str, site: Site, is_held: bool, is_known: bool
    ) -> Iterator[TracedValue]:
        """What is stored in an attribute by methods other than the constructor, on the object or on its class."""
        if is_held or not is_known:
            yield from self._stored_by_methods(instance, name, site)
        if not is_held:
            yield from self._stored_on_class_by_methods(instance, name, site)

    def _is_method_alone(self, instance: InstanceValue, name: str) -> bool:
        """Whether a name is that of a method of an object, and nothing stores anything else under it: then it does not
        matter what the object holds, which takes a run of its constructor to find out."""
        if not self._is_never_stored(instance.class_, name):
            return False
        stored = [*(each.event for each in instance.later), *(each.event for each in instance.done)]
        if instance.call is not None and instance.frame is not None:
            stored += [each.event for each in self._evaluator.stores.on(instance.call, instance.frame)]
        return not any(isinstance(event, Store) and event.attribute in (name, UNNAMED) for event in stored)

    def _is_never_stored(self, class_: ClassValue, name: str) -> bool:
        """Whether a class has a method of that name which is no property, and no code of its bases may store anything
        else under it; remembered, it depends on nothing else."""
        key = (id(class_.facts), name)
        if key not in self._never_stored:
            found = self._classes.find_method(class_, name)
            line = (each.module for each in self._classes.mro(class_) if isinstance(each, ClassValue))
            is_alone = found is not None and not self.reads.is_property(found[1], found[0])
            forms = (_stored_as(name), _STORES_BY_ANY_NAME)
            is_alone = is_alone and not any(module.has(form) for module in line for form in forms)
            self._never_stored[key] = (class_.facts, is_alone)
        return self._never_stored[key][1]

    def _held_by(self, item: Held, site: Site) -> Iterator[TracedValue]:
        """What an attribute holds by one store, or a container with what one puts into the one that it holds."""
        merged = merged_mapping(item.value) if item.key is not None else None
        if merged is not None:
            found = self._evaluator.evaluate(merged, item.frame)
            yield from (each.doubted(*item.doubts) for each in found if isinstance(each.value, ContainerValue))
        elif item.is_of_other or item.key is not None:
            slot = Slot(item.key or SOME_ITEM, item.value, item.frame, item.done)
            kind = "list" if slot.key == SOME_ITEM else "dict"
            yield TracedValue(ContainerValue(kind, (slot,)), site).doubted(*item.doubts)
        else:
            for traced in self._evaluator.given(item.value, item.frame):
                yield item.after_all(traced).doubted(*item.doubts)

    def _filled(self, held: Sequence[Held]) -> list[TracedValue] | None:
        """The mappings that an attribute holds, with what is surely put into them; None if it is something else."""
        first, *others = held or (None,)
        if first is None or not others or first.key is not None or any(each.key is None for each in others):
            return None
        made = [first.after_all(each) for each in self._evaluator.evaluate(first.value, first.frame)]
        added = list(map(self._put_by, others))
        if any(each is None for each in added):
            return None
        found: list[TracedValue] = []
        for traced in made:
            if not isinstance(traced.value, ContainerValue) or not is_mapping(traced.value.kind):
                return None
            slots = traced.value.slots
            for new in added:
                known = {slot.key for slot in new or () if slot.key != SOME_ITEM}
                slots = (*(slot for slot in slots if slot.key not in known), *(new or ()))
            filled = structs.replace(traced.value, slots=slots)
            found.append(structs.replace(traced, value=filled).doubted(*first.doubts))
        return found

    def _put_by(self, item: Held) -> tuple[Slot, ...] | None:
        """What a store puts into the mapping that an attribute holds; None if that is not sure."""
        if item.doubts or item.is_of_other:
            return None
        merged = merged_mapping(item.value)
        if merged is None:
            return (Slot(item.key or SOME_ITEM, item.value, item.frame, item.done),)
        match self._evaluator.evaluate(merged, item.frame):
            case (TracedValue(value=ContainerValue(kind=kind, slots=slots)),) if is_mapping(kind):
                return tuple(slot for slot in slots if slot.is_item)
            case _:
                return None

    def _stored_by_methods(self, instance: InstanceValue, name: str, site: Site) -> Iterator[TracedValue]:
        """What methods other than the constructor store in an attribute that nothing else fills."""
        form = _stored_as(name)
        for owner in self._classes.mro(instance):
            if not isinstance(owner, ClassValue):
                continue
            for method in methods_holding(owner.facts.methods, form, owner.module.code):
                if method.name != "__init__" and not method.decorated_by("staticmethod", "classmethod"):
                    yield from self._stored_by(method, owner, instance, name, site)

    def _stored_on_class_by_methods(self, instance: InstanceValue, name: str, site: Site) -> Iterator[TracedValue]:
        """What methods store in an attribute of the class: `type(self).pool = pool`, `Service.pool = pool`."""
        for owner in self._classes.mro(instance):
            if isinstance(owner, ClassValue):
                for method in methods_holding(owner.facts.methods, _stored_as(name), owner.module.code):
                    yield from self._stored_by(method, owner, instance, name, site, is_class_of_own)

    def _frame_of(self, method: FunctionFacts, owner: ClassValue, me: AbstractValue) -> Frame:
        """The frame in which a method stores something: that of the constructor, with what an object is made with."""
        match me:
            case InstanceValue(call=Call() as made, frame=Frame() as maker) if method.name == "__init__":
                function = FunctionValue(owner.module, method, owner.frame, me)
                entered = self._evaluator.enter(function, made, maker)
                return entered or self.reads.frame_on(owner, method, me)
            case _:
                return self.reads.frame_on(owner, method, me)

    def super_attribute(self, parent: SuperValue, name: str, site: Site) -> Iterator[TracedValue]:
        """What `super().name` can be."""
        yield from self.reads.from_class(parent.instance, name, site, parent.owner)


_NOTHING_YET = (None, 0)


def _may_be_filled(held: Sequence[Held], states: Sequence[Held]) -> bool:
    """Whether an attribute that holds nothing yet (0, None) may be given something behind that, by a store of which the
    name is not known: the defaults of settings, before `self.__dict__.update(options)`. Other defaults, and flags, are
    taken to stay as they are."""
    if not held or not all(isinstance(each.value, Constant) and each.value.value in _NOTHING_YET for each in held):
        return False
    if any(isinstance(each.value, Constant) and each.value.value is False for each in held):
        return False
    last = held[-1]
    behind = itertools.dropwhile(lambda each: each is not last, states)
    return any(each.attribute == UNNAMED and each.direct for each in behind)


@lru_cache(maxsize=1024)
def _stored_as(name: str) -> re.Pattern[str]:
    """How an attribute stands where it is stored."""
    return re.compile(rf"\.{re.escape(name)}\b\s*(?:=[^=]|:|,)")
