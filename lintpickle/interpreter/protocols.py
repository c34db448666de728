"""What the parts of the interpreter ask of the evaluator and of each other, so that none has to import it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeAlias

from lintpickle.catalog import Catalog
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, ClassFacts, Event, FunctionFacts, Implied, Store
from lintpickle.facts.values import Call, Expr, Item
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ExternalValue,
    Frame,
    FunctionValue,
    InstanceValue,
    Site,
    Slot,
    Stored,
    TracedValue,
)
from lintpickle.interpreter.held import Held
from lintpickle.program.cuts import Cuts
from lintpickle.program.module import Module
from lintpickle.pythons import Version
from lintpickle.resolution.module_bindings import ModuleBinding
from lintpickle.resolution.names import NameResolver

Ancestor: TypeAlias = "ClassValue | ExternalValue"


class Interpreter(Protocol):
    """The evaluator of a run, as its parts see it. `evaluator.Evaluator` says what its functions do."""

    names: NameResolver
    catalog: Catalog
    cuts: Cuts
    pythons: Sequence[Version]
    nesting: int

    @property
    def is_spent(self) -> bool: ...

    @property
    def classes(self) -> ClassQueries: ...

    @property
    def narrowing(self) -> TestsOfValues: ...

    @property
    def conditions(self) -> Feasibility: ...

    @property
    def stores(self) -> StoresOutside: ...

    @property
    def own_events(self) -> EventsOnParameters: ...

    @property
    def made_events(self) -> EventsOnResults: ...

    def evaluate(self, value: Expr, frame: Frame) -> tuple[TracedValue, ...]: ...

    def given(self, value: Expr, frame: Frame) -> Sequence[TracedValue]: ...

    def held_in(self, slot: Slot) -> Iterable[TracedValue]: ...

    def attribute(self, base: TracedValue, name: str, site: Site, frame: Frame) -> Iterable[TracedValue]: ...

    def item(self, value: Item, frame: Frame, site: Site) -> Iterable[TracedValue]: ...

    def definition(self, definition: ModuleBinding, site: Site) -> Iterable[TracedValue]: ...

    def call(self, callee: AbstractValue, call: Call, frame: Frame, site: Site) -> Iterable[TracedValue]: ...

    def enter(self, callee: FunctionValue, call: Call, frame: Frame) -> Frame | None: ...

    def module_frame(self, module: Module, body: FunctionFacts) -> Frame: ...

    def elements(self, value: AbstractValue) -> tuple[Slot, ...]: ...

    def with_own_items(self, traced: TracedValue, site: Site, frame: Frame) -> TracedValue: ...

    def in_branches_taken(self, values: tuple[TracedValue, ...], frame: Frame) -> Sequence[TracedValue]: ...


class ClassQueries(Protocol):
    """`classes.Classes`: which classes there are, and what they and their instances have."""

    @property
    def states(self) -> StateQueries: ...

    def module_level(self, module: Module, facts: ClassFacts) -> ClassValue: ...

    def mro(self, value: AbstractValue) -> tuple[Ancestor, ...]: ...

    def bases(self, class_: ClassValue) -> Iterator[Ancestor]: ...

    def behind(self, value: AbstractValue, owner: ClassValue) -> tuple[Ancestor, ...]: ...

    def kind(self, class_: AbstractValue) -> str | None: ...

    def has_instances(self, class_: ClassValue) -> bool: ...

    def metaclass_call(self, class_: ClassValue) -> FunctionValue | None: ...

    def is_mapping(self, value: AbstractValue) -> bool: ...

    def find_method(
        self, value: AbstractValue, name: str, after: ClassValue | None = None
    ) -> tuple[ClassValue, FunctionFacts] | None: ...

    def defines(self, value: AbstractValue, name: str) -> bool: ...

    def find_setter(self, value: AbstractValue, name: str) -> tuple[ClassValue, FunctionFacts] | None: ...

    def find_descriptor(self, value: AbstractValue, name: str) -> InstanceValue | None: ...

    def instance_attribute(self, instance: InstanceValue, name: str, site: Site) -> Iterator[TracedValue]: ...

    def body_frame(self, class_: ClassValue) -> Frame: ...

    def frame_on(self, owner: ClassValue, method: FunctionFacts, instance: InstanceValue) -> Frame: ...

    def frame_of_other(self, owner: ClassValue, method: FunctionFacts, instance: InstanceValue) -> Frame: ...


class StateQueries(Protocol):
    """`instance_state.StateReader`: what constructors store."""

    def state(self, instance: InstanceValue) -> tuple[Held, ...]: ...

    def so_far(self, instance: InstanceValue) -> tuple[Held, ...] | None: ...

    def read_names(self, instance: InstanceValue) -> frozenset[str]: ...


class TestsOfValues(Protocol):
    """`narrowing.Narrowing`: how tests of a value come out."""

    def answer(self, test: str, given: list[AbstractValue], value: AbstractValue) -> bool | None: ...

    def truth(self, abstract: AbstractValue) -> bool | None: ...


class Feasibility(Protocol):
    """`conditions.Conditions`: which places a run gets to."""

    def reaches(self, place: Span, frame: Frame) -> bool | None: ...

    def is_done_anyway(self, call: Span, frame: Frame) -> bool: ...

    def may_get_to(self, place: Span, frame: Frame) -> bool: ...

    def answer(self, test: ast.expr, frame: Frame) -> bool | None: ...

    def replaces(self, event: Store, frame: Frame) -> bool: ...

    def tests_before(self, place: Span, frame: Frame) -> tuple[tuple[ast.expr, bool], ...]: ...


class StoresOutside(Protocol):
    """`stores.Stores`: what is stored on an object after it was made."""

    def before(self, value: Expr, frame: Frame, place: int) -> tuple[Stored, ...]:
        """See `Stores.before`."""
        ...

    def on(self, call: Call, frame: Frame) -> tuple[Stored, ...]: ...

    def name_of(self, event: Store, frame: Frame) -> str: ...


class EventsOnParameters(Protocol):
    """`own_events.OwnEvents`: what in a function can do something to what a parameter is."""

    def of(self, function: FunctionFacts, me: str) -> tuple[Event, ...]: ...

    def stores_in(self, function: FunctionFacts, attribute: str) -> Sequence[Store]: ...


class EventsOnResults(Protocol):
    """`made_events.MadeEvents`: what in a function concerns what its calls give."""

    def of(self, made: Sequence[Call], function: FunctionFacts, module: Module) -> Iterator[Called | Implied]: ...

    def is_concerned(self, call: Call, function: FunctionFacts, module: Module) -> bool: ...
