"""What functions do to an object that they are given: those on its way to a boundary, and those called before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeGuard

from msgspec.structs import replace

from lintpickle.facts.records import Called, Implied
from lintpickle.facts.values import Attribute, Call, Expr, Parameter, rooted, without_narrowing
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    Done,
    Doubt,
    Frame,
    FunctionValue,
    InstanceValue,
    joined,
)
from lintpickle.interpreter.doings import done_by
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.pickle_time import PickleTime
from lintpickle.limits import STORING_CALLS


def after_handing_on(instance: InstanceValue, pickling: PickleTime, evaluator: Evaluator) -> InstanceValue:
    """An object after the calls of its methods by the functions that it went through on the way to a boundary, before
    they got there."""
    if instance.call is None or instance.frame is None or instance.ran is not None:
        return instance
    done: list[Done] = []
    place: tuple[Frame, Call] | None = (pickling.frame, pickling.call)
    while place is not None and place[0].function is not instance.frame.function:
        frame, call = place
        if not frame.function.is_module_body:
            done = [*_calls_on(instance, frame, call.span.start, evaluator), *done]
        place = frame.called_by
    return replace(instance, done=(*instance.done, *done)) if done else instance


def _calls_on(instance: InstanceValue, frame: Frame, moment: int, evaluator: Evaluator) -> Iterator[Done]:
    for event in frame.function.events:
        if not isinstance(event, (Called, Implied)) or event.span.start >= moment:
            continue
        done = [*done_by(event, frame, partial(_path_from, instance, frame, evaluator))]
        if done and not frame.paths.exclude_each_other(event.span.start, moment):
            yield from done


def _path_from(instance: InstanceValue, frame: Frame, evaluator: Evaluator, value: Expr) -> tuple[str, ...] | None:
    """The attributes that lead from an object to what an expression gives, if that is a part of it."""
    path: tuple[str, ...] = ()
    owner = without_narrowing(value)
    while True:
        if isinstance(owner, (Parameter, Attribute)) and _is_it(owner, instance, frame, evaluator):
            return path
        if not isinstance(owner, Attribute):
            return None
        path, owner = (owner.name, *path), without_narrowing(owner.base)


def _is_it(value: Expr, instance: InstanceValue, frame: Frame, evaluator: Evaluator) -> bool:
    found = evaluator.evaluate(value, frame)
    only = found[0].value if len(found) == 1 else None
    return (
        isinstance(only, InstanceValue)
        and only.call is instance.call
        and only.frame is instance.frame
        and only.class_.facts is instance.class_.facts
    )


def done_by_callees(
    event: Called, frame: Frame, is_it: Callable[[Expr], bool], evaluator: Evaluator, level: int = 0
) -> Iterator[Done]:
    """The calls of methods of an object by the functions that a call gives it to."""
    if not any(is_it(without_narrowing(argument.value)) for argument in event.call.arguments):
        return
    if level >= STORING_CALLS.most:
        evaluator.cuts.note(STORING_CALLS)
        return
    is_made = evaluator.conditions.reaches(event.span, frame)
    for traced in evaluator.evaluate(event.call.function, frame) if is_made is not False else ():
        callee = traced.value
        inner = evaluator.enter(callee, event.call, frame) if _may_call(callee) else None
        for name in inner.given(frame, is_it) if inner is not None else ():
            assert inner is not None
            for done in _done_to(name, inner, evaluator, level):
                yield done if is_made else replace(done, doubts=joined(done.doubts, (Doubt.CONDITION,)))


def _may_call(callee: AbstractValue) -> TypeGuard[FunctionValue]:
    return isinstance(callee, FunctionValue) and not callee.facts.is_generator and not callee.opaque


def _done_to(name: str, frame: Frame, evaluator: Evaluator, level: int) -> Iterator[Done]:
    """The calls of methods of what a parameter is given, and of its parts."""

    def is_it(value: Expr) -> bool:
        return isinstance(value, Parameter) and value.name == name

    def path_to(value: Expr) -> tuple[str, ...] | None:
        root, path = rooted(value)
        return path if is_it(root) else None

    for event in frame.function.events:
        if isinstance(event, (Called, Implied)):
            yield from done_by(event, frame, path_to)
        if isinstance(event, Called):
            yield from done_by_callees(event, frame, is_it, evaluator, level + 1)
