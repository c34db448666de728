"""Constructors, run abstractly: every store that they make on the object, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from msgspec.structs import replace

from lintpickle.facts.records import Called, Delete, Event, FunctionFacts, Implied, ItemStore, Store
from lintpickle.facts.values import (
    UNNAMED,
    Attribute,
    Call,
    Choice,
    Expr,
    Item,
    Parameter,
    Super,
    chain,
)
from lintpickle.interpreter.abstract_values import (
    SOME_ITEM,
    Bound,
    ClassValue,
    Done,
    Doubt,
    Frame,
    FunctionValue,
    InstanceValue,
    Ran,
    Site,
    SlotKey,
    joined,
)
from lintpickle.interpreter.creation import Created
from lintpickle.interpreter.doings import done_by, done_by_callee
from lintpickle.interpreter.fields import given_fields, is_class_attribute
from lintpickle.interpreter.frames import Arguments, bind, expand
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.held_attributes import HeldAttributes
from lintpickle.interpreter.own_events import is_the_object
from lintpickle.interpreter.own_reads import own_reads, reads_in_results
from lintpickle.interpreter.parts import CALLING, part_of
from lintpickle.interpreter.protocols import ClassQueries, Interpreter
from lintpickle.interpreter.slots import MODULE_KINDS, slot_key
from lintpickle.interpreter.stores import attribute_filled
from lintpickle.limits import DEPTH, INLINED, NESTING, Limit
from lintpickle.resolution.construction import AFTER_INIT

PROPERTY_DECORATORS = ("property", "cached_property", "lazy_property", "abstractproperty")
_WITHOUT_INSTANCE = ("staticmethod", "classmethod", "property")
Put: TypeAlias = tuple[ClassValue, FunctionFacts, ItemStore, str]
"""A method that puts its object into an attribute of another one, with its class, the event and the attribute."""


class ConstructorRun:
    """One abstract run of a constructor, and of what is done to its object afterwards."""

    def __init__(
        self,
        evaluator: Interpreter,
        classes: ClassQueries,
        instance: InstanceValue,
        cached: frozenset[str],
    ) -> None:
        self._evaluator = evaluator
        self._classes = classes
        self._instance = instance
        self._inlined = 0
        self._doubts: tuple[Doubt, ...] = ()
        self.attributes = HeldAttributes()
        self._unread = cached
        """Properties that have not been read, if one of them makes the object keep something."""

    def construct(self) -> None:
        """Run what makes the object: `__new__`, `__init__` or the fields of a dataclass, and what runs after them."""
        arguments, is_bare = Arguments((), {}, True), False
        if self._instance.call is not None and self._instance.frame is not None:
            arguments = expand(self._instance.call, self._instance.frame, self._evaluator)
            is_bare = isinstance(function := self._instance.call.function, Attribute) and function.name == "__new__"
            if is_bare or chain(function) == ("type", "__call__"):
                arguments = replace(arguments, positional=arguments.positional[1:])  # The first one is the class.
        depth = self._instance.frame.depth + 1 if self._instance.frame is not None else 1
        new = self._classes.find_method(self._instance, "__new__")
        if new is not None:
            cls = Bound(value=self._instance.class_)
            given = Arguments((cls, *arguments.positional), arguments.keywords, arguments.open, arguments.optional)
            self._run(new[0], new[1], given, depth, creates=True)
        if is_bare:
            return
        init = self._classes.find_method(self._instance, "__init__")
        if init is not None:
            self._run(init[0], init[1], self._with_self(arguments), depth)
        variables = tuple(self._fields(arguments)) if init is None else ()
        posts = (self._classes.find_method(self._instance, name) for name in AFTER_INIT)
        post = next((found for found in posts if found is not None), None)
        if init is None and post is not None:
            self._run(post[0], post[1], self._with_self(Arguments(variables, {}, True)), depth)

    def take_in_others(self, puts: Iterable[Put]) -> None:
        """Take into the object's containers what other objects of its class put there: themselves, as the nodes of a
        tree (`parent.children.append(self)`)."""
        for owner, method, event, attribute in puts:
            if self.attributes.has_own(attribute):
                frame = self._classes.frame_of_other(owner, method, self._instance)
                doubts = (Doubt.CONDITION,)
                site = Site(owner.module, event.span)
                of_other = Held(attribute, event.value, frame, site, owner, method.name, False, SOME_ITEM, doubts)
                self.attributes.add(replace(of_other, is_of_other=True))

    def _with_self(self, arguments: Arguments) -> Arguments:
        given = (Bound(value=self._instance), *arguments.positional)
        return Arguments(given, arguments.keywords, arguments.open, arguments.optional)

    def _fields(self, arguments: Arguments) -> Iterator[Bound]:
        """Store what the fields of a dataclass, attrs class or NamedTuple are given, or their defaults; what
        `__post_init__` is given instead."""
        for given in given_fields(self._instance, arguments, self._classes):
            owner, field, bound = given.owner, given.field, given.bound
            if not field.stored:
                default = Bound(expr=given.default, frame=self._classes.body_frame(owner))
                yield bound or (Bound() if given.default is None else default)
            elif bound is not None and bound.expr is not None and bound.frame is not None:
                site = Site(bound.frame.module, bound.expr.span)
                self.attributes.store(Held(field.name, bound.expr, bound.frame, site, owner, "__init__"))
            elif field.default is not None and (default_value := given.default) is not None:
                site = Site(owner.module, field.default.span)
                doubts = (Doubt.DEFAULT,) if arguments.open else ()
                frame = self._classes.body_frame(owner)
                self.attributes.store(Held(field.name, default_value, frame, site, owner, "__init__", doubts=doubts))

    def _run(
        self,
        owner: ClassValue,
        function: FunctionFacts,
        arguments: Arguments,
        depth: int,
        creates: bool = False,
        called_by: tuple[Frame, Call] | None = None,
        place: int = 0,
    ) -> None:
        """Run a function of which the parameter at a place is the object."""
        maker = self._instance.frame
        if (maker is not None and maker.is_active(function)) or len(function.parameters) <= place:
            return
        limit = self._reached_limit(depth)
        if limit is not None:
            self._evaluator.cuts.note(limit)
            return
        self._inlined += 1
        bindings = bind(function, arguments)
        if bindings is None:
            bindings = {function.parameters[place].name: Bound(value=self._instance)}
        active = (*(maker.active if maker is not None else ()), id(function))
        frame = Frame(owner.module, function, bindings, owner.frame, depth, arguments.open, active, called_by)
        self._evaluator.nesting += 1
        try:
            if creates:
                self._create(frame, owner)
            else:
                me = function.parameters[place].name
                self._go_through(
                    self._events_of(function, me), frame, owner if not place else self._instance.class_, me
                )
                for read in reads_in_results(function, me, self._unread) if self._unread else ():
                    self._call_implied(read, frame)
        finally:
            self._evaluator.nesting -= 1

    def _reached_limit(self, depth: int) -> Limit | None:
        if depth > DEPTH.most:
            return DEPTH
        if self._evaluator.nesting > NESTING.most:
            return NESTING
        return INLINED if self._inlined > INLINED.most else None

    def go_on(self, ran: Ran) -> None:
        """Run what a method of the object has done after construction."""
        frame = replace(ran.frame, bindings={**ran.frame.bindings, ran.me: Bound(value=self._instance)})
        self._go_through(ran.events, frame, ran.owner, ran.me)

    def undergo(self, done: Done) -> None:
        """Do what a function does to the object, or note what it does to a part of it."""
        if done.path:
            self._do_to_part(done)
            return
        event, frame = done.event, done.frame
        site, method, before = Site(frame.module, event.span), frame.function.name, self._doubts
        match event:
            case ItemStore(target=target, value=value):
                filled = attribute_filled(target)
                name = filled.name if filled is not None else UNNAMED
                self.attributes.add(Held(name, value, frame, site, None, method, False, _key(event), done.doubts))
            case Store(value=value):
                name, is_certain = self._evaluator.stores.name_of(event, frame), not done.doubts
                held = Held(name, value, frame, site, None, method, is_certain, doubts=done.doubts)
                if not self._set(held):
                    self.attributes.store(held, replaces=is_certain)
            case Delete():
                self._delete(event, frame)
            case Called():
                self._doubts = joined(before, done.doubts)
                self._call_method(done, event, frame)
            case Implied():
                self._doubts = joined(before, done.doubts)
                self._call_implied(event, frame)
            case _:
                pass
        self._doubts = before

    def _do_to_part(self, done: Done) -> None:
        """Note what is done to the value of an attribute, or to a part of that."""
        if self.attributes.has_had(done.path[0]):
            self.attributes.do(replace(done, doubts=joined(self._doubts, done.doubts)))

    def _delete(self, event: Delete, frame: Frame) -> None:
        is_there = self.attributes.has_had(event.attribute)
        if is_there and (not event.conditional or self._reaches(event, frame) is not False):
            self.attributes.drop(event.attribute, lambda held: _is_followed(held, event, frame))
            self.attributes.delete(event.attribute, is_certain=not event.conditional)

    def _call_method(self, done: Done, event: Called, frame: Frame) -> None:
        """Run a method that a function calls on the object, or call what an attribute of the name holds."""
        found = self._method_run(done.method)
        if found is None:
            self._do_to_part(Done(event, frame, (done.method,), CALLING))
        elif not found[1].decorated_by(*_WITHOUT_INSTANCE):
            arguments = self._with_self(expand(event.call, frame, self._evaluator))
            self._run_call(found, arguments, event, frame, done.to_each)

    def _method_run(self, name: str) -> tuple[ClassValue, FunctionFacts] | None:
        """The method of a name, with its class; of a torch module that is called, `forward`."""
        found = self._classes.find_method(self._instance, name)
        if found is None and name == CALLING and self._classes.kind(self._instance) in MODULE_KINDS:
            return self._classes.find_method(self._instance, "forward")
        return found

    def _call_implied(self, event: Implied, frame: Frame) -> None:
        """Run a special method, or read a property, of the object."""
        found = self._method_run(event.method)
        if found is None or found[1].decorated_by(*PROPERTY_DECORATORS) != event.reads:
            return
        owner, method = found
        if event.method in self._unread and not event.conditional:
            self._unread -= {event.method}
        self._run_call(found, self._with_self(expand(event.call, frame, self._evaluator)), event, frame)
        if method.decorated_by("cached_property") and method.parameters:
            bindings = {method.parameters[0].name: Bound(value=self._instance)}
            inner = Frame(owner.module, method, bindings, owner.frame, frame.depth + 1)
            for value in method.returns:
                site = Site(owner.module, value.span)
                self.attributes.store(Held(event.method, value, inner, site, owner, method.name), replaces=False)

    def _create(self, frame: Frame, owner: ClassValue) -> None:
        """Do what a `__new__` does to the object that it makes. Of an object that is there, it is known that the call
        which makes it has been got to."""
        created = Created.by(frame.function)
        for event in frame.function.events if created.calls else ():
            made = created.call_before(event.span.start)
            if made is None:
                continue
            for done in done_by(event, frame, created.path):
                is_sure = frame.paths.is_followed_by(made.span.start, event.span.start)
                traced = is_sure or self._reaches(event, frame)
                if traced is False:
                    continue
                if isinstance(event, Store) and not done.path:
                    self._store(event, frame, owner, traced, replaces=is_sure or not event.conditional)
                else:
                    self.undergo(replace(done, doubts=() if traced else (Doubt.CONDITION,)))

    def _go_through(self, events: Iterable[Event], frame: Frame, owner: ClassValue, me: str) -> None:
        for event in events:
            if self._evaluator.is_spent:
                return  # Nothing more is known of the object.
            for read in own_reads(event, me, self._unread) if self._unread else ():
                self._call_implied(read, frame)
            match event:
                case Store(target=Parameter(name=name)) if name == me:
                    self._note(event, frame, owner)
                case ItemStore(target=target) if (attribute := _filled_on(target, me)) is not None:
                    self._put_in(event, attribute, frame, owner)
                case Delete(target=Parameter(name=name)) if name == me:
                    self._delete(event, frame)
                case Called(call=call):
                    self._enter(call, event, frame, owner, me)
                    self._note_done(event, frame, me)
                    self._hand_over_parts(event, frame, me)
                case Implied(target=Parameter(name=name)) if name == me:
                    self._call_implied(event, frame)
                case _:
                    self._note_done(event, frame, me)

    def _events_of(self, function: FunctionFacts, me: str) -> tuple[Event, ...]:
        """The events of a function that matter: where properties are to be read, all."""
        return function.events if self._unread else self._evaluator.own_events.of(function, me)

    def _note_done(self, event: Event, frame: Frame, me: str) -> None:
        """Note what a method of the object does to a part of it: `self.reader.open()`, `self.reader.rows = rows`."""
        for done in done_by(event, frame, lambda value: _path_from(me, value)):
            if done.path:
                self._note_done_to_part(done)

    def _note_done_to_part(self, done: Done) -> None:
        traced = self._reaches(done.event, done.frame) if self.attributes.has_had(done.path[0]) else False
        if traced is not False:
            self._do_to_part(replace(done, doubts=() if traced else (Doubt.CONDITION,)))

    def _hand_over_parts(self, event: Called, frame: Frame, me: str) -> None:
        """Note what a function or a constructor does to a part of the object that it is given: `View(self.scene)`."""

        def path_to(value: Expr) -> tuple[str, ...] | None:
            path = _path_from(me, value)
            return path if path and self.attributes.may_have_made(path[0]) else None

        for done in done_by_callee(event, frame, path_to, self._evaluator, kinds=(Event,)):
            self._do_to_part(done)

    def _reaches(self, event: Event, frame: Frame) -> bool | None:
        """Whether the run gets to an event: see `Conditions.reaches`."""
        return self._evaluator.conditions.reaches(event.span, frame)

    def _doubts_at(self, traced: bool | None) -> tuple[Doubt, ...]:
        return self._doubts if traced else joined(self._doubts, (Doubt.CONDITION,))

    def _note(self, event: Store, frame: Frame, owner: ClassValue) -> None:
        traced = self._reaches(event, frame)
        if traced is not False:
            self._store(event, frame, owner, traced, replaces=self._evaluator.conditions.replaces(event, frame))

    def _store(self, event: Store, frame: Frame, owner: ClassValue, traced: bool | None, replaces: bool) -> None:
        site, doubts = Site(frame.module, event.span), self._doubts_at(traced)
        name = self._evaluator.stores.name_of(event, frame)
        held = Held(name, event.value, frame, site, owner, frame.function.name, doubts=doubts)
        if not self._set(held):
            if not replaces and held.is_none:
                self.attributes.drop(name, lambda each: _is_followed(each, event, frame))
            self.attributes.store(held, replaces=replaces)

    def _set(self, held: Held) -> bool:
        """Run the setter of a property, or of a descriptor, in whose place something is stored; False if there is
        none."""
        found, place = self._classes.find_setter(self._instance, held.attribute), 0
        arguments = self._with_self(Arguments((Bound(expr=held.value, frame=held.frame),), {}, False))
        if found is None:
            descriptor = self._classes.find_descriptor(self._instance, held.attribute)
            found = self._classes.find_method(descriptor, "__set__") if descriptor is not None else None
            arguments = replace(arguments, positional=(Bound(value=descriptor), *arguments.positional))
            place = 1
        if found is None or held.frame.function is found[1]:
            return False
        before, self._doubts = self._doubts, held.doubts
        self._run(*found, arguments, held.frame.depth + 1, place=place)
        self._doubts = before
        return True

    def _put_in(self, event: ItemStore, attribute: str, frame: Frame, owner: ClassValue) -> None:
        if not self.attributes.has_own(attribute) and is_class_attribute(attribute, self._instance, self._classes):
            return  # The class's container is not in the state of an object.
        traced = self._reaches(event, frame)
        if traced is not False:
            site, doubts = Site(frame.module, event.span), self._doubts_at(traced)
            method = frame.function.name
            self.attributes.add(Held(attribute, event.value, frame, site, owner, method, False, _key(event), doubts))

    def _enter(self, call: Call, event: Called, frame: Frame, owner: ClassValue, me: str) -> None:
        """Run what construction calls on the instance: own methods, `super().m()`, `Base.m(self)`."""
        found: tuple[ClassValue, FunctionFacts] | None = None
        explicit_self = False
        match call.function:
            case Attribute(base=Parameter(name=name), name=method) if name == me:
                found = self._classes.find_method(self._instance, method)
                if found is None:
                    self._note_done_to_part(Done(event, frame, (method,), CALLING))
            case Parameter(name=name) if name == me:
                found = self._method_run(CALLING)
            case Attribute(base=Super(), name=method):
                found = self._classes.find_method(self._instance, method, after=owner)
            case Attribute(base=base, name=method) if call.arguments and is_the_object(call.arguments[0].value, me):
                for traced in self._evaluator.evaluate(base, frame):
                    if isinstance(traced.value, ClassValue):
                        found = self._classes.find_method(traced.value, method)
                        explicit_self = True
                if found is None:
                    self._hand_over(call, event, frame, owner, me)
            case Call() | Item() | Choice():
                self._call_what_is_found(call, event, frame)
            case _ if any(is_the_object(argument.value, me) for argument in call.arguments):
                self._hand_over(call, event, frame, owner, me)
            case _:
                pass
        if found is None or found[1].decorated_by(*_WITHOUT_INSTANCE):
            return
        arguments = expand(call, frame, self._evaluator)
        if not explicit_self:
            arguments = self._with_self(arguments)
        self._run_call(found, arguments, event, frame)

    def _call_what_is_found(self, call: Call, event: Called, frame: Frame) -> None:
        """Run the methods of the object one of which is called: `getattr(self, f"read_{kind}")()`,
        `{"train": self.read}[mode]()`, `for step in (self.read, self.sort): step()`."""
        called = (traced.value for traced in self._evaluator.evaluate(call.function, frame))
        methods = [each for each in called if isinstance(each, FunctionValue) and each.bound is self._instance]
        found = [self._classes.find_method(self._instance, each.facts.name) for each in methods]
        arguments = self._with_self(expand(call, frame, self._evaluator)) if methods else Arguments((), {}, True)
        is_each = len(found) == 1 or (isinstance(call.function, Item) and call.function.key is None)
        attributes, doubts_before, held = self.attributes, self._doubts, list[Held]()
        before = attributes.held
        for owned in found:
            if owned is not None and is_each:
                self._run_call(owned, arguments, event, frame)
            elif owned is not None:
                attributes.held, self._doubts = list(before), joined(doubts_before, (Doubt.BRANCH,))
                self._run_call(owned, arguments, event, frame)
                held += [each for each in attributes.held if not any(each is other for other in held)]
        self._doubts = doubts_before
        attributes.held = held or attributes.held

    def _hand_over(self, call: Call, event: Called, frame: Frame, owner: ClassValue, me: str) -> None:
        """Run a function that is given the object."""
        traced = self._reaches(event, frame)
        for callee in self._evaluator.evaluate(call.function, frame) if traced is not False else ():
            if isinstance(callee.value, FunctionValue) and self._reached_limit(frame.depth + 1) is None:
                inner = self._evaluator.enter(callee.value, call, frame)
                for name in inner.given(frame, lambda value: is_the_object(value, me)) if inner is not None else ():
                    assert inner is not None
                    self._inlined += 1
                    self._go_through(self._events_of(callee.value.facts, name), inner, owner, name)

    def _run_call(
        self,
        method: tuple[ClassValue, FunctionFacts],
        arguments: Arguments,
        event: Called | Implied,
        frame: Frame,
        to_each: bool = False,
    ) -> None:
        traced = self._reaches(event, frame)
        if traced is False:
            return
        may_not_be_run = event.conditional and not (to_each and traced)
        held = self.attributes.held if may_not_be_run else ()
        before = [each for each in held if not _is_followed(each, event, frame)]
        doubts_before = self._doubts
        self._doubts = self._doubts_at(traced)
        self._run(*method, arguments, frame.depth + 1, called_by=(frame, event.call))
        self._doubts = doubts_before
        if may_not_be_run:
            self.attributes.keep_from(before)


def _is_followed(held: Held, event: Event, frame: Frame) -> bool:
    """Whether the function that stores a value, or calls for it, always gets to an event afterwards."""
    return any(home is frame and frame.paths.is_followed_by(place, event.span.start) for home, place in held.way)


def _key(event: ItemStore) -> SlotKey:
    """Under which key something is put into a container, as it is written."""
    return slot_key(event.key) or SOME_ITEM


def _filled_on(target: Expr, me: str) -> str | None:
    """The attribute of an object into whose value, or into a part of that, something is put."""
    match attribute_filled(target):
        case Attribute(base=Parameter(name=name), name=attribute) if name == me:
            return attribute
        case _:
            return None


def _path_from(me: str, value: Expr) -> tuple[str, ...] | None:
    """The steps that lead from an object to what an expression of its method gives, if that is a part of it."""
    root, path = part_of(value)
    return path if is_the_object(root, me) else None
