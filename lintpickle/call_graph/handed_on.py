"""What functions do to an object that they are given, or that another one made for them, on its way to a boundary."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from lintpickle.call_graph.made_here import calls_on
from lintpickle.facts.records import Called, Implied
from lintpickle.facts.values import Attribute, Call, Expr, Item, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import (
    Done,
    Frame,
    InstanceValue,
)
from lintpickle.interpreter.doings import done_by, done_by_name
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.parts import item_step, part_of


def after_handing_on(instance: InstanceValue, frame: Frame, moment: int, evaluator: Evaluator) -> InstanceValue:
    """An object after the calls of its methods by the functions that it went through on the way to a moment of a frame
    (a boundary, say), before they got there: they were given it, or called what made it."""
    if instance.call is None or instance.frame is None or instance.ran is not None:
        return instance
    given = tuple(_given_by(instance, evaluator))
    done: list[Done] = []
    while frame.function is not instance.frame.function:
        if not frame.function.is_module_body:
            done = [*_calls_on(instance, frame, moment, evaluator), *done]
        for caller, made in given:
            if caller is frame:
                done = [*calls_on(made, frame, moment, evaluator), *done]
        if frame.called_by is None:
            break
        frame, call = frame.called_by
        moment = call.span.start
    return replace(instance, done=(*instance.done, *done)) if done else instance


def _given_by(instance: InstanceValue, evaluator: Evaluator) -> Iterator[tuple[Frame, Call]]:
    """The calls of functions that made an object and returned it, each in the frame of the caller."""
    place = instance.frame.called_by if instance.frame is not None else None
    while place is not None and _is_it(place[1], instance, place[0], evaluator):
        yield place
        place = place[0].called_by


def _calls_on(instance: InstanceValue, frame: Frame, moment: int, evaluator: Evaluator) -> Iterator[Done]:
    for event in _on_parameters(frame, evaluator):
        if event.span.start >= moment:
            continue
        path_to = partial(_path_from, instance, frame, evaluator)
        done = [*done_by(event, frame, path_to), *done_by_name(event, frame, path_to, evaluator)]
        if isinstance(event, Called) and path_to(event.call.function) == ():
            done.append(Done(event, frame, (), "__call__"))
        if done and not frame.paths.exclude_each_other(event.span.start, moment):
            yield from done


def _on_parameters(frame: Frame, evaluator: Evaluator) -> list[Called | Implied]:
    """The calls of a function, written out or implied, on what it is given and on parts of that, in order."""
    names = [each.name for each in frame.function.parameters]
    found = {id(event): event for name in names for event in evaluator.own_events.of(frame.function, name)}
    calls = [event for event in found.values() if isinstance(event, (Called, Implied))]
    return sorted(calls, key=lambda event: event.span.start)


def _path_from(instance: InstanceValue, frame: Frame, evaluator: Evaluator, value: Expr) -> tuple[str, ...] | None:
    """The attributes and items that lead from an object to what an expression gives, if that is a part of it. The
    object came by a parameter."""
    path: tuple[str, ...] = ()
    owner = without_narrowing(value)
    if not isinstance(part_of(owner)[0], Parameter):
        return None
    while True:
        if isinstance(owner, (Parameter, Attribute)) and _is_it(owner, instance, frame, evaluator):
            return path
        match owner:
            case Attribute(name=step, base=base):
                pass
            case Item():
                step, base = item_step(owner)
            case _:
                return None
        path, owner = ((step, *path) if step else path), without_narrowing(base)


def _is_it(value: Expr, instance: InstanceValue, frame: Frame, evaluator: Evaluator) -> bool:
    """Whether a value is an object, or one of those that the same call of a function may make in its place: if it is
    the object that ships, it was that one."""
    found = [each.value for each in evaluator.evaluate(value, frame)]
    made = [each for each in found if isinstance(each, InstanceValue)]
    return (
        len(made) == len(found)
        and all(each.frame is instance.frame for each in made)
        and any(each.call is instance.call and each.class_.facts is instance.class_.facts for each in made)
    )
