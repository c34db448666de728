"""What an instance holds once it is built: every store that construction makes, in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.facts.methods import methods_holding
from lintpickle.facts.records import Called, ClassFacts, Delete, Event, FunctionFacts, Implied, ItemStore, Lambda, Store
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
    rooted,
    without_narrowing,
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
from lintpickle.interpreter.doings import done_by
from lintpickle.interpreter.fields import given_fields, is_class_attribute
from lintpickle.interpreter.frames import Arguments, bind, expand
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.own_events import OwnEvents
from lintpickle.interpreter.own_reads import own_reads, read_names, reads_in_results
from lintpickle.interpreter.protocols import ClassQueries, Interpreter
from lintpickle.interpreter.slots import slot_key
from lintpickle.interpreter.stores import attribute_filled
from lintpickle.limits import DEPTH, INLINED, NESTING, Limit
from lintpickle.resolution.construction import AFTER_INIT

PROPERTY_DECORATORS = ("property", "cached_property", "lazy_property", "abstractproperty")
_MAY_PUT = re.compile(r"\.(?:append|add|insert|appendleft)\(.{0,1000}\bself\b|\]\s*=\s*self\b")
"""What stands in code that puts an object of its own into a container."""
_WITHOUT_INSTANCE = ("staticmethod", "classmethod", "property")
_Identity: TypeAlias = tuple[object, ...]
_Put: TypeAlias = tuple[ClassValue, FunctionFacts, ItemStore, str]
"""A method that puts its object into an attribute of another one, with its class, the event and the attribute."""


class _OfClass(Struct, frozen=True):
    """What concerns all objects of a class: the properties that may be read (see `read_names`), and where its methods
    put their object into others."""

    facts: ClassFacts
    read_names: frozenset[str]
    puts: tuple[_Put, ...]


class StateReader:
    """Runs constructors abstractly. One reader per run; states are remembered per instance."""

    def __init__(self, evaluator: Interpreter, classes: ClassQueries) -> None:
        self._evaluator = evaluator
        self._classes = classes
        self._states: dict[_Identity, tuple[InstanceValue, tuple[Held, ...]]] = {}
        self._running: dict[_Identity, _Construction] = {}
        self._of_classes: dict[int, _OfClass] = {}
        self._own_events = OwnEvents()

    def forget(self) -> None:
        """Let go of all states."""
        self._states.clear()

    def state(self, instance: InstanceValue) -> tuple[Held, ...]:
        """What the instance's attributes may hold, in the order in which construction stores them, followed by
        stores from outside."""
        key = _identity(instance)
        known = self._states.get(key)
        if known is not None:
            return known[1]
        self._states[key] = (instance, ())
        of_class = self._of_class(instance)
        run = _Construction(self._evaluator, self._classes, instance, of_class.read_names, self._own_events)
        self._running[key] = run
        try:
            run.construct()
            run.take_in_others(of_class.puts)
            if instance.ran is not None:
                run.go_on(instance.ran)
            for stored in self._from_outside(instance):
                run.undergo(stored)
            for done in instance.done:
                run.undergo(done)
        except BaseException:
            del self._states[key]
            raise
        finally:
            del self._running[key]
        found = tuple(run.held)
        self._states[key] = (instance, found)
        return found

    def _of_class(self, instance: InstanceValue) -> _OfClass:
        facts = instance.class_.facts
        if id(facts) not in self._of_classes:
            puts = tuple(_put_into_others(instance, self._classes))
            self._of_classes[id(facts)] = _OfClass(facts, read_names(instance, self._classes), puts)
        return self._of_classes[id(facts)]

    def so_far(self, instance: InstanceValue) -> tuple[Held, ...] | None:
        """What an instance holds that is being constructed; None for all others."""
        run = self._running.get(_identity(instance))
        return tuple(run.held) if run is not None else None

    def _from_outside(self, instance: InstanceValue) -> Iterator[Done]:
        """Stores on the object by the code that made it, or to which it was given: `ds.transform = lambda …`."""
        if instance.call is None or instance.frame is None:
            return
        for stored in (*self._evaluator.stores.on(instance.call, instance.frame), *instance.later):
            doubts = (Doubt.CONDITION,) if stored.conditional else ()
            yield Done(stored.event, stored.frame, stored.path, doubts=doubts)


class _Construction:
    """One abstract run of a constructor."""

    def __init__(
        self,
        evaluator: Interpreter,
        classes: ClassQueries,
        instance: InstanceValue,
        cached: frozenset[str],
        own_events: OwnEvents,
    ) -> None:
        self._own_events = own_events
        self._evaluator = evaluator
        self._classes = classes
        self._instance = instance
        self._inlined = 0
        self._doubts: tuple[Doubt, ...] = ()
        self.held: list[Held] = []
        self._names: set[str] = set()
        """The attributes that were ever held."""
        self._unread = cached
        """Properties that have not been read, if one of them makes the object keep something."""

    def construct(self) -> None:
        arguments = Arguments((), {}, True)
        if self._instance.call is not None and self._instance.frame is not None:
            arguments = expand(self._instance.call, self._instance.frame, self._evaluator)
            if chain(self._instance.call.function) == ("type", "__call__"):
                arguments = replace(arguments, positional=arguments.positional[1:])  # The first one is the class.
        depth = self._instance.frame.depth + 1 if self._instance.frame is not None else 1
        new = self._classes.find_method(self._instance, "__new__")
        if new is not None:
            cls = Bound(value=self._instance.class_)
            given = Arguments((cls, *arguments.positional), arguments.keywords, arguments.open)
            self._run(new[0], new[1], given, depth, creates=True)
        init = self._classes.find_method(self._instance, "__init__")
        if init is not None:
            self._run(init[0], init[1], self._with_self(arguments), depth)
        variables = tuple(self._fields(arguments)) if init is None else ()
        posts = (self._classes.find_method(self._instance, name) for name in AFTER_INIT)
        post = next((found for found in posts if found is not None), None)
        if init is None and post is not None:
            self._run(post[0], post[1], self._with_self(Arguments(variables, {}, True)), depth)

    def take_in_others(self, puts: Iterable[_Put]) -> None:
        """Take into the object's containers what other objects of its class put there: themselves, as the nodes of a
        tree (`parent.children.append(self)`)."""
        kept = {held.attribute for held in self.held if held.direct}
        for owner, method, event, attribute in puts:
            if attribute in kept:
                frame = self._classes.frame_of_other(owner, method, self._instance)
                doubts = (Doubt.CONDITION,)
                site = Site(owner.module, event.span)
                of_other = Held(attribute, event.value, frame, site, owner, method.name, False, SOME_ITEM, doubts)
                self._add(replace(of_other, is_of_other=True))

    def _with_self(self, arguments: Arguments) -> Arguments:
        return Arguments((Bound(value=self._instance), *arguments.positional), arguments.keywords, arguments.open)

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
                self.store(Held(field.name, bound.expr, bound.frame, site, owner, "__init__"))
            elif field.default is not None and (default_value := given.default) is not None:
                site = Site(owner.module, field.default.span)
                doubts = (Doubt.DEFAULT,) if arguments.open else ()
                frame = self._classes.body_frame(owner)
                self.store(Held(field.name, default_value, frame, site, owner, "__init__", doubts=doubts))

    def _run(
        self,
        owner: ClassValue,
        function: FunctionFacts,
        arguments: Arguments,
        depth: int,
        creates: bool = False,
    ) -> None:
        maker = self._instance.frame
        if (maker is not None and maker.is_active(function)) or not function.parameters:
            return
        limit = self._reached_limit(depth)
        if limit is not None:
            self._evaluator.cuts.note(limit)
            return
        self._inlined += 1
        bindings = bind(function, arguments)
        if bindings is None:
            bindings = {function.parameters[0].name: Bound(value=self._instance)}
        active = (*(maker.active if maker is not None else ()), id(function))
        frame = Frame(owner.module, function, bindings, owner.frame, depth, arguments.open, active)
        self._evaluator.nesting += 1
        try:
            if creates:
                self._create(frame, owner)
            else:
                me = function.parameters[0].name
                self._go_through(self._events_of(function, me), frame, owner, me)
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
                self._add(Held(name, value, frame, site, None, method, False, _key(event), done.doubts))
            case Store(value=value):
                name, is_certain = self._evaluator.stores.name_of(event, frame), not done.doubts
                held = Held(name, value, frame, site, None, method, is_certain, doubts=done.doubts)
                if not self._set(held):
                    self.store(held, replace=is_certain)
            case Delete():
                self._delete(event, frame)
            case Called():
                self._doubts = joined(before, done.doubts)
                self._call_method(done.method, event, frame)
            case Implied():
                self._doubts = joined(before, done.doubts)
                self._call_implied(event, frame)
            case _:
                pass
        self._doubts = before

    def _do_to_part(self, done: Done) -> None:
        """Note what is done to the value of an attribute, or to a part of that."""
        attribute, *rest = done.path
        if attribute not in self._names:
            return
        inner = replace(done, path=tuple(rest), doubts=joined(self._doubts, done.doubts))
        self.held = [
            replace(h, done=(*h.done, inner)) if h.attribute == attribute and h.key is None else h for h in self.held
        ]

    def _delete(self, event: Delete, frame: Frame) -> None:
        if event.attribute not in self._names:
            return
        if not event.conditional:
            self.held = [h for h in self.held if h.attribute != event.attribute]
        elif self._reaches(event, frame) is not False:
            self.held = [_may_be_gone(h) if h.attribute == event.attribute else h for h in self.held]

    def _call_method(self, name: str, event: Called, frame: Frame) -> None:
        """Run a method that a function calls on the object, or call what an attribute of the name holds."""
        found = self._classes.find_method(self._instance, name)
        if found is None:
            self._do_to_part(Done(event, frame, (name,), "__call__"))
        elif not found[1].decorated_by(*_WITHOUT_INSTANCE):
            self._run_call(found, self._with_self(expand(event.call, frame, self._evaluator)), event, frame)

    def _call_implied(self, event: Implied, frame: Frame) -> None:
        """Run a special method, or read a property, of the object."""
        found = self._classes.find_method(self._instance, event.method)
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
                self.store(Held(event.method, value, inner, site, owner, method.name), replace=False)

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
                case _:
                    self._note_done(event, frame, me)

    def _events_of(self, function: FunctionFacts, me: str) -> tuple[Event, ...]:
        """The events of a function that matter: where properties are to be read, all."""
        return function.events if self._unread else self._own_events.of(function, me)

    def _note_done(self, event: Event, frame: Frame, me: str) -> None:
        """Note what a method of the object does to a part of it: `self.reader.open()`, `self.reader.rows = rows`."""
        for done in done_by(event, frame, lambda value: _path_from(me, value)):
            traced = self._reaches(event, frame) if done.path else False
            if traced is not False:
                self._do_to_part(replace(done, doubts=() if traced else (Doubt.CONDITION,)))

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
            self.store(held, replace=replaces)

    def _set(self, held: Held) -> bool:
        """Run the setter of a property in whose place something is stored; False if there is none."""
        found = self._classes.find_setter(self._instance, held.attribute)
        if found is None or held.frame.function is found[1]:
            return False
        before, self._doubts = self._doubts, held.doubts
        given = Bound(expr=held.value, frame=held.frame)
        self._run(*found, self._with_self(Arguments((given,), {}, False)), held.frame.depth + 1)
        self._doubts = before
        return True

    def _put_in(self, event: ItemStore, attribute: str, frame: Frame, owner: ClassValue) -> None:
        is_own = any(held.direct and held.attribute == attribute for held in self.held)
        if not is_own and is_class_attribute(attribute, self._instance, self._classes):
            return  # The class's container is not in the state of an object.
        traced = self._reaches(event, frame)
        if traced is not False:
            site, doubts = Site(frame.module, event.span), self._doubts_at(traced)
            method = frame.function.name
            self._add(Held(attribute, event.value, frame, site, owner, method, False, _key(event), doubts))

    def store(self, held: Held, replace: bool = True) -> None:
        """Note a store: it replaces what the attribute held, or may do so."""
        is_first = self._names.isdisjoint((held.attribute, UNNAMED))
        if is_first or held.attribute == UNNAMED:
            pass  # It replaces nothing, or it is not known which attribute it replaces.
        elif replace:
            others = (h for h in self.held if h.attribute != held.attribute)
            self.held = [_may_be_gone(h) if h.attribute == UNNAMED else h for h in others]
        else:
            are_lambdas = isinstance(held.value, Lambda)  # Which one it is does not matter.
            self.held = [
                h if h.attribute != held.attribute or (are_lambdas and isinstance(h.value, Lambda)) else _may_be_gone(h)
                for h in self.held
            ]
        self._add(held)

    def _add(self, held: Held) -> None:
        self._names.add(held.attribute)
        self.held.append(held)

    def _enter(self, call: Call, event: Event, frame: Frame, owner: ClassValue, me: str) -> None:
        """Run what construction calls on the instance: own methods, `super().m()`, `Base.m(self)`."""
        found: tuple[ClassValue, FunctionFacts] | None = None
        explicit_self = False
        match call.function:
            case Attribute(base=Parameter(name=name), name=method) if name == me:
                found = self._classes.find_method(self._instance, method)
            case Attribute(base=Super(), name=method):
                found = self._classes.find_method(self._instance, method, after=owner)
            case Attribute(base=base, name=method) if call.arguments and _is_self(call.arguments[0].value, me):
                for traced in self._evaluator.evaluate(base, frame):
                    if isinstance(traced.value, ClassValue):
                        found = self._classes.find_method(traced.value, method)
                        explicit_self = True
                if found is None:
                    self._hand_over(call, event, frame, owner, me)
            case Call() | Item() | Choice():
                self._call_what_is_found(call, event, frame)
            case _ if any(_is_self(argument.value, me) for argument in call.arguments):
                self._hand_over(call, event, frame, owner, me)
            case _:
                pass
        if found is None or found[1].decorated_by(*_WITHOUT_INSTANCE):
            return
        arguments = expand(call, frame, self._evaluator)
        if not explicit_self:
            arguments = self._with_self(arguments)
        self._run_call(found, arguments, event, frame)

    def _call_what_is_found(self, call: Call, event: Event, frame: Frame) -> None:
        """Run the methods of the object one of which is called: `getattr(self, f"read_{kind}")()`,
        `{"train": self.read}[mode]()`, `for step in (self.read, self.sort): step()`."""
        called = (traced.value for traced in self._evaluator.evaluate(call.function, frame))
        methods = [each for each in called if isinstance(each, FunctionValue) and each.bound is self._instance]
        found = [self._classes.find_method(self._instance, each.facts.name) for each in methods]
        arguments = self._with_self(expand(call, frame, self._evaluator)) if methods else Arguments((), {}, True)
        is_each = len(found) == 1 or (isinstance(call.function, Item) and call.function.key is None)
        before, doubts_before, held = self.held, self._doubts, list[Held]()
        for owned in found:
            if owned is not None and is_each:
                self._run_call(owned, arguments, event, frame)
            elif owned is not None:
                self.held, self._doubts = list(before), joined(doubts_before, (Doubt.BRANCH,))
                self._run_call(owned, arguments, event, frame)
                held += [each for each in self.held if not any(each is other for other in held)]
        self._doubts = doubts_before
        self.held = held or self.held

    def _hand_over(self, call: Call, event: Event, frame: Frame, owner: ClassValue, me: str) -> None:
        """Run a function that is given the object."""
        traced = self._reaches(event, frame)
        for callee in self._evaluator.evaluate(call.function, frame) if traced is not False else ():
            if isinstance(callee.value, FunctionValue) and self._reached_limit(frame.depth + 1) is None:
                inner = self._evaluator.enter(callee.value, call, frame)
                for name in inner.given(frame, lambda value: _is_self(value, me)) if inner is not None else ():
                    assert inner is not None
                    self._inlined += 1
                    self._go_through(self._events_of(callee.value.facts, name), inner, owner, name)

    def _run_call(
        self, method: tuple[ClassValue, FunctionFacts], arguments: Arguments, event: Event, frame: Frame
    ) -> None:
        traced = self._reaches(event, frame)
        if traced is False:
            return
        before, doubts_before = list(self.held) if event.conditional else None, self._doubts
        self._doubts = self._doubts_at(traced)
        self._run(*method, arguments, frame.depth + 1)
        self._doubts = doubts_before
        if before is not None and before != self.held:
            kept = {_store_of(each) for each in self.held}
            self.held += [_may_be_gone(each) for each in before if _store_of(each) not in kept]


def _identity(instance: InstanceValue) -> _Identity:
    """What tells an object from others: what made it, and all that was done to it since."""
    class_, later, done = instance.class_, instance.later, instance.done
    return (
        id(class_.facts),
        id(class_.frame),
        id(instance.call),
        id(instance.frame),
        id(instance.ran),
        tuple([(id(each.event), id(each.frame), each.path) for each in later]),
        tuple(map(id, done)),
    )


def _may_be_gone(held: Held) -> Held:
    """What an attribute holds, where something may have replaced it."""
    return replace(held, doubts=joined(held.doubts, (Doubt.BRANCH,)))


def _store_of(held: Held) -> tuple[str, int, int]:
    """What tells a store from others, whatever is doubted of it."""
    return held.attribute, id(held.value), id(held.frame)


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
    """The attributes that lead from an object to what an expression of its method gives, if that is a part of it."""
    root, path = rooted(value)
    return path if _is_self(root, me) else None


def _put_into_others(instance: InstanceValue, classes: ClassQueries) -> Iterator[_Put]:
    """Where methods put the object into an attribute of what they are given, each with that attribute."""
    for owner in classes.mro(instance):
        if not isinstance(owner, ClassValue) or not owner.module.has(_MAY_PUT):
            continue
        for method in methods_holding(owner.facts.methods, _MAY_PUT, owner.module.code):
            me = method.parameters[0].name if method.parameters else ""
            for event in method.events:
                match event:
                    case ItemStore(target=Attribute(base=Parameter(name=name), name=attribute), value=value):
                        if name != me and _is_self(without_narrowing(value), me):
                            yield owner, method, event, attribute
                    case _:
                        pass


def _is_self(value: Expr, me: str) -> bool:
    return isinstance(value, Parameter) and value.name == me
