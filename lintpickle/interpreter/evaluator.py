"""Evaluation: the values that an expression can be, followed through calls, attributes and modules."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from lintpickle.catalog import Catalog
from lintpickle.facts.records import FunctionFacts, Lambda, NestedClass, NestedFunction
from lintpickle.facts.values import (
    Attribute,
    Awaited,
    Call,
    Captured,
    Choice,
    Collection,
    Comprehension,
    Constant,
    Data,
    Expr,
    Imported,
    Item,
    Mapping,
    Name,
    Narrowed,
    Parameter,
    PutInto,
    Sum,
    Super,
    Unfollowed,
    Without,
    options_of,
)
from lintpickle.interpreter.abstract_values import (
    SOME_ITEM,
    UNKNOWN,
    AbstractValue,
    ClassValue,
    ConstantValue,
    ContainerValue,
    DataValue,
    Doubt,
    Frame,
    FunctionValue,
    GeneratorValue,
    ModuleValue,
    Site,
    Slot,
    SuperValue,
    TracedValue,
)
from lintpickle.interpreter.attributes import Attributes
from lintpickle.interpreter.calls import Calls
from lintpickle.interpreter.classes import Classes
from lintpickle.interpreter.conditions import Conditions
from lintpickle.interpreter.decorators import Decorators
from lintpickle.interpreter.entered import caught, entered
from lintpickle.interpreter.frames import Arguments
from lintpickle.interpreter.items import Items
from lintpickle.interpreter.made_events import MadeEvents
from lintpickle.interpreter.module_names import ModuleNames
from lintpickle.interpreter.narrowing import Narrowing
from lintpickle.interpreter.object_dicts import dict_of
from lintpickle.interpreter.own_events import OwnEvents
from lintpickle.interpreter.own_iterators import elements_in
from lintpickle.interpreter.parts import after_all
from lintpickle.interpreter.put_into import put_into
from lintpickle.interpreter.slots import (
    collection_slots,
    distinct,
    one_of,
)
from lintpickle.interpreter.stores import Stores, holding, may_hold
from lintpickle.interpreter.taken import taken_options
from lintpickle.interpreter.tensors import Tensors
from lintpickle.interpreter.texts import texts
from lintpickle.limits import DEPTH, EVALUATIONS, LIMITS, NESTING
from lintpickle.program.module import Module
from lintpickle.pythons import Version
from lintpickle.resolution.kept_values import KeptOf
from lintpickle.resolution.module_bindings import ModuleBinding
from lintpickle.resolution.names import NameResolver
from lintpickle.resolution.registrations import MadeInFunction, Undecorated

CHECKED_EVERY = 128
_NONE = sys.maxsize
"""The level of no evaluation."""
_Key: TypeAlias = tuple[int, int]
_Known: TypeAlias = tuple[Expr, Frame, tuple[TracedValue, ...], int]
"""What was evaluated, with the values, and the level of the evaluation that was under way when this one came upon it,
if it is unknown for that; of one that is under way, its own."""
_Step: TypeAlias = Callable[[TracedValue], Iterable[TracedValue]]


def _nothing() -> None:
    pass


class Evaluator:
    """Evaluates values in frames. Results are remembered until `forget`, so that one expression in one frame is one
    value."""

    def __init__(self, names: NameResolver, catalog: Catalog, pythons: Sequence[Version]) -> None:
        self.names = names
        self.catalog = catalog
        self.cuts = names.cuts
        """The limits that were reached."""
        self.pythons = pythons
        self.own_events = OwnEvents()
        self.made_events = MadeEvents()
        self.classes = Classes(self)
        self.decorators = Decorators(self)
        self.stores = Stores(self)
        self.conditions = Conditions(self)
        self.narrowing = Narrowing(self)
        self.module_names = ModuleNames(self, self.decorators)
        self.attributes = Attributes(self, self.classes, self.decorators, self.module_names)
        self._items = Items(self)
        self._tensors = Tensors(self)
        self._calls = Calls(self, self._tensors)
        self._memo: dict[_Key, _Known] = {}
        self._circular: list[_Key] = []
        self._met = _NONE
        self._module_frames: dict[int, Frame] = {}
        self.evaluated = 0
        """How much was evaluated for the present root."""
        self.allowance = EVALUATIONS.most
        """How much may be evaluated for the present root; for the next one, as much as ever."""
        self.check: Callable[[], None] = _nothing
        """Called again and again; raises whatever is to end the work."""
        self.nesting = 0
        """How many are waiting: see `limits.NESTING`."""

    def forget(self) -> None:
        """Let go of what was evaluated, so that what one root costs, and where it is cut, does not depend on others.
        Values that were got before are not the same as those that come after: only between one root and the next."""
        self._memo.clear()
        self._circular.clear()
        self.module_names.forget()
        self._calls.forget()
        self.decorators.forget()
        self.stores.forget()
        self.classes.forget()
        self.conditions.forget()
        self.evaluated = 0
        self.allowance = EVALUATIONS.most
        self.cuts.hide = False

    def begin_anew(self) -> None:
        """Let the next root have the whole allowance, and forget what is unknown only because it was used up. What was
        evaluated before that stays known: for many small roots, one after the other."""
        if self.is_spent:
            self.forget()
        self.evaluated = 0

    def module_frame(self, module: Module, body: FunctionFacts) -> Frame:
        """The frame of a module body."""
        key = id(body)
        if key not in self._module_frames:
            self._module_frames[key] = Frame(module, body)
        return self._module_frames[key]

    @property
    def is_spent(self) -> bool:
        """Whether so much has been evaluated for one root that all else stays unknown: see `limits.EVALUATIONS`."""
        return self.evaluated > self.allowance

    def evaluate(self, value: Expr, frame: Frame) -> tuple[TracedValue, ...]:
        """The values that `value` can be in `frame`, each with the hops through which it came. Never empty. What asks
        for itself is unknown there; what is unknown for that alone is found anew when the first one is done."""
        key = (id(value), id(frame))
        known = self._memo.get(key)
        if known is not None:
            self._met = min(self._met, known[3])
            return known[2]
        unknown = (TracedValue(UNKNOWN, Site(frame.module, value.span)),)
        if frame.depth > DEPTH.most:
            self.cuts.note(DEPTH)
            self._memo[key] = (value, frame, unknown, _NONE)
            return unknown
        if self.nesting > NESTING.most:
            self.cuts.note(NESTING)
            return unknown
        self.evaluated += 1
        if not self.evaluated % CHECKED_EVERY:
            self.check()
        if self.is_spent:
            self.cuts.note(EVALUATIONS)
            self._memo[key] = (value, frame, unknown, _NONE)
            return unknown
        level, met_before, circular_before = self.nesting, self._met, len(self._circular)
        self._memo[key] = (value, frame, unknown, level)
        self.nesting += 1
        self._met = _NONE
        try:
            found = tuple(distinct(self._evaluate(value, frame), self.cuts)) or unknown
        except BaseException:
            del self._memo[key]
            raise
        finally:
            self.nesting -= 1
            met, self._met = self._met, min(met_before, self._met if self._met < level else _NONE)
        is_for_now = met < level and all(each.value is UNKNOWN for each in found)
        self._memo[key] = (value, frame, found, met if is_for_now else _NONE)
        if met == level:
            self._find_anew(circular_before, level)
        if is_for_now:
            self._circular.append(key)
        return found

    def _find_anew(self, first: int, level: int) -> None:
        """Forget what has been unknown, since there were so many of them, for coming upon an evaluation of a level that
        was under way."""
        left = self._circular[first:]
        del self._circular[first:]
        for key in left:
            known = self._memo.get(key)
            if known is not None and known[3] >= level:
                del self._memo[key]
            elif known is not None:
                self._circular.append(key)

    def _evaluate(self, value: Expr, frame: Frame) -> Iterable[TracedValue]:
        site = Site(frame.module, value.span)
        match value:
            case Constant(value=constant):
                return (TracedValue(ConstantValue(constant), site),)
            case Data(parts=parts) if parts:
                return texts(parts, frame, site, self)
            case Data(kind=kind):
                return (TracedValue(DataValue(kind), site),)
            case Name(name=name):
                found = self.named(name, frame, site)
                return self.module_names.values(found, site, found if frame.function.is_module_body else None)
            case Imported(target=target, fallback=fallback):
                imported = self.module_names.values(self.names.imported(frame.module, target), site)
                return (each.doubted(Doubt.FALLBACK) for each in imported) if fallback else imported
            case Parameter(name=name, owner=owner) | Captured(name=name, owner=owner):
                return self._variable(name, owner, frame)
            case Attribute(base=base, name="__dict__"):
                return dict_of(base, frame, site, self)
            case Attribute(base=base, name=name):
                return self._each(base, frame, lambda r: self.attribute(r, name, site, frame))
            case Item(base=Call(function=Name(name="globals"), arguments=()), key=Expr() as key):
                return self.module_names.under_computed_name(key, frame, site)
            case Item(base=Attribute(base=Name(name="sys"), name="modules"), key=Name(name="__name__")):
                return (TracedValue(ModuleValue(frame.module.name), site),)
            case Item(base=base, key=key):
                return self._each(base, frame, lambda r: self._items.item(r, key, site, frame))
            case Call():
                return self._calls.results(value, frame)
            case Lambda(function=function):
                given = FunctionValue(frame.module, function, frame, undecorated=bool(function.decorators))
                return (TracedValue(given, site),)
            case NestedFunction(function=function):
                return self.decorators.of_function(FunctionValue(frame.module, function, frame), frame, site)
            case NestedClass(class_=class_):
                return (self.decorators.of_class(ClassValue(frame.module, class_, frame), frame, site),)
            case Collection(kind=kind, elements=elements):
                slots = tuple(collection_slots(elements, frame))
                return (TracedValue(ContainerValue(kind, slots), site),)
            case Mapping(items=items):
                return (TracedValue(self._items.mapping(items, frame), site),)
            case Comprehension(kind="generator", element=element):
                return (TracedValue(GeneratorValue(True, element, frame), site),)
            case Comprehension(kind=kind, element=element):
                return (TracedValue(ContainerValue(kind, (Slot(SOME_ITEM, element, frame),)), site),)
            case Choice(options=options):
                return one_of([traced for option in options for traced in self.evaluate(option, frame)])
            case Awaited():
                return self._calls.awaited(value, frame)
            case Narrowed(test="entered"):
                return entered(value, frame, self)
            case Narrowed(test="caught"):
                return caught(value, frame, self)
            case Narrowed(value=tested):
                return (each for each in self.evaluate(tested, frame) if self.narrowing.allows(value, each, frame))
            case Sum(parts=parts) if _is_text(parts[0]):
                return texts(parts, frame, site, self)
            case Sum(parts=parts):
                return tuple(self._tensors.sum_of(parts, value.span, frame)) or self._items.sum_of(parts, frame, site)
            case Without(held=held):
                return (self._items.without(each, value, frame) for each in self.evaluate(held, frame))
            case PutInto():
                return put_into(value, frame, self)
            case Super(owner=owner):
                return self._super(owner, frame, site)
            case MadeInFunction(value=made, function=function):
                setting = self.module_names.setting_frame(frame.module, function)
                return (each.doubted(Doubt.BRANCH) for each in self.evaluate(made, setting))
            case Undecorated(name=original):
                return self.module_names.under_decorators(original, frame) or self.evaluate(original, frame)
            case KeptOf():
                return self._kept_of(value, frame)
            case Unfollowed(limit=limit):
                self.cuts.note(LIMITS[limit])
                return ()
            case _:
                return ()

    def _kept_of(self, value: KeptOf, frame: Frame) -> Iterator[TracedValue]:
        for decorator in self.evaluate(value.call.function, frame):
            callee = decorator.value
            inner = self.enter(callee, value.call, frame) if isinstance(callee, FunctionValue) else None
            if inner is not None:
                yield from self.evaluate(value.value, inner)

    def held_in(self, slot: Slot) -> Iterable[TracedValue]:
        """What a slot of a container can hold, after what was done to it."""
        found = self.evaluate(slot.value, slot.frame)
        return [after_all(each, slot.done) for each in found] if slot.done else found

    def item(self, value: Item, frame: Frame, site: Site) -> Iterator[TracedValue]:
        """What an item of a value can be, read at `site`."""
        return self._each(value.base, frame, lambda found: self._items.item(found, value.key, site, frame))

    def _each(self, base: Expr, frame: Frame, step: _Step) -> Iterator[TracedValue]:
        for traced in self.evaluate(base, frame):
            for result in step(traced):
                yield result.by_way_of(traced)

    def named(self, name: str, frame: Frame, site: Site) -> tuple[ModuleBinding, ...]:
        """See `ModuleNames.named`."""
        return self.module_names.named(name, frame, site)

    def definition(self, definition: ModuleBinding, site: Site) -> Iterator[TracedValue]:
        """See `ModuleNames.definition`."""
        return self.module_names.definition(definition, site)

    def attribute(self, base: TracedValue, name: str, site: Site, frame: Frame) -> Iterable[TracedValue]:
        """See `Attributes.values`."""
        return self.attributes.values(base, name, site, frame)

    def item_of(self, base: TracedValue, key: Expr | None, site: Site, frame: Frame) -> Iterable[TracedValue]:
        """See `Items.item`."""
        return self._items.item(base, key, site, frame)

    def in_branches_taken(self, values: tuple[TracedValue, ...], frame: Frame) -> Sequence[TracedValue]:
        """Those of several values that do not stand in branches to which the function of a frame does not get."""
        if len(values) < 2:
            return values
        around = Site(frame.module, frame.function.span)
        may_get_to = self.conditions.may_get_to
        return [each for each in values if not around.contains(each.site) or may_get_to(each.site.span, frame)]

    def given(self, value: Expr, frame: Frame) -> Sequence[TracedValue]:
        """What an argument can be. Of one that depends on a condition (`self.source if bind else None`), those options
        count to which the function gets that passes it."""
        taken = taken_options(value, frame, self)
        if len(taken) == len(options_of(value)):
            return self.evaluate(value, frame)
        found = [traced for each in taken for traced in self.evaluate(each, frame)]
        return found if len(taken) == 1 else one_of(found)

    def _variable(self, name: str, owner: str, frame: Frame) -> Iterator[TracedValue]:
        home = frame.enclosing(owner)
        if home is None:
            return
        bound = home.bindings.get(name)
        if bound is not None:
            if bound.value is not None:
                yield TracedValue(bound.value, Site(home.module, home.function.header))
            elif bound.expr is not None and bound.frame is not None:
                for traced in self.given(bound.expr, bound.frame):
                    yield holding(traced, self.stores.on_parameter(name, home)) if may_hold(traced.value) else traced
            return
        parameter = home.function.parameter(name)
        if parameter is not None:
            if parameter.default is not None:
                default = self.evaluate(parameter.default, home.parent or home)
                if not home.open:
                    yield from default
                    return
                yield from (traced.doubted(Doubt.DEFAULT) for traced in default)
                yield TracedValue(UNKNOWN, Site(home.module, home.function.header))
            return
        value = home.function.variables.get(name)
        if value is not None:
            yield from self.evaluate(value, home)

    def _super(self, owner: str, frame: Frame, site: Site) -> Iterator[TracedValue]:
        scope: Frame | None = frame
        while scope is not None and scope.function.parameters and not scope.bindings:
            scope = scope.parent
        if scope is None or not scope.function.parameters:
            return
        me = scope.function.parameters[0].name
        for bound in self._variable(me, scope.function.qualname, scope):
            metaclasses = self.classes.metaclasses(bound.value) if isinstance(bound.value, ClassValue) else ()
            lines = (self.classes.mro(bound.value), *map(self.classes.mro, metaclasses))
            for class_ in chain.from_iterable(lines):
                if isinstance(class_, ClassValue) and class_.facts.qualname == owner:
                    yield TracedValue(SuperValue(bound.value, class_), site)
                    return

    def call(self, callee: AbstractValue, call: Call, frame: Frame, site: Site) -> Iterable[TracedValue]:
        """What calling a value gives."""
        return self._calls.call(callee, call, frame, site)

    def enter(self, callee: FunctionValue, call: Call, frame: Frame) -> Frame | None:
        """See `Calls.enter`."""
        return self._calls.enter(callee, call, frame)

    def activate(
        self,
        callee: FunctionValue,
        arguments: Arguments,
        depth: int,
        active: tuple[int, ...] = (),
        called_by: tuple[Frame, Call] | None = None,
    ) -> Frame | None:
        """See `Calls.activate`."""
        return self._calls.activate(callee, arguments, depth, active, called_by)

    def elements(self, value: AbstractValue) -> tuple[Slot, ...]:
        """See `own_iterators.elements_in`."""
        return tuple(elements_in(value, self))

    def with_own_items(self, traced: TracedValue, site: Site, frame: Frame) -> TracedValue:
        """See `Attributes.with_own_items`."""
        return self.attributes.with_own_items(traced, site, frame)


def _is_text(value: Expr) -> bool:
    match value:
        case Constant(value=str()) | Data(kind="str"):
            return True
        case Sum(parts=parts):
            return _is_text(parts[0])
        case _:
            return False
