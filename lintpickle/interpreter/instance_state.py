"""What an instance holds once it is built: every store that construction makes, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.facts.records import Called, Delete, Event, FunctionFacts, Implied, ItemStore, Store
from lintpickle.facts.values import UNNAMED, Attribute, Call, Constant, Expr, Lambda, Parameter, Super
from lintpickle.interpreter.abstract_values import ClassValue, Doubt, FunctionValue, InstanceValue, Ran, Site, joined
from lintpickle.interpreter.fields import given_fields, is_class_attribute
from lintpickle.interpreter.frames import Arguments, Bound, Frame, bind, expand
from lintpickle.interpreter.hook_names import mangled
from lintpickle.interpreter.stores import attribute_filled
from lintpickle.limits import DEPTH, INLINED, NESTING, Limit

if TYPE_CHECKING:
    from lintpickle.interpreter.classes import Classes
    from lintpickle.interpreter.evaluator import Evaluator

PROPERTY_DECORATORS = ("property", "cached_property", "lazy_property", "abstractproperty")
_WITHOUT_INSTANCE = ("staticmethod", "classmethod", "property")


class Held(Struct, frozen=True, eq=False):
    """A value that an attribute of an instance may hold after construction.

    `site` is the store; `owner` the class whose code stores it; `method` the method that does; `direct` says that
    the store replaces the attribute (False for something put into the container that it holds). `doubts` are what is
    not understood of the way from the constructor to the store.
    """

    attribute: str
    value: Expr
    frame: Frame
    site: Site
    owner: ClassValue | None
    method: str
    direct: bool = True
    label: str = ""
    doubts: tuple[Doubt, ...] = ()

    @property
    def name(self) -> str:
        """What the attribute is called in the instance's `__dict__`."""
        return self.attribute if self.owner is None else mangled(self.attribute, self.owner.facts.name)

    def is_made_from(self, site: Site) -> bool:
        """Whether the expression there is a part of the value."""
        return Site(self.frame.module, self.value.span).contains(site)


class StateReader:
    """Runs constructors abstractly. One reader per run; states are remembered per instance."""

    def __init__(self, evaluator: Evaluator, classes: Classes) -> None:
        self._evaluator = evaluator
        self._classes = classes
        self._states: dict[int, tuple[InstanceValue, tuple[Held, ...]]] = {}
        self._running: dict[int, _Construction] = {}

    def forget(self) -> None:
        """Let go of all states."""
        self._states.clear()

    def state(self, instance: InstanceValue) -> tuple[Held, ...]:
        """What the instance's attributes may hold, in the order in which construction stores them, followed by
        stores from outside."""
        known = self._states.get(id(instance))
        if known is not None:
            return known[1]
        self._states[id(instance)] = (instance, ())
        run = _Construction(self._evaluator, self._classes, instance)
        self._running[id(instance)] = run
        try:
            run.construct()
            if instance.ran is not None:
                run.go_on(instance.ran)
        except BaseException:
            del self._states[id(instance)]
            raise
        finally:
            del self._running[id(instance)]
        for held in self._from_outside(instance):
            if held.label:
                run.held.append(held)
            else:
                run.store(held, replace=held.direct)
        found = tuple(run.held)
        self._states[id(instance)] = (instance, found)
        return found

    def so_far(self, instance: InstanceValue) -> tuple[Held, ...] | None:
        """What an instance holds that is being constructed; None for all others."""
        run = self._running.get(id(instance))
        return tuple(run.held) if run is not None else None

    def _from_outside(self, instance: InstanceValue) -> Iterator[Held]:
        """Stores on the object by the code that made it, or to which it was given: `ds.transform = lambda …`."""
        if instance.call is None or instance.frame is None:
            return
        for stored in (*self._evaluator.stores.on(instance.call, instance.frame), *instance.later):
            event, frame = stored.event, stored.frame
            site = Site(frame.module, event.span)
            method = frame.function.name
            doubts = (Doubt.CONDITION,) if stored.conditional else ()
            if isinstance(event, ItemStore):
                filled = attribute_filled(event.target)
                name = filled.name if filled is not None else UNNAMED
                yield Held(name, event.value, frame, site, None, method, False, _label(event), doubts)
            else:
                name = self._evaluator.stores.name_of(event, frame)
                yield Held(name, event.value, frame, site, None, method, not stored.conditional, doubts=doubts)


class _Construction:
    """One abstract run of a constructor."""

    def __init__(self, evaluator: Evaluator, classes: Classes, instance: InstanceValue) -> None:
        self._evaluator = evaluator
        self._classes = classes
        self._instance = instance
        self._inlined = 0
        self._doubts: tuple[Doubt, ...] = ()
        self.held: list[Held] = []

    def construct(self) -> None:
        arguments = Arguments((), {}, True)
        if self._instance.call is not None and self._instance.frame is not None:
            arguments = expand(self._instance.call, self._instance.frame, self._evaluator)
        depth = self._instance.frame.depth + 1 if self._instance.frame is not None else 1
        new = self._classes.find_method(self._instance, "__new__")
        if new is not None:
            self._run(
                new[0],
                new[1],
                Arguments(
                    (Bound(value=self._instance.class_), *arguments.positional),
                    arguments.keywords,
                    arguments.open,
                ),
                depth,
                self_is_variable=True,
            )
        init = self._classes.find_method(self._instance, "__init__")
        if init is not None:
            self._run(init[0], init[1], self._with_self(arguments), depth)
        variables = tuple(self._fields(arguments)) if init is None else ()
        post = self._classes.find_method(self._instance, "__post_init__") or self._classes.find_method(
            self._instance, "__attrs_post_init__"
        )
        if init is None and post is not None:
            self._run(post[0], post[1], self._with_self(Arguments(variables, {}, True)), depth)

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
        self_is_variable: bool = False,
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
            self._go_through(function.events, frame, owner, function.parameters[0].name, self_is_variable)
        finally:
            self._evaluator.nesting -= 1

    def _reached_limit(self, depth: int) -> Limit | None:
        if depth > DEPTH.most:
            return DEPTH
        if self._evaluator.nesting > NESTING.most:
            return NESTING
        return INLINED if self._inlined > INLINED.most else None

    def go_on(self, ran: Ran) -> None:
        """Run what has been done to the object after construction."""
        if ran.before is not None:
            self.go_on(ran.before)
        if ran.owner is None:
            for event in ran.events:
                if isinstance(event, Called) and isinstance(event.call.function, Attribute):
                    self._call_method(event.call.function.name, event, ran.frame)
                elif isinstance(event, Implied):
                    self._call_implied(event, ran.frame)
            return
        frame = replace(ran.frame, bindings={**ran.frame.bindings, ran.me: Bound(value=self._instance)})
        self._go_through(ran.events, frame, ran.owner, ran.me)

    def _call_method(self, name: str, event: Called, frame: Frame) -> None:
        """Run a method that a function calls on the object."""
        found = self._classes.find_method(self._instance, name)
        if found is not None and not found[1].decorated_by(*_WITHOUT_INSTANCE):
            self._run_call(found, self._with_self(expand(event.call, frame, self._evaluator)), event, frame)

    def _call_implied(self, event: Implied, frame: Frame) -> None:
        """Run a special method, or read a property, of the object."""
        found = self._classes.find_method(self._instance, event.method)
        if found is None or found[1].decorated_by(*PROPERTY_DECORATORS) != event.reads:
            return
        owner, method = found
        self._run_call(found, self._with_self(expand(event.call, frame, self._evaluator)), event, frame)
        if method.decorated_by("cached_property") and method.parameters:
            bindings = {method.parameters[0].name: Bound(value=self._instance)}
            inner = Frame(owner.module, method, bindings, owner.frame, frame.depth + 1)
            for value in method.returns:
                site = Site(owner.module, value.span)
                self.store(Held(event.method, value, inner, site, owner, method.name), replace=False)

    def _go_through(
        self, events: Iterable[Event], frame: Frame, owner: ClassValue, me: str, self_is_variable: bool = False
    ) -> None:
        for event in events:
            match event:
                case Store(target=Parameter(name=name)) if name == me and not self_is_variable:
                    self._note(event, frame, owner)
                case Store(target=Call(function=Attribute(name="__new__"))) if self_is_variable:
                    self._note(event, frame, owner)
                case ItemStore(target=target) if (attribute := _filled_on(target, me)) is not None:
                    self._put_in(event, attribute, frame, owner)
                case Delete(target=Parameter(name=name), attribute=attribute) if name == me:
                    if not event.conditional:
                        self.held = [h for h in self.held if h.attribute != attribute]
                    elif self._reaches(event, frame) is not False:
                        self.held = [_may_be_gone(h) if h.attribute == attribute else h for h in self.held]
                case Called(call=call):
                    self._enter(call, event, frame, owner, me)
                case _:
                    pass

    def _reaches(self, event: Event, frame: Frame) -> bool | None:
        """Whether the run gets to an event: see `Conditions.reaches`."""
        return self._evaluator.conditions.reaches(event.span, frame)

    def _doubts_at(self, traced: bool | None) -> tuple[Doubt, ...]:
        return self._doubts if traced else joined(self._doubts, (Doubt.CONDITION,))

    def _note(self, event: Store, frame: Frame, owner: ClassValue) -> None:
        traced = self._reaches(event, frame)
        if traced is not False:
            site, doubts = Site(frame.module, event.span), self._doubts_at(traced)
            name = self._evaluator.stores.name_of(event, frame)
            held = Held(name, event.value, frame, site, owner, frame.function.name, doubts=doubts)
            self.store(held, replace=not event.conditional)

    def _put_in(self, event: ItemStore, attribute: str, frame: Frame, owner: ClassValue) -> None:
        is_own = any(held.direct and held.attribute == attribute for held in self.held)
        if not is_own and is_class_attribute(attribute, self._instance, self._classes):
            return  # The class's container is not in the state of an object.
        traced = self._reaches(event, frame)
        if traced is not False:
            site, doubts = Site(frame.module, event.span), self._doubts_at(traced)
            method = frame.function.name
            self.held.append(Held(attribute, event.value, frame, site, owner, method, False, _label(event), doubts))

    def store(self, held: Held, replace: bool = True) -> None:
        """Note a store: it replaces what the attribute held, or may do so."""
        if held.attribute == UNNAMED:
            pass  # Which attribute it replaces is not known.
        elif replace:
            others = (h for h in self.held if h.attribute != held.attribute)
            self.held = [_may_be_gone(h) if h.attribute == UNNAMED else h for h in others]
        else:
            are_lambdas = isinstance(held.value, Lambda)  # Which one it is does not matter.
            self.held = [
                h if h.attribute != held.attribute or (are_lambdas and isinstance(h.value, Lambda)) else _may_be_gone(h)
                for h in self.held
            ]
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

    def _hand_over(self, call: Call, event: Event, frame: Frame, owner: ClassValue, me: str) -> None:
        """Run a function that is given the object."""
        traced = self._reaches(event, frame)
        for callee in self._evaluator.evaluate(call.function, frame) if traced is not False else ():
            if isinstance(callee.value, FunctionValue) and self._reached_limit(frame.depth + 1) is None:
                inner = self._evaluator.enter(callee.value, call, frame)
                for name in inner.given(frame, lambda value: _is_self(value, me)) if inner is not None else ():
                    assert inner is not None
                    self._inlined += 1
                    self._go_through(callee.value.facts.events, inner, owner, name)

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
        if before is not None:
            kept = {_store_of(each) for each in self.held}
            self.held += [_may_be_gone(each) for each in before if _store_of(each) not in kept]


def _may_be_gone(held: Held) -> Held:
    """What an attribute holds, where something may have replaced it."""
    return replace(held, doubts=joined(held.doubts, (Doubt.BRANCH,)))


def _store_of(held: Held) -> tuple[str, int, int]:
    """What tells a store from others, whatever is doubted of it."""
    return held.attribute, id(held.value), id(held.frame)


def _label(event: ItemStore) -> str:
    return f"['{event.key.value}']" if isinstance(event.key, Constant) else "[…]"


def _filled_on(target: Expr, me: str) -> str | None:
    """The attribute of an object into whose value, or into a part of that, something is put."""
    match attribute_filled(target):
        case Attribute(base=Parameter(name=name), name=attribute) if name == me:
            return attribute
        case _:
            return None


def _is_self(value: Expr, me: str) -> bool:
    return isinstance(value, Parameter) and value.name == me
