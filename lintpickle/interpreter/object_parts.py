"""What an object holds while functions that do something to it are followed, and what they do to its parts."""

from __future__ import annotations

from itertools import chain

from msgspec.structs import replace

from lintpickle.facts.records import Called, Delete, Event, ItemStore, PartRead
from lintpickle.facts.values import Attribute, Call, Expr
from lintpickle.interpreter.abstract_values import (
    SOME_ITEM,
    ClassValue,
    Done,
    Doubt,
    Frame,
    InstanceValue,
    Site,
    SlotKey,
    TracedValue,
    joined,
)
from lintpickle.interpreter.doings import done_by, done_by_callee, done_by_name, keeps
from lintpickle.interpreter.fields import is_class_attribute
from lintpickle.interpreter.frames import Arguments
from lintpickle.interpreter.given_items import items_given
from lintpickle.interpreter.held import OWN_ITEMS, Held
from lintpickle.interpreter.held_attributes import HeldAttributes
from lintpickle.interpreter.iterators import some_element
from lintpickle.interpreter.own_events import is_the_object
from lintpickle.interpreter.own_items import kind_of_items, puts_plainly
from lintpickle.interpreter.parts import part_of
from lintpickle.interpreter.protocols import ClassQueries, Interpreter
from lintpickle.interpreter.slots import slot_key


class ObjectParts:
    """The attributes of one object, and what is stored in them, put into them and done to them. `doubts` are those of
    the code that is followed at the moment."""

    def __init__(self, evaluator: Interpreter, classes: ClassQueries, instance: InstanceValue) -> None:
        self._evaluator = evaluator
        self._classes = classes
        self._instance = instance
        self.attributes = HeldAttributes()
        self.doubts: tuple[Doubt, ...] = ()

    def kept_as(self, value: Expr, me: str) -> tuple[TracedValue, ...]:
        """What the object keeps by now under the attribute that an expression reads; nothing if it reads no attribute
        of the object, or one that is not known to be set."""
        path = path_from(me, value)
        if path is None or len(path) != 1:
            return ()
        held = (each for each in self.attributes.of(path[0]) if each.key is None)
        return tuple(
            traced.doubted(*each.doubts) for each in held for traced in self._evaluator.evaluate(each.value, each.frame)
        )

    def reaches(self, event: Event, frame: Frame) -> bool | None:
        """Whether the run gets to an event: see `Conditions.reaches`."""
        return self._evaluator.conditions.reaches(event.span, frame)

    def doubts_at(self, traced: bool | None) -> tuple[Doubt, ...]:
        """The doubts of what comes where the run gets to, surely (`traced`) or perhaps."""
        return self.doubts if traced else joined(self.doubts, (Doubt.CONDITION,))

    def delete(self, event: Delete, frame: Frame) -> None:
        """Take an attribute away, if the run may get to where it is deleted."""
        is_there = self.attributes.has_had(event.attribute)
        if is_there and (not event.conditional or self.reaches(event, frame) is not False):
            self.attributes.drop(event.attribute, lambda held: is_followed(held, event, frame))
            self.attributes.delete(event.attribute, is_certain=not event.conditional)

    def put_in(self, event: ItemStore, attribute: str, frame: Frame, owner: ClassValue) -> None:
        """Note what is put into the container that an attribute of the object holds."""
        if not self.attributes.has_own(attribute) and is_class_attribute(attribute, self._instance, self._classes):
            return  # The class's container is not in the state of an object.
        traced = self.reaches(event, frame)
        if traced is not False:
            site, doubts = Site(frame.module, event.span), self.doubts_at(traced)
            method = frame.function.name
            held = Held(attribute, event.value, frame, site, owner, method, False, key_put(event), doubts)
            self.note_put(held, event)

    def note_put(self, held: Held, event: ItemStore) -> None:
        """Note what is put into the container that an attribute holds, or into a part of that."""
        if isinstance(event.target, Attribute):
            self.attributes.put_into(held, event)
        else:
            self.attributes.add(held)

    def put_in_itself(self, event: ItemStore, frame: Frame, owner: ClassValue) -> None:
        """Note what an object that is a container puts into itself: `self[key] = value`, `self.append(value)`."""
        if kind_of_items(self._instance, self._classes) is None:
            return
        traced = self.reaches(event, frame) if puts_plainly(event, self._instance, owner, self._classes) else False
        if traced is not False:
            site, doubts, method = Site(frame.module, event.span), self.doubts_at(traced), frame.function.name
            held = Held(OWN_ITEMS, event.value, frame, site, owner, method, False, key_put(event), doubts)
            self.attributes.put(held, replaces=not event.conditional)

    def put_in_by_method(self, event: Called, frame: Frame) -> bool:
        """Note what a function puts into an object that is a list, by a method that it has from that:
        `group.append(process)`. False if the call is another one."""
        value = _put_by(event.call) if kind_of_items(self._instance, self._classes) is not None else None
        traced = self.reaches(event, frame) if value is not None else False
        if value is not None and traced is not False:
            site, doubts, method = Site(frame.module, event.span), self.doubts_at(traced), frame.function.name
            held = Held(OWN_ITEMS, value, frame, site, None, method, False, SOME_ITEM, doubts)
            self.attributes.put(held, replaces=False)
        return value is not None

    def fill(self, arguments: Arguments, method: str, owner: ClassValue | None = None) -> None:
        """Note what the constructor of `dict` or `list`, from which the class derives, puts into the object."""
        kind = kind_of_items(self._instance, self._classes)
        for slot, doubts in items_given(kind, arguments, self._evaluator) if kind is not None else ():
            site, doubts = Site(slot.frame.module, slot.value.span), joined(self.doubts, doubts)
            held = Held(OWN_ITEMS, slot.value, slot.frame, site, owner, method, False, slot.key, doubts, slot.done)
            self.attributes.put(held, replaces=not doubts)

    def fill_by_base(self, event: Called, arguments: Arguments, frame: Frame, owner: ClassValue) -> None:
        """The same where a method calls that constructor: `super().__init__(**options)`."""
        traced = self.reaches(event, frame)
        if traced is not False:
            before, self.doubts = self.doubts, self.doubts_at(traced)
            self.fill(arguments, frame.function.name, owner)
            self.doubts = before

    def take_out(self, event: Called, me: str) -> None:
        """Note that an object that is a container loses an item, or all: `self.pop("log")`, `self.clear()`."""
        match event.call:
            case Call(function=Attribute(base=base, name="pop" | "clear"), arguments=given) if is_the_object(base, me):
                key = slot_key(given[0].value) if given else None
                if not event.conditional and (key is not None or not given):
                    self.attributes.drop(OWN_ITEMS, lambda held: key is None or held.key == key)
            case _:
                pass

    def note_done(self, event: Event, frame: Frame, me: str) -> None:
        """Note what a method of the object does to a part of it: `self.reader.open()`, `self.reader.rows = rows`."""

        def path_to(value: Expr) -> tuple[str, ...] | None:
            return path_from(me, value)

        found = done_by(event, frame, path_to), done_by_name(event, frame, path_to, self._evaluator)
        for done in chain.from_iterable(found):
            if done.path:
                self.note_done_to_part(done)

    def note_done_to_part(self, done: Done) -> None:
        """Note what is done to a part of the object, if the run may get there."""
        traced = self.reaches(done.event, done.frame) if self.attributes.has_had(done.path[0]) else False
        if traced is not False:
            self.do_to_part(replace(done, doubts=() if traced else (Doubt.CONDITION,)))

    def do_to_part(self, done: Done) -> None:
        """Note what is done to the value of an attribute, or to a part of that."""
        if self.attributes.has_had(done.path[0]):
            self.attributes.do(replace(done, doubts=joined(self.doubts, done.doubts)))

    def keeps_on_reading(self, read: PartRead, me: str) -> bool:
        """Whether a part of the object may keep something because its property is read."""
        path = path_from(me, read.target)
        held = self.attributes.of(path[0]) if path else []
        owners = [traced for each in held for traced in self._evaluator.evaluate(each.value, each.frame)]
        for step in path[1:] if path is not None else ():
            site = Site(self._instance.class_.module, read.span)
            instances = [each.value for each in owners if isinstance(each.value, InstanceValue)]
            owners = [traced for each in instances for traced in self._classes.instance_attribute(each, step, site)]
        return keeps(read, owners, self._evaluator)

    def hand_over_parts(self, event: Called, frame: Frame, me: str) -> None:
        """Note what a function or a constructor does to a part of the object that it is given: `View(self.scene)`."""

        def path_to(value: Expr) -> tuple[str, ...] | None:
            path = path_from(me, value)
            return path if path and self.attributes.may_have_made(path[0]) else None

        for done in done_by_callee(event, frame, path_to, self._evaluator, kinds=(Event,)):
            self.do_to_part(done)


def is_followed(held: Held, event: Event, frame: Frame) -> bool:
    """Whether the function that stores a value, or calls for it, always gets to an event afterwards."""
    return any(home is frame and frame.paths.is_followed_by(place.start, event.span.start) for home, place in held.way)


def key_put(event: ItemStore) -> SlotKey:
    """Under which key something is put into a container, as it is written."""
    return slot_key(event.key) or SOME_ITEM


def _put_by(call: Call) -> Expr | None:
    """What a call of a method puts into a list or set; None if it does not."""
    match call.function, call.positional():
        case Attribute(name="append" | "appendleft" | "add"), (value,):
            return value
        case Attribute(name="insert"), (_, value):
            return value
        case Attribute(name="extend"), (values,):
            return some_element(values)
        case _:
            return None


def path_from(me: str, value: Expr) -> tuple[str, ...] | None:
    """The steps that lead from an object to what an expression of its method gives, if that is a part of it."""
    root, path = part_of(value)
    return path if is_the_object(root, me) else None
