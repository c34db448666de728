from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.decorating_classes import decorates_with, decorating_class
from lintpickle.analyses.calls_and_values.functions import name_at_run
from lintpickle.analyses.workers.worker_functions import (
    RENAMES,
    decorator_as_written,
    object_in_place,
    replaced_by_decorator,
)
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    CARRIES_FUNCTIONS,
    LOCAL_FUNCTION,
    AbstractValue,
    Bound,
    BoundaryCall,
    Call,
    Captured,
    Collection,
    Crossing,
    Expr,
    Frame,
    FunctionFacts,
    FunctionValue,
    Hazard,
    Hop,
    InstanceValue,
    Linker,
    Module,
    RootFrame,
    Rule,
    Site,
    carries_functions,
    excerpt,
    excerpt_of,
    where,
)

_OF_A_REGISTRY = "keep what the decorator returns, which has the name, or return the function itself"
_OF_AN_OBJECT = "define `{class_}.__reduce__` that returns the function's name, which leads to the object"


class _Decorator(Struct, frozen=True):
    """What puts something else in the place of what it decorates. `written` is the name after an `@`; `is_it` tells
    whether it is a decorator that stands there."""

    name: str
    written: str
    is_it: Callable[[AbstractValue], bool]


class UndecoratedWorkerFunction(Rule[Crossing]):
    """A function that its own decorator passes to a worker: its name leads pickle to the decorated one."""

    code = "LP209"
    name = "undecorated-worker-function"
    start_methods = ALL_START_METHODS
    message = "{what} is the undecorated `{function}`, whose name leads to the result of `{decorator}`: {error}"
    help = "leave it undecorated, and pass it to the function that starts workers: `run(work, …)`"
    words = frozenset({"@"})
    value_types = (FunctionValue,)
    marks = frozenset({LOCAL_FUNCTION})

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        methods = linker.boundaries.starting.start_methods(call)
        if not methods or call.spec.pickled_as in CARRIES_FUNCTIONS:
            return
        for role in call.payload:
            for value, frame in _handed(call.arguments.get(role)):
                decorator = _decorator(value, frame, linker)
                decorated = next(_decorated(decorator, call, linker), None) if decorator is not None else None
                if decorator is None or decorated is None:
                    continue
                home, function = decorated.frame.module, decorated.function
                site, written = Site(frame.module, value.span), excerpt(frame.module, value)
                hazard = _hazard(site, written, decorator.name, home, function, call.hops)
                yield replace(hazard, start_methods=methods)

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[Crossing]]:
        match crossing.value:
            case FunctionValue(undecorated=True) as value if not carries_functions(crossing):
                decorator = replaced_by_decorator(value, linker)
                if decorator is not None:
                    hazard = _hazard(crossing.site, excerpt_of(crossing), decorator, value.module, value.facts)
                    yield replace(hazard, help=_OF_A_REGISTRY, culprit=value)
                elif (made := object_in_place(value, linker)) is not None:
                    yield _kept_by_object(made, value, crossing)
            case _:
                pass


def _kept_by_object(made: InstanceValue, value: FunctionValue, crossing: Crossing) -> Hazard[Crossing]:
    """The hazard of a function that is kept by what its decorator puts in its place, or by something else."""
    decorator = decorator_as_written(value.facts.decorators[0])
    hazard = _hazard(crossing.site, excerpt_of(crossing), decorator, value.module, value.facts)
    holder = crossing.holder
    if holder is None or holder.class_.facts is not made.class_.facts:
        return replace(hazard, help=_OF_A_REGISTRY, culprit=value)
    help_ = _OF_AN_OBJECT.format(class_=holder.class_.facts.name)
    what = f"what `{where(crossing)}` holds"
    return replace(hazard, data={**hazard.data, "what": what}, help=help_, culprit=holder.class_)


def _hazard(
    site: Site, written: str, decorator: str, home: Module, function: FunctionFacts, way: tuple[Hop, ...] = ()
) -> Hazard[Crossing]:
    hop = Hop(f"{decorator} puts something else in the place of {function.name}", Site(home, function.header))
    return Hazard(
        site=site,
        noun=f"the undecorated {function.name}",
        error=(
            f"_pickle.PicklingError: Can't pickle <function {function.qualname} at 0x…>: "
            f"it's not the same object as {name_at_run(home)}.{function.qualname}"
        ),
        data={"what": f"`{written}`", "decorator": decorator, "function": function.name},
        hops=(*way, hop),
    )


def _handed(bound: Bound | None) -> Iterator[tuple[Expr, Frame]]:
    """The values passed for a parameter, including those inside a list, tuple, dict or partial."""
    if bound is None or bound.expr is None or bound.frame is None:
        return
    match bound.expr:
        case Collection(elements=elements):
            yield from ((element, bound.frame) for element in elements)
        case Call(arguments=arguments):
            yield from ((argument.value, bound.frame) for argument in arguments)
        case value:
            yield value, bound.frame


def _decorator(value: Expr, frame: Frame, linker: Linker) -> _Decorator | None:
    """What received the value, if it puts something else in its place: an enclosing function, or a class whose objects
    keep it."""
    function = _decorating_function(value, frame, linker)
    if function is not None:
        return _Decorator(function.name, function.qualname.partition(".")[0], lambda made: _is_of(made, function))
    found = decorating_class(value, frame, linker)
    if found is None:
        return None
    class_, method = found
    facts = class_.facts
    if RENAMES.search(class_.module.code, facts.span.start, facts.span.end):
        return None
    return _Decorator(facts.name, facts.name, lambda made: decorates_with(made, class_, method))


def _is_of(made: AbstractValue, function: FunctionFacts) -> bool:
    return isinstance(made, FunctionValue) and made.facts is function


def _decorating_function(value: Expr, frame: Frame, linker: Linker) -> FunctionFacts | None:
    """The enclosing function that received the value, if it returns another function in its place."""
    home = frame.enclosing(value.owner) if isinstance(value, Captured) else None
    if home is None or not isinstance(value, Captured):
        return None
    facts = home.function
    if not facts.parameters or facts.parameters[0].name != value.name or value.name in facts.variables:
        return None
    if RENAMES.search(home.module.code, facts.span.start, facts.span.end):
        return None
    given = [each.value for returned in facts.returns for each in linker.evaluate(returned, home)]
    inner = [
        abstract for abstract in given if isinstance(abstract, FunctionValue) and _stands_in(abstract.facts, facts)
    ]
    return facts if given and len(inner) == len(given) else None


def _stands_in(function: FunctionFacts, outer: FunctionFacts) -> bool:
    return outer.span.start < function.span.start and function.span.end <= outer.span.end


def _decorated(decorator: _Decorator, call: BoundaryCall, linker: Linker) -> Iterator[RootFrame]:
    """The functions of the program, except local ones, that it decorates."""
    form = re.compile(rf"@\s*(?:\w+\.)*{decorator.written}\b")
    for root in linker.activations_with({decorator.written}, form, call.frame.module.path):
        function = root.function
        frame = Frame(root.frame.module, function)
        traced = (each for value in function.decorators for each in linker.evaluate(value, frame))
        if not function.is_local and any(decorator.is_it(each.value) for each in traced):
            yield root
