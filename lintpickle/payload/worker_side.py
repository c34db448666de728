"""The worker side: the functions that run in the worker processes of a boundary, and those that they call."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from msgspec import Struct

from lintpickle.boundaries.boundary_call import PICKLED_ON_START, BoundaryCall
from lintpickle.catalog import Callback
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.facts.records import Called, Event, FunctionFacts, Implied
from lintpickle.facts.values import (
    Argument,
    Attribute,
    Call,
    Constant,
    Expr,
)
from lintpickle.interpreter.abstract_values import (
    UNKNOWN,
    Bound,
    ClassValue,
    ConstantValue,
    ContainerValue,
    ExternalValue,
    Frame,
    FunctionValue,
    Hop,
    InstanceValue,
    Site,
    TracedValue,
)
from lintpickle.interpreter.callees import as_method
from lintpickle.interpreter.calls import merge_partial
from lintpickle.interpreter.iterators import some_element
from lintpickle.interpreter.partials import PARTIAL, without_partials
from lintpickle.payload.crossings import Root
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.program.module import Module


class WorkerFunction(Struct, frozen=True, eq=False):
    """A function that runs in a worker, and how it is called there."""

    module: Module
    facts: FunctionFacts
    frame: Frame
    hops: tuple[Hop, ...]
    entry: bool
    """Whether the worker calls it directly (`__getitem__`, `collate_fn`), so that its result travels back."""
    entered_by: str | None
    """The name of the function that the worker calls, also by way of a partial, and that leads here (its own, if it is
    an entry); None if only unpickling or a part of the payload leads here."""
    of_partial: bool = False
    """Whether the worker calls a partial of it directly, which gives it other arguments than the boundary does."""

    @property
    def is_begun_with(self) -> bool:
        """Whether the worker calls it, or a partial of it, so that its result travels back."""
        return self.entry or self.of_partial

    @property
    def text(self) -> str:
        """What is written of it behind its header."""
        return self.module.code[self.facts.header.end : self.facts.span.end]


class WorkerCode(Struct, frozen=True, eq=False):
    """The functions that run in the workers of one boundary, or of one dataset class without a visible loader."""

    root: Root
    boundary: BoundaryCall | None
    functions: tuple[WorkerFunction, ...]
    is_cut: bool = False
    """Whether they may run more than these, which was not read: see `lintpickle.limits.Limit.hides`."""
    by_value: tuple[WorkerFunction, ...] = ()
    """Others that run there, which are sent with the globals that they name."""
    is_fresh: bool = False
    """Whether the workers import all modules anew under every start method."""

    @property
    def confidence(self) -> Confidence:
        """How sure it is that workers run this code: the confidence of the root."""
        return self.root.confidence

    @property
    def lacking_under(self) -> tuple[StartMethod, ...]:
        """The start methods under which the workers have nothing of what the main process has put into its modules."""
        return tuple(StartMethod) if self.is_fresh else PICKLED_ON_START

    @property
    def way(self) -> tuple[Site, ...]:
        """Where the workers start, and the calls by which a program comes there."""
        return (self.root.site, *(hop.site for hop in (self.boundary.hops if self.boundary is not None else ())))

    def calls_to(self, function: WorkerFunction) -> int:
        """How many calls lead to one of these functions from that which the worker calls; 0 for what only the payload
        holds."""
        way = function.hops
        entries = (each.hops for each in self.functions if each.entry and len(each.hops) <= len(way))
        return max((len(way) - len(each) for each in entries if way[len(each) - 1] is each[-1]), default=0)

    def function_around(self, site: Site) -> WorkerFunction | None:
        """The innermost of these functions in which a place stands; None if it stands in none of them."""
        around = [
            each
            for each in self.functions
            if each.module is site.module and each.facts.span.start <= site.span.start < each.facts.span.end
        ]
        return max(around, key=lambda each: each.facts.span.start, default=None)


def same_functions(code: WorkerCode) -> Hashable:
    """What is equal for two worker sides if they start at one place, by way of the same modules, and run the same
    functions, with the same constants as arguments."""
    modules = frozenset(site.module.path for site in code.way)
    ran = frozenset((id(each.facts), tuple(_constants(each.frame))) for each in code.functions)
    return code.root.site.module.path, code.root.site.span, modules, ran


def _constants(frame: Frame) -> Iterator[tuple[str, str]]:
    for name, bound in frame.bindings.items():
        match bound:
            case Bound(value=ConstantValue(value=value)) | Bound(expr=Constant(value=value)):
                yield name, repr(value)
            case _:
                pass


def calls_in(event: Event) -> Iterator[Call]:
    """The calls that an event makes or implies, each instead of those before it: `str(x)` calls `__str__`, or where
    that is missing `__repr__`."""
    if isinstance(event, Called | Implied):
        yield event.call
    if isinstance(event, Implied) and event.method == "__str__":
        function = Attribute(event.span, event.target, "__repr__")
        yield Call(event.span, function, ())


def calls_made(call: Call, frame: Frame, linker: LinkedProgram) -> Iterator[Call]:
    """A call, with the arguments that a partial adds, and those that a library function makes of what it is given:
    `map(parse, rows)` calls `parse`."""
    itself = call
    for traced in linker.evaluator.evaluate(call.function, frame):
        match traced.value:
            case ExternalValue(path=path) if (callback := linker.catalog.callback(path)) is not None:
                yield from _called_back(callback, call, frame, linker)
            case value if value is UNKNOWN and isinstance(call.function, Attribute):
                by_name = linker.catalog.callback(f".{call.function.name}")
                yield from _called_back(by_name, call, frame, linker) if by_name is not None else ()
            case ContainerValue(kind=kind, slots=(target, *_) as slots) if kind == PARTIAL:
                itself = merge_partial(slots, call) if target.frame is frame else _with_any(call.function, call)
            case _:
                pass
    yield itself


def _called_back(callback: Callback, call: Call, frame: Frame, linker: LinkedProgram) -> Iterator[Call]:
    made = _call_back(callback, call)
    return calls_made(made, frame, linker) if made is not None else iter(())


def _call_back(callback: Callback, call: Call) -> Call | None:
    """The call of what a function is given, by what the catalog says of that function."""
    positional = call.positional()
    if positional is None:
        return None
    function, others = None, positional
    for way in callback.function:
        if not way.isdecimal():
            function = function or call.keyword(way)
        elif int(way) < len(positional):
            function, others = positional[int(way)], (*positional[: int(way)], *positional[int(way) + 1 :])
    if function is None:
        return None
    match callback.given, others:
        case "elements", (_, *_) if len(others) == 1 or others is not positional:
            return Call(call.span, function, tuple(Argument(some_element(each)) for each in others))
        case "rows", (rows,):
            return Call(call.span, function, (Argument(some_element(rows), star="*"),))
        case _:
            return _with_any(function, call)


def _with_any(function: Expr, call: Call) -> Call:
    """A call of a function, made with one, whose arguments are not known."""
    return Call(call.span, function, (Argument(Expr(call.span), star="*"),))


def functions_called(traced: TracedValue, call: Call, frame: Frame, linker: LinkedProgram) -> Iterator[FunctionValue]:
    """The functions that run when something is called in a frame: itself, that of a partial, or the methods of an
    object or a class that do. A constructor runs on what that call makes."""
    for called in without_partials((traced,), linker.evaluator):
        match called.value:
            case FunctionValue() as function:
                yield function
            case InstanceValue() as instance:
                for name in ("__call__", "forward"):
                    found = linker.classes.find_method(instance, name)
                    if found is not None:
                        yield as_method(found, instance)
            case ClassValue() as class_:
                found = linker.classes.find_method(class_, "__init__")
                if found is not None:
                    yield as_method(found, InstanceValue(class_, call, frame))
            case _:
                pass


def properties_read(
    function: FunctionFacts, frame: Frame, linker: LinkedProgram
) -> Iterator[tuple[Implied, InstanceValue, tuple[ClassValue, FunctionFacts]]]:
    """Where a function, in a frame, reads properties of objects that it makes, with the object and the property, beside
    which is the class that defines it."""
    for event in function.events:
        if not isinstance(event, Implied) or not event.reads:
            continue
        for traced in linker.evaluator.evaluate(event.target, frame):
            made = traced.value
            if not isinstance(made, InstanceValue):
                continue
            getter = linker.classes.find_property(made, event.method)
            if getter is not None:
                yield event, made, getter


def put_around(function: WorkerFunction, linker: LinkedProgram) -> Iterator[FunctionValue]:
    """What decorators have put around a function of the program: that runs, too, when the function is called."""
    if function.facts.decorators and function.module.first_party:
        home = function.frame.parent
        decorated = FunctionValue(function.module, function.facts, home)
        yield from linker.evaluator.decorators.around(decorated, home or Frame(function.module, function.facts))
