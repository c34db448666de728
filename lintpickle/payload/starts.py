"""Starts: where code starts worker processes, directly or in functions that it calls."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.fresh_workers import started_as_pool
from lintpickle.facts.records import Called, ClassFacts, Event, FunctionFacts, Implied, Iterated
from lintpickle.facts.values import Attribute, Call, Expr
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ContainerValue,
    Doubt,
    ExternalResult,
    ExternalValue,
    Frame,
    FunctionValue,
    Hop,
    InstanceValue,
    ProductValue,
    Site,
    is_indefinite,
)
from lintpickle.limits import START_CALLS, START_FUNCTIONS
from lintpickle.payload.iterated_loaders import IteratedLoaders
from lintpickle.payload.process_starts import ProcessStarts
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.program.module import Module

_MANAGER = "manager"
"""The kind of what starts a process when it is entered by `with`."""
_ITERATING = frozenset({"iter", "list", "tuple", "set", "sorted", "sum", "next", "dict", "any", "all"})
_RUNNERS = frozenset({"fire.Fire", "typer.run", "absl.app.run"})
_LOOPING_METHODS = frozenset({"fit", "validate", "test", "predict", "run"})
_LOOPING_OWNERS = ("Trainer()", "Fabric()", "Engine()", "create_supervised_trainer()", "create_supervised_evaluator()")

STARTING_NAMES = frozenset(
    {*(name.rpartition(".")[2] for name in _RUNNERS), *(owner.partition("(")[0] for owner in _LOOPING_OWNERS)}
)
"""Names of libraries that start the loaders passed to them; any other start needs the name of a boundary."""


class Start(Struct, frozen=True, eq=False):
    """A start of worker processes. `site` is the event that starts them; `hops` are the calls that lead there.
    `boundary` is what says how many there are: the construction of a DataLoader, of joblib's `Parallel`. `making` are
    the places by which a DataLoader comes, that of the construction last; for `start()` of a process, those at which it
    may be made."""

    site: Site
    hops: tuple[Hop, ...]
    kind: str
    """The kind of boundary."""
    boundary: BoundaryCall | None = None
    making: tuple[Site, ...] = ()
    doubt: Doubt | None = None
    """What is not understood of the way: a condition on it, or which of several values is called (`BRANCH`), by what
    stands there or by conditions that choose among them."""


class WorkerStarts:
    """Finds starts in functions and module bodies."""

    def __init__(self, linker: LinkedProgram) -> None:
        self._linker = linker
        self._evaluator = linker.evaluator

    def of_event(self, event: Event, frame: Frame) -> tuple[Start, ...]:
        """The starts that one event of a body causes, directly or in functions that it calls."""
        return tuple(_Search(self._linker).event(event, frame, ()))


class _Search:
    """One search from one event; each function is entered once."""

    def __init__(self, linker: LinkedProgram) -> None:
        self._linker = linker
        self._evaluator = linker.evaluator
        self._entered: set[int] = set()
        self._loaders = IteratedLoaders(linker)
        self._processes = ProcessStarts(linker)

    def event(self, event: Event, frame: Frame, hops: tuple[Hop, ...]) -> Iterator[Start]:
        for start in self._event(event, frame, hops):
            conditions = self._linker.conditions
            is_got_to = conditions.reaches(event.span, frame)
            if is_got_to is False or conditions.asks_for_main(event.span, frame):
                break
            if conditions.may_ask_for_main(event.span, frame):
                start = replace(start, doubt=Doubt.BRANCH)
            if hops and is_got_to is None and not conditions.is_done_anyway(start.site.span, frame):
                is_chosen = conditions.choose(event.span, frame)
                is_other = is_chosen or conditions.needs_more_than_defaults(event.span, frame)
                start = replace(start, doubt=Doubt.BRANCH if is_other else start.doubt or Doubt.CONDITION)
            yield start

    def _event(self, event: Event, frame: Frame, hops: tuple[Hop, ...]) -> Iterator[Start]:
        match event:
            case Iterated(iterable=iterable):
                yield from self._loop(iterable, frame, hops)
            case Called(call=call):
                yield from self._call(call, frame, hops, event)
            case Implied(method="__enter__", target=manager, span=span):
                entered = Call(span, Attribute(span, manager, "start"), ())
                kind = self._processes.kind_started_by(entered, frame, Called(span, False, (), entered))
                if kind == _MANAGER:
                    yield Start(Site(frame.module, span), hops, kind)
            case _:
                pass

    def _loop(self, iterable: Expr, frame: Frame, hops: tuple[Hop, ...]) -> Iterator[Start]:
        # A parameter has no place of its own.
        site = Site(frame.module, iterable.span if iterable.span.end else frame.function.header)
        for boundary, making in self._loaders.of(iterable, frame):
            yield Start(site, hops, boundary.spec.kind, boundary, making)

    def _call(self, call: Call, frame: Frame, hops: tuple[Hop, ...], event: Called) -> Iterator[Start]:
        site = Site(frame.module, call.span)
        kind = self._processes.kind_started_by(call, frame, event)
        if kind is not None:
            yield Start(site, hops, kind, making=self._processes.made_before(call, frame))
            return
        runner = started_as_pool(call, frame, self._evaluator)
        if runner is not None:
            yield Start(site, hops, runner.spec.kind, runner)
            return
        callees = [traced.value for traced in self._evaluator.evaluate(call.function, frame)]
        found = [(callee, tuple(self._by_callee(callee, call, frame, hops))) for callee in callees]
        starting = {_definition(callee) for callee, starts in found if starts}
        others = (callee for callee, starts in found if not starts and not is_indefinite(callee))
        is_one_of_several = any(_definition(other) not in starting for other in others)
        for _, starts in found:
            for start in starts:
                yield replace(start, doubt=Doubt.BRANCH) if is_one_of_several else start

    def _by_callee(self, callee: AbstractValue, call: Call, frame: Frame, hops: tuple[Hop, ...]) -> Iterator[Start]:
        """The starts that calling one value causes."""
        match callee:
            case ExternalValue(path=path):
                for value in _iterated_by(path, call):
                    yield from self._loop(value, frame, hops)
                if path in _RUNNERS and call.arguments:
                    for main in self._evaluator.evaluate(call.arguments[0].value, frame):
                        yield from self._enter(main.value, Call(call.span, call.function, ()), frame, hops)
            case abstract:
                yield from self._enter(abstract, call, frame, hops)

    def _enter(self, value: AbstractValue, call: Call, frame: Frame, hops: tuple[Hop, ...]) -> Iterator[Start]:
        for callee in self._functions(value, call, frame):
            facts = callee.facts
            if id(facts) in self._entered or facts.is_generator or facts.is_async or not _may_start(facts):
                continue
            if self._is_too_far(hops) or not self._may_lead_to_start(callee, call, frame):
                continue
            self._entered.add(id(facts))
            inner = self._evaluator.enter(callee, call, frame)
            if inner is None:
                continue
            name = facts.qualname.rpartition(".<locals>.")[2]
            hop = Hop(f"calls {name}()", Site(frame.module, call.span))
            for event in facts.events:
                yield from self.event(event, inner, (*hops, hop))

    def _may_lead_to_start(self, callee: FunctionValue, call: Call, frame: Frame) -> bool:
        """Whether names in the function, in the class of its object, or in what it is given lead to a start."""
        if self._leads(callee.module, callee.facts) or self._value_leads(callee.bound):
            return True
        return any(map(self._value_leads, self._given(call, frame))) or self._is_passed_on(frame)

    def _is_passed_on(self, frame: Frame) -> bool:
        """Whether a call on the way has been given a function that leads to a start, which may have been kept."""
        while frame.called_by is not None:
            frame, call = frame.called_by
            functions = (each for each in self._given(call, frame) if isinstance(each, FunctionValue))
            if any(map(self._value_leads, functions)):
                return True
        return False

    def _given(self, call: Call, frame: Frame) -> Iterator[AbstractValue]:
        for argument in call.arguments:
            yield from (each.value for each in self._evaluator.evaluate(argument.value, frame))

    def _value_leads(self, value: AbstractValue | None) -> bool:
        match value:
            case InstanceValue(class_=class_):
                return self._leads(class_.module, class_.facts)
            case FunctionValue(module=module, facts=facts) | ClassValue(module=module, facts=facts):
                return self._leads(module, facts)
            case ContainerValue():
                return True
            case ExternalResult(path=path) | ProductValue(path=path) | ExternalValue(path=path):
                return self._linker.starts_reach.is_sought((path,))
            case _:
                return False

    def _leads(self, module: Module, facts: FunctionFacts | ClassFacts) -> bool:
        block = module.outline.block_at(facts.span.start) if module.first_party else None
        return block is None or self._linker.starts_reach.leads(module, block)

    def _is_too_far(self, hops: tuple[Hop, ...]) -> bool:
        """Whether a function is not followed because so many were, or because the way to it is too long."""
        is_full = len(self._entered) > START_FUNCTIONS.most
        limit = START_FUNCTIONS if is_full else START_CALLS if len(hops) >= START_CALLS.most else None
        if limit is not None:
            self._evaluator.cuts.note(limit)
        return limit is not None

    def _functions(self, value: AbstractValue, call: Call, frame: Frame) -> Iterator[FunctionValue]:
        match value:
            case FunctionValue():
                yield value
            case ClassValue():
                for made in self._evaluator.evaluate(call, frame):
                    if isinstance(made.value, InstanceValue):
                        yield from self._method(made.value, "__init__")
            case InstanceValue():
                yield from self._method(value, "__call__")
            case _:
                pass

    def _method(self, instance: InstanceValue, name: str) -> Iterator[FunctionValue]:
        found = self._linker.classes.find_method(instance, name)
        if found is not None:
            yield FunctionValue(found[0].module, found[1], found[0].frame, instance)


def _iterated_by(path: str, call: Call) -> tuple[Expr, ...]:
    """The arguments that a function of a library iterates."""
    positional = call.positional() or ()
    module, _, name = path.rpartition(".")
    if module == "builtins" and name in _ITERATING:
        return positional[:1]
    if name in _LOOPING_METHODS and module.endswith(_LOOPING_OWNERS):
        return tuple(argument.value for argument in call.arguments if not argument.star)
    return ()


def _definition(value: AbstractValue) -> int:
    """What tells the definition of what is called from others."""
    match value:
        case FunctionValue(facts=facts) | ClassValue(facts=facts) | InstanceValue(class_=ClassValue(facts=facts)):
            return id(facts)
        case _:
            return id(value)


def _may_start(facts: FunctionFacts) -> bool:
    return any(isinstance(event, (Called, Implied, Iterated)) for event in facts.events)
