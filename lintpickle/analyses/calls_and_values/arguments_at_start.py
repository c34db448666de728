"""What an expression of a function that runs in a worker stands for, also where it is an argument with which the worker
begins, or a part of one: locks, queues and shared numbers are no payload of their own, so frames do not bind them."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.catalog import INITIALIZER
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Attribute, Constant, Expr, Item, Mapping, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    Bound,
    ContainerValue,
    Frame,
    FunctionValue,
    is_indefinite,
)
from lintpickle.interpreter.partials import PARTIAL
from lintpickle.payload.entry_arguments import parameter_at
from lintpickle.payload.linker import Linker

_EXECUTOR = "executor"
"""The kind of boundaries that pass their own keyword arguments on."""
_MOST_STEPS = 6
"""How many calls an argument is followed through that hand it on."""


def values_in_worker(value: Expr, frame: Frame, boundary: BoundaryCall, linker: Linker) -> list[AbstractValue]:
    """What an expression can be in a frame of a worker that a boundary starts."""
    found = [each.value for each in linker.evaluate(value, frame)]
    for _ in range(_MOST_STEPS):
        if found and not any(map(is_indefinite, found)):
            break
        parameter, path = _rooted(value)
        if parameter is None or frame.function.qualname != parameter.owner:
            break
        bound = frame.bindings.get(parameter.name)
        if bound is None or bound.expr is None or bound.frame is None:
            bound = _given(parameter.name, frame, boundary, linker)
        if bound is None or bound.expr is None or bound.frame is None:
            break
        value, frame = _with_path(without_narrowing(bound.expr), path), bound.frame
        found = [each.value for each in linker.evaluate(value, frame)]
    return found


def _rooted(value: Expr) -> tuple[Parameter | None, tuple[Expr, ...]]:
    """The parameter that an expression is a part of, and the steps to it, the innermost first."""
    path: list[Expr] = []
    inner = without_narrowing(value)
    while isinstance(inner, Attribute | Item):
        path.insert(0, inner)
        inner = without_narrowing(inner.base)
    return (inner if isinstance(inner, Parameter) else None), tuple(path)


def _with_path(value: Expr, path: tuple[Expr, ...]) -> Expr:
    for step in path:
        if isinstance(step, Attribute):
            value = Attribute(step.span, value, step.name)
        elif isinstance(step, Item):
            value = Item(step.span, value, step.key)
    return value


def _given(name: str, frame: Frame, boundary: BoundaryCall, linker: Linker) -> Bound | None:
    """What a boundary gives the function with which its workers begin, as a parameter, itself or by a partial; None if
    that is another one."""
    if frame.called_by is not None:
        return None
    place, before = _place(name, frame, boundary), 0
    for partial in _partials_of(frame.function, boundary, linker):
        kept = {slot.key.attribute: slot for slot in partial.slots[1:]}
        positional = [slot for slot in partial.slots[1:] if slot.is_item]
        found = kept.get(name)
        if found is None and place is not None and 0 <= place - before < len(positional):
            found = positional[place - before]
        if found is not None:
            return Bound(found.value, found.frame)
        before += len(positional)
    return _given_by_itself(name, place - before if place is not None else None, boundary)


def _partials_of(function: FunctionFacts, boundary: BoundaryCall, linker: Linker) -> Iterator[ContainerValue]:
    """The partials of a function that a boundary is given to call, the inner one first."""
    for role in boundary.spec.functions:
        around: list[ContainerValue] = []
        found = boundary.value(role, linker.evaluator)
        while len(found) == 1:
            match found[0].value:
                case ContainerValue(kind=kind, slots=(target, *_)) as partial if kind == PARTIAL:
                    around.insert(0, partial)
                    found = tuple(linker.evaluate(target.value, target.frame))
                case FunctionValue(facts=facts) if facts is function:
                    yield from around
                    return
                case _:
                    break


def _given_by_itself(name: str, place: int | None, boundary: BoundaryCall) -> Bound | None:
    """What a boundary gives what it calls by its own arguments, as a parameter that is at a place of them."""
    prefix = "init" if INITIALIZER in boundary.spec.functions else ""
    given = boundary.arguments.get(f"{prefix}args[{place}]")
    for keywords in ("kwargs", "kwds") if not prefix else ():
        given = given or _part(boundary.arguments.get(keywords), name)
    if given is None and boundary.spec.kind == _EXECUTOR and name not in boundary.spec.parameters:
        given = boundary.arguments.get(name)
    if given is not None or place is None or place < 0:
        return given
    given = _part(boundary.arguments.get(f"{prefix}args"), place)
    return given or (_element(place, boundary) if not prefix else None)


def _part(whole: Bound | None, key: int | str) -> Bound | None:
    """What is given under a key of the arguments by name, or at a place of the others."""
    if whole is None or whole.expr is None:
        return None
    value = without_narrowing(whole.expr)
    if isinstance(key, int):
        return Bound(Item(value.span, value, Constant(value.span, key)), whole.frame)
    pairs = value.items if isinstance(value, Mapping) else ()
    named = (part for each, part in pairs if isinstance(each, Constant) and each.value == key)
    part = next(named, None)
    return Bound(part, whole.frame) if part is not None else None


def _element(place: int, boundary: BoundaryCall) -> Bound | None:
    """What a task is given of what the parent goes through."""
    for name in boundary.spec.elements:
        whole = boundary.arguments.get(f"{name[1:]}[{place}]" if name.startswith("*") else name)
        if whole is None or whole.expr is None:
            continue
        element = Bound(Item(whole.expr.span, whole.expr, None), whole.frame)
        if boundary.spec.spreads:
            return _part(element, place)
        return element if place == 0 or name.startswith("*") else None
    return None


def _place(name: str, frame: Frame, boundary: BoundaryCall) -> int | None:
    places = range(len(frame.function.parameters))
    return next((at for at in places if parameter_at(at, frame.function, boundary.spec) == name), None)
