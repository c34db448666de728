"""What a function does to an object, or to a part of it: stores, calls of its methods, and calls that are implied."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeAlias

from msgspec.structs import replace

from lintpickle.facts.records import Called, Delete, Event, Implied, ItemStore, PartRead, Store
from lintpickle.facts.values import Attribute, Call, Expr, Item, Name, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import ConstantValue, Done, Doubt, Frame, InstanceValue, TracedValue, joined
from lintpickle.interpreter.callees import callees
from lintpickle.interpreter.parts import CALLING, part_of
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.stores import stored_on
from lintpickle.limits import STORING_CALLS

CALLS = (Called, Implied, PartRead)
"""The events that are calls, written out or implied, or may be calls of properties."""
PathTo: TypeAlias = Callable[[Expr], "tuple[str, ...] | None"]
"""The steps that lead from an object to what an expression of a function gives, None if that is no part of it."""


def target_of(event: Event) -> tuple[Expr | None, str]:
    """To what an event does something, and by which method; None if it is known to do nothing to an object."""
    match event:
        case Store() | ItemStore():
            return stored_on(event), ""
        case Delete(target=target):
            return target, ""
        case Called(call=call) if isinstance(call.function, Attribute):
            return call.function.base, call.function.name
        case Called(call=call) if isinstance(item := without_narrowing(call.function), Item):
            return item, CALLING
        case Implied(target=target, method=method) | PartRead(target=target, attribute=method):
            return target, method
        case _:
            return None, ""


def done_by(event: Event, frame: Frame, path_to: PathTo) -> Iterator[Done]:
    """What an event of a function does to an object."""
    target, method = target_of(event)
    path = path_to(target) if target is not None else None
    if path is not None:
        yield Done(event, frame, path, method)


def done_by_name(event: Event, frame: Frame, path_to: PathTo, evaluator: Interpreter) -> Iterator[Done]:
    """The call of a method whose name is looked up, to an object: `getattr(callback, hook)(self)`. Of several names,
    each may be meant."""
    match event:
        case Called(call=Call(function=Call(function=Name(name="getattr"), arguments=(target, key, *_)))):
            path = path_to(target.value)
        case _:
            return
    if path is None:
        return
    found = [each.value for each in evaluator.evaluate(key.value, frame)]
    names = dict.fromkeys(each.value for each in found if isinstance(each, ConstantValue))
    doubts = (Doubt.BRANCH,) if len(found) > 1 else ()
    yield from (Done(event, frame, path, name, doubts) for name in names if isinstance(name, str))


def done_by_callee(
    event: Called,
    frame: Frame,
    path_to: PathTo,
    evaluator: Interpreter,
    level: int = 0,
    kinds: tuple[type[Event], ...] = CALLS,
) -> Iterator[Done]:
    """What a function or a constructor that is given an object, or a part of it, does to that by events of some
    kinds."""
    if all(path_to(argument.value) is None for argument in event.call.arguments):
        return
    if level >= STORING_CALLS.most:
        evaluator.cuts.note(STORING_CALLS)
        return
    for callee in callees(event.call, frame, evaluator):
        is_reached = evaluator.conditions.reaches(event.span, frame)
        inner = evaluator.enter(callee, event.call, frame) if is_reached is not False else None
        for name, bound in inner.bindings.items() if inner is not None else ():
            path = path_to(bound.expr) if bound.expr is not None and bound.frame is frame else None
            for done in (
                _done_to_parameter(name, inner, evaluator, level + 1, kinds) if inner and path is not None else ()
            ):
                doubts = done.doubts if is_reached else joined(done.doubts, (Doubt.CONDITION,))
                yield replace(done, path=(*(path or ()), *done.path), doubts=doubts)


def _done_to_parameter(
    name: str, frame: Frame, evaluator: Interpreter, level: int, kinds: tuple[type[Event], ...]
) -> Iterator[Done]:
    last: Done | None = None
    for event in evaluator.own_events.of(frame.function, name):
        if isinstance(event, PartRead) and not keeps(event, evaluator.evaluate(event.target, frame), evaluator):
            continue
        if isinstance(event, kinds):
            for done in done_by(event, frame, partial(_path_from_parameter, name)):
                if last is None or not _is_repeated(last, done):
                    yield done
                    last = done
            yield from done_by_name(event, frame, partial(_path_from_parameter, name), evaluator)
        if isinstance(event, Called):
            for done in done_by_callee(event, frame, partial(_path_from_parameter, name), evaluator, level, kinds):
                yield done
                last = done


def _is_repeated(done: Done, later: Done) -> bool:
    """Whether a function does for sure what it does once more right after that, as in one message after another that
    writes an object out."""
    both_implied = isinstance(done.event, Implied) and isinstance(later.event, Implied)
    return both_implied and not done.event.conditional and (done.path, done.method) == (later.path, later.method)


def keeps(read: PartRead, owners: Iterable[TracedValue], evaluator: Interpreter) -> bool:
    """Whether one of the objects of which something is read may keep something because of that."""
    instances = (each.value for each in owners if isinstance(each.value, InstanceValue))
    return any(read.attribute in evaluator.classes.states.read_names(each) for each in instances)


def _path_from_parameter(name: str, value: Expr) -> tuple[str, ...] | None:
    root, path = part_of(value)
    return path if isinstance(root, Parameter) and root.name == name else None
