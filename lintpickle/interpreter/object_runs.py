"""What is done to an object, run abstractly: every store that functions make on it, in order."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from lintpickle.facts.records import Called, Delete, Event, FunctionFacts, Implied, ItemStore, PartRead, Store
from lintpickle.facts.values import UNNAMED, Attribute, Call, Choice, Expr, Item, Parameter, Super
from lintpickle.interpreter.abstract_values import (
    Bound,
    ClassValue,
    Done,
    Doubt,
    Frame,
    FunctionValue,
    InstanceValue,
    Ran,
    Site,
    joined,
)
from lintpickle.interpreter.frames import Arguments, bind, expand
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.object_parts import ObjectParts, is_followed, key_put
from lintpickle.interpreter.own_events import is_the_object
from lintpickle.interpreter.own_items import is_container
from lintpickle.interpreter.own_reads import PROPERTY_DECORATORS, own_reads, reads_in_results
from lintpickle.interpreter.parts import CALLING
from lintpickle.interpreter.protocols import ClassQueries, Interpreter
from lintpickle.interpreter.slots import MODULE_KINDS
from lintpickle.interpreter.stores import attribute_filled
from lintpickle.limits import DEPTH, INLINED, NESTING, Limit

_WITHOUT_INSTANCE = ("staticmethod", "classmethod", "property")


class ObjectRun:
    """One abstract run of what is done to an object."""

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
        self._parts = ObjectParts(evaluator, classes, instance)
        self.attributes = self._parts.attributes
        self._unread = cached
        """Properties that have not been read, if one of them makes the object keep something."""

    def _with_self(self, arguments: Arguments) -> Arguments:
        given = (Bound(value=self._instance), *arguments.positional)
        return replace(arguments, positional=given)

    def _run(
        self,
        owner: ClassValue,
        function: FunctionFacts,
        arguments: Arguments,
        depth: int,
        called_by: tuple[Frame, Call] | None = None,
        place: int = 0,
    ) -> None:
        """Run a function of which the parameter at a place is the object."""
        frame = self._frame_of(owner, function, arguments, depth, called_by, place)
        if frame is None:
            return
        me = function.parameters[place].name
        self._evaluator.nesting += 1
        try:
            self._go_through(self._events_of(function, me), frame, owner if not place else self._instance.class_, me)
            for read in reads_in_results(function, me, self._unread) if self._unread else ():
                self._call_implied(read, frame)
        finally:
            self._evaluator.nesting -= 1

    def _frame_of(
        self,
        owner: ClassValue,
        function: FunctionFacts,
        arguments: Arguments,
        depth: int,
        called_by: tuple[Frame, Call] | None = None,
        place: int = 0,
    ) -> Frame | None:
        """The frame of such a function; None if it is running already, has no such parameter, or goes too deep."""
        maker = self._instance.frame
        if (maker is not None and maker.is_active(function)) or len(function.parameters) <= place:
            return None
        limit = self._reached_limit(depth)
        if limit is not None:
            self._evaluator.cuts.note(limit)
            return None
        self._inlined += 1
        bindings = bind(function, arguments)
        if bindings is None:
            bindings = {function.parameters[place].name: Bound(value=self._instance)}
        active = (*(maker.active if maker is not None else ()), id(function))
        return Frame(owner.module, function, bindings, owner.frame, depth, arguments.open, active, called_by)

    def _reached_limit(self, depth: int) -> Limit | None:
        if depth > DEPTH.most:
            return DEPTH
        if self._evaluator.nesting > NESTING.most:
            return NESTING
        return INLINED if self._inlined > INLINED.most else None

    def go_on(self, ran: Ran) -> None:
        """Run what a method of the object has done after construction."""
        for each in ran.first:
            self.go_on(each)
        frame = replace(ran.frame, bindings={**ran.frame.bindings, ran.me: Bound(value=self._instance)})
        self._go_through(ran.events, frame, ran.owner, ran.me)

    def undergo(self, done: Done) -> None:
        """Do what a function does to the object, or note what it does to a part of it."""
        if done.path:
            self._parts.do_to_part(done)
            return
        event, frame = done.event, done.frame
        site, method, before = Site(frame.module, event.span), frame.function.name, self._parts.doubts
        match event:
            case ItemStore(target=target, value=value):
                filled = attribute_filled(target)
                name = filled.name if filled is not None else UNNAMED
                held = Held(name, value, frame, site, None, method, False, key_put(event), done.doubts)
                self._parts.note_put(held, event)
            case Store(value=value):
                name, is_certain = self._evaluator.stores.name_of(event, frame), not done.doubts
                held = Held(name, value, frame, site, None, method, is_certain, doubts=done.doubts)
                if not self._set(held):
                    self.attributes.store(held, replaces=is_certain)
            case Delete():
                self._parts.delete(event, frame)
            case Called():
                self._parts.doubts = joined(before, done.doubts)
                self._call_method(done, event, frame)
            case Implied():
                self._parts.doubts = joined(before, done.doubts)
                self._call_implied(event, frame)
            case PartRead():
                self._parts.doubts = joined(before, done.doubts)
                self._call_implied(_as_call(event), frame)
            case _:
                pass
        self._parts.doubts = before

    def _call_method(self, done: Done, event: Called, frame: Frame) -> None:
        """Run a method that a function calls on the object, or call what an attribute of the name holds."""
        found = self._method_run(done.method)
        if found is None and not self._parts.put_in_by_method(event, frame):
            self._parts.do_to_part(Done(event, frame, (done.method,), CALLING))
        elif found is not None and not found[1].decorated_by(*_WITHOUT_INSTANCE):
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
                    self._parts.put_in(event, attribute, frame, owner)
                case ItemStore(target=target) if isinstance(target, Super) or is_the_object(target, me):
                    self._parts.put_in_itself(event, frame, owner)
                case Delete(target=Parameter(name=name)) if name == me:
                    self._parts.delete(event, frame)
                case Called(call=call):
                    self._enter(call, event, frame, owner, me)
                    self._parts.take_out(event, me)
                    self._parts.note_done(event, frame, me)
                    self._parts.hand_over_parts(event, frame, me)
                case Implied(target=Parameter(name=name)) if name == me:
                    self._call_implied(event, frame)
                case PartRead() if not self._parts.keeps_on_reading(event, me):
                    pass
                case _:
                    self._parts.note_done(event, frame, me)

    def _events_of(self, function: FunctionFacts, me: str) -> tuple[Event, ...]:
        """The events of a function that matter: where properties are to be read, all."""
        return function.events if self._unread else self._evaluator.own_events.of(function, me)

    def _note(self, event: Store, frame: Frame, owner: ClassValue) -> None:
        traced = self._parts.reaches(event, frame)
        if traced is not False:
            self._store(event, frame, owner, traced, replaces=self._evaluator.conditions.replaces(event, frame))

    def _store(self, event: Store, frame: Frame, owner: ClassValue, traced: bool | None, replaces: bool) -> None:
        site, doubts = Site(frame.module, event.span), self._parts.doubts_at(traced)
        name = self._evaluator.stores.name_of(event, frame)
        held = Held(name, event.value, frame, site, owner, frame.function.name, doubts=doubts)
        if not self._set(held):
            if replaces:
                self.attributes.store(held)
            else:
                self.attributes.store_where(held, lambda each: is_followed(each, event, frame))

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
        before, self._parts.doubts = self._parts.doubts, held.doubts
        self._run(*found, arguments, held.frame.depth + 1, place=place)
        self._parts.doubts = before
        return True

    def _enter(self, call: Call, event: Called, frame: Frame, owner: ClassValue, me: str) -> None:
        """Run what construction calls on the instance: own methods, `super().m()`, `Base.m(self)`."""
        found: tuple[ClassValue, FunctionFacts] | None = None
        match call.function:
            case Attribute(base=Parameter(name=name), name=method) if name == me:
                found = self._classes.find_method(self._instance, method)
                if found is None:
                    self._parts.note_done_to_part(Done(event, frame, (method,), CALLING))
            case Parameter(name=name) if name == me:
                found = self._method_run(CALLING)
            case Attribute(base=Super(), name=method):
                found = self._classes.find_method(self._instance, method, after=owner)
                if found is None and method == "__init__":
                    self._parts.fill_by_base(event, expand(call, frame, self._evaluator), frame, owner)
            case Attribute(base=base, name=method) if call.arguments and is_the_object(call.arguments[0].value, me):
                if not self._enter_of_classes(base, method, event, frame, owner, me):
                    self._hand_over(call, event, frame, owner, me)
            case Call() | Item() | Choice():
                self._call_what_is_found(call, event, frame)
            case _ if any(is_the_object(argument.value, me) for argument in call.arguments):
                self._hand_over(call, event, frame, owner, me)
            case _:
                pass
        if found is None or found[1].decorated_by(*_WITHOUT_INSTANCE):
            return
        self._run_call(found, self._with_self(expand(call, frame, self._evaluator)), event, frame)

    def _enter_of_classes(
        self, base: Expr, method: str, event: Called, frame: Frame, owner: ClassValue, me: str
    ) -> bool:
        """Run the method of the class that is named, and given the object: `Base.open(self)`; of several that may be
        meant, that of each, as one of them. The class may be kept by the object: `self.format = FORMATS[kind]`, then
        `self.format.open(self)`. False if no method is known."""
        found: dict[int, tuple[ClassValue, FunctionFacts]] = {}
        named = self._parts.kept_as(base, me) or self._evaluator.evaluate(base, frame)
        for traced in named:
            if isinstance(traced.value, ClassValue):
                owned = self._classes.find_method(traced.value, method)
                if owned is not None and not owned[1].decorated_by(*_WITHOUT_INSTANCE):
                    found[id(owned[1])] = owned
            elif is_container(traced.value) and method == "__init__":
                given = expand(event.call, frame, self._evaluator)
                given = replace(given, positional=given.positional[1:])
                self._parts.fill_by_base(event, given, frame, owner)
        arguments = expand(event.call, frame, self._evaluator)
        if len(found) > 1 or not all(isinstance(each.value, ClassValue) for each in named):
            self._run_one_of(found.values(), arguments, event, frame)
        else:
            for owned in found.values():
                self._run_call(owned, arguments, event, frame)
        return bool(found)

    def _call_what_is_found(self, call: Call, event: Called, frame: Frame) -> None:
        """Run the methods of the object one of which is called: `getattr(self, f"read_{kind}")()`,
        `{"train": self.read}[mode]()`, `for step in (self.read, self.sort): step()`."""
        called = (traced.value for traced in self._evaluator.evaluate(call.function, frame))
        methods = [each for each in called if isinstance(each, FunctionValue) and each.bound is self._instance]
        found = [self._classes.find_method(self._instance, each.facts.name) for each in methods]
        arguments = self._with_self(expand(call, frame, self._evaluator)) if methods else Arguments((), {}, True)
        owned = [each for each in found if each is not None]
        if len(found) == 1 or (isinstance(call.function, Item) and call.function.key is None):
            for each in owned:
                self._run_call(each, arguments, event, frame)
        else:
            self._run_one_of(owned, arguments, event, frame)

    def _run_one_of(
        self,
        methods: Iterable[tuple[ClassValue, FunctionFacts]],
        arguments: Arguments,
        event: Called | Implied,
        frame: Frame,
    ) -> None:
        """Run methods of which one is called: each begins with what the object holds before."""
        attributes, doubts_before, held = self.attributes, self._parts.doubts, dict[int, Held]()
        before = attributes.held
        for method in methods:
            attributes.hold_only(before)
            self._parts.doubts = joined(doubts_before, (Doubt.BRANCH,))
            self._run_call(method, arguments, event, frame)
            held.update({id(each): each for each in attributes.held if id(each) not in held})
        self._parts.doubts = doubts_before
        if held:
            attributes.hold_only(held.values())

    def _hand_over(self, call: Call, event: Called, frame: Frame, owner: ClassValue, me: str) -> None:
        """Run a function that is given the object."""
        traced = self._parts.reaches(event, frame)
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
        is_sure = self._always_comes(event, frame)
        traced = is_sure or self._parts.reaches(event, frame)
        if traced is False:
            return
        may_not_be_run = event.conditional and not is_sure and not (to_each and traced)
        before = self.attributes.held if may_not_be_run else ()
        doubts_before = self._parts.doubts
        self._parts.doubts = self._parts.doubts_at(traced)
        self._run(*method, arguments, frame.depth + 1, called_by=(frame, event.call))
        self._parts.doubts = doubts_before
        if may_not_be_run:
            self.attributes.keep_from(before, lambda each: is_followed(each, event, frame))

    def _always_comes(self, event: Event, frame: Frame) -> bool:
        """Whether the function that makes the object always gets to an event then, as in the rest of a loop's body, or
        of a chain that begins there: of an object that is there, it is known that it was made."""
        made = self._instance.call
        if made is None or frame is not self._instance.frame:
            return False
        start = made.span.start
        return event.span.start == start or frame.paths.is_followed_by(start, event.span.start)


def _as_call(read: PartRead) -> Implied:
    """The call of a property that a read is."""
    function = Attribute(read.span, read.target, read.attribute)
    call = Call(read.span, function, ())
    return Implied(read.span, read.conditional, read.guards, read.target, call, read.attribute, True)


def _filled_on(target: Expr, me: str) -> str | None:
    """The attribute of an object into whose value, or into a part of that, something is put."""
    match attribute_filled(target):
        case Attribute(base=Parameter(name=name), name=attribute) if name == me:
            return attribute
        case _:
            return None
