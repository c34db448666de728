"""Methods that fill an empty list, dict or set, and that functions in workers are given to call:
`pool.apply_async(check, (path, report.issues.append))`.

A bound method is pickled with its object, and a forked process has a copy of all. Measured with CPython 3.11 under
every start method: what workers append so is not in the list of the main process, for `apply_async`, `starmap`,
`submit`, a `partial` that is mapped, and the arguments of a `Process`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.changed_arguments import parameters_given
from lintpickle.analyses.lost_changes.argument_changes import read_by_parent
from lintpickle.analyses.lost_changes.container_methods import FILLABLE
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.task_calls import task_call
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import (
    Attribute,
    Call,
    Collection,
    Comprehension,
    Constant,
    Expr,
    Mapping,
    Parameter,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import ContainerValue, ExternalValue, Frame, FunctionValue
from lintpickle.interpreter.partials import PARTIAL
from lintpickle.payload.entry_arguments import parameter_at
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_KINDS = frozenset({"process", "pool", "executor", "spawn", "joblib"})
FILLS = frozenset(
    {"append", "appendleft", "extend", "extendleft", "insert", "add", "update", "setdefault", "__setitem__"}
)
_PLACE = re.compile(r"args\[(\d+)\]")
_KEYWORDS = ("kwds", "kwargs")
_DEPTH = 3

_Given = tuple[int | str, Attribute, tuple[FunctionFacts, ...] | None]


class FillingMethod(Struct, frozen=True):
    """A parameter of a function in workers that is given `given`, the method of a container, and calls it at `span`.
    `reader` is what reads the container in the main process later."""

    function: WorkerFunction
    parameter: str
    given: str
    span: Span
    container: str
    reader: str


def filling_methods_called(code: WorkerCode, linker: Linker) -> Iterator[FillingMethod]:
    """The methods of empty containers that functions of workers call, where the main process reads the containers
    later."""
    boundary = boundary_given_methods(code)
    if boundary is None:
        return
    readable = [each for each in (*code.functions, *code.by_value) if each.module.first_party]
    for place, method, wrapped in _given(boundary, linker) if readable else ():
        written = boundary.frame.module.code[method.span.start : method.span.end]
        container = written.rpartition(".")[0].strip()
        if method.name not in FILLS or not is_empty_container(method.base, boundary.frame, linker):
            continue
        for function in readable:
            if not (function.entry if wrapped is None else function.facts in wrapped):
                continue
            name = parameter_at(place, function.facts, boundary.spec) if isinstance(place, int) else place
            span = _called_at(name, function.frame, linker) if name is not None else None
            reader = read_by_parent(container, boundary, linker) if span is not None else None
            if name is not None and span is not None and reader is not None:
                yield FillingMethod(function, name, written, span, container, reader)


def boundary_given_methods(code: WorkerCode) -> BoundaryCall | None:
    """The boundary at which the project gives workers what they call; None if it is no such boundary."""
    boundary = code.boundary
    is_one = boundary is not None and boundary.spec.kind in _KINDS and boundary.frame.module.first_party
    return boundary if is_one else None


def _given(boundary: BoundaryCall, linker: Linker) -> Iterator[_Given]:
    """The methods that a function in workers is given, each with its place among the arguments, or its keyword; with
    the functions that it is given to by a partial object, if it is."""
    spec, task = boundary.spec, task_call(boundary)
    for at, given in enumerate((task.positional() or ()) if task is not None else ()):
        if isinstance(given, Attribute):
            yield at, given, None
    for role, bound in boundary.arguments.items():
        value = without_narrowing(bound.expr) if bound.expr is not None else None
        place = _PLACE.fullmatch(role)
        if value is None or bound.frame is not boundary.frame:
            continue
        if role in spec.functions:
            yield from _of_partial(value, boundary.frame, linker)
        elif role == "args":
            yield from ((*each, None) for each in _in_order(value))
        elif role in _KEYWORDS and isinstance(value, Mapping):
            named = ((key.value, held) for key, held in value.items if isinstance(key, Constant))
            yield from ((str(name), held, None) for name, held in named if isinstance(held, Attribute))
        elif role == "iterable" and spec.spreads:
            yield from ((*each, None) for each in _of_each(value))
        elif spec.kind == "executor" and spec.path.endswith(".submit") and isinstance(value, Attribute):
            yield int(place[1]) if place is not None else role, value, None


def _in_order(value: Expr) -> Iterator[tuple[int, Attribute]]:
    elements = value.elements if isinstance(value, Collection) else ()
    yield from ((place, each) for place, each in enumerate(elements) if isinstance(each, Attribute))


def _of_each(value: Expr) -> Iterator[tuple[int, Attribute]]:
    """The methods in the items of an iterable, each of which is the arguments of a call."""
    match value:
        case Comprehension(element=element):
            yield from _in_order(element)
        case Collection(elements=elements):
            for each in elements[:1]:
                yield from _in_order(each)
        case _:
            pass


def _of_partial(value: Expr, frame: Frame, linker: Linker) -> Iterator[_Given]:
    if not isinstance(value, Call):
        return
    made = [each.value for each in linker.evaluate(value.function, frame)]
    positional = value.positional() or ()
    if positional and made and all(isinstance(each, ExternalValue) and each.path == PARTIAL for each in made):
        called = (each.value for each in linker.evaluate(positional[0], frame))
        wrapped = tuple(each.facts for each in called if isinstance(each, FunctionValue))
        given: list[tuple[int | str, Expr]] = [*enumerate(positional[1:])]
        given += [(each.keyword, each.value) for each in value.arguments if each.keyword is not None]
        yield from ((place, each, wrapped) for place, each in given if isinstance(each, Attribute))


def is_empty_container(value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether an expression is surely an empty container, and no proxy of one."""
    found = [each.value for each in linker.evaluate(value, frame)]
    return bool(found) and all(
        isinstance(each, ContainerValue) and each.kind in FILLABLE and not each.slots for each in found
    )


def _called_at(name: str, frame: Frame, linker: Linker, depth: int = 0) -> Span | None:
    """Where a function calls what a parameter is given, itself or by a function that it passes it on to."""
    facts = frame.function

    def is_it(value: Expr) -> bool:
        inner = without_narrowing(value)
        return isinstance(inner, Parameter) and inner.name == name

    if name in facts.variables or facts.parameter(name) is None:
        return None
    calls = [event.call for event in facts.events if isinstance(event, Called)]
    for call in calls:
        if is_it(call.function):
            return call.span
    for call in calls if depth < _DEPTH else ():
        for traced in linker.evaluate(call.function, frame) if any(is_it(a.value) for a in call.arguments) else ():
            if isinstance(traced.value, FunctionValue):
                inner = linker.evaluator.enter(traced.value, call, frame)
                names = parameters_given(call, traced.value, is_it)
                if inner is not None and any(_called_at(each, inner, linker, depth + 1) for each in names):
                    return call.span
    return None
