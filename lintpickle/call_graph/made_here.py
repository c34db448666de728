"""What a function does to an object that it makes: calls of its methods, and of those of its parts, written out or
implied, also by functions that are given it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from lintpickle.facts.methods import names_holding
from lintpickle.facts.records import Called, Event, Implied
from lintpickle.facts.values import Call, Expr, Name, may_be, rooted
from lintpickle.interpreter.abstract_values import ClassValue, Done, Frame, InstanceValue
from lintpickle.interpreter.doings import done_by, done_by_callee, target_of
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.handed_back import gives_back, with_handed_back
from lintpickle.interpreter.in_containers import Is, contents, done_to_item
from lintpickle.interpreter.parts import part_of
from lintpickle.resolution.module_containers import is_put_into


def calls_on(
    made: Call, frame: Frame, moment: int, evaluator: Evaluator, given_back: Sequence[Call] = ()
) -> Iterator[Done]:
    """The calls of methods of an object, and of its parts, before a moment. Those of a chain that begins where it is
    made (`Made().with_rows(rows).sorted()`) come before whatever is done with it. `given_back` are the calls that give
    the object, if they stand in another statement of the module than the frame's: see `with_handed_back`."""
    for event, done in _calls(made, frame, moment, evaluator, given_back):
        if event.span.start == made.span.start or not _excluded(event, moment, frame):
            yield done


def last_call_of(method: str, instance: InstanceValue, frames: Iterable[Frame], evaluator: Evaluator) -> int | None:
    """Where frames call a method of an object last that they make, or one that leads to it; None if nowhere."""
    made = instance.call
    if made is None:
        return None
    names = _leading_to(method, instance, evaluator)
    found: int | None = None
    for frame in frames:
        for event, done in _calls(made, frame, len(frame.module.code), evaluator):
            if not done.path and done.method in names:
                is_chained = event.span.start == made.span.start
                found = event.span.end if is_chained else event.span.start
    return found


def _leading_to(method: str, instance: InstanceValue, evaluator: Evaluator) -> frozenset[str]:
    """A method, and those of the object in which it, or one of them, stands."""
    line = [owner for owner in evaluator.classes.mro(instance) if isinstance(owner, ClassValue)]
    names, new = {method}, {method}
    while new:
        form = re.compile(rf"\.(?:{'|'.join(sorted(map(re.escape, new)))})\b")
        new = {name for owner in line for name in names_holding(owner.facts.methods, form, owner.module.code)} - names
        names |= new
    return frozenset(names)


def _calls(
    made: Call, frame: Frame, moment: int, evaluator: Evaluator, given_back: Sequence[Call] = ()
) -> Iterator[tuple[Event, Done]]:
    """What is done to an object before a moment, each with the event of the function that makes it."""
    chained, names = [made], list(given_back or with_handed_back(made, frame, evaluator))
    for event in evaluator.made_events.of(names, frame.function, frame.module):
        if event.span.start != made.span.start:
            if event.span.start < moment:
                yield from ((event, done) for done in _done_to(names, event, frame, evaluator))
            continue
        for done in done_by(event, frame, lambda value: _path_from_one_of(chained, value)):
            if isinstance(event, Called) and not done.path:
                chained.append(event.call)
                if gives_back(event.call, made, frame, evaluator):
                    names.append(event.call)
            yield event, done


def _excluded(event: Event, moment: int, frame: Frame) -> bool:
    return moment < frame.function.span.end and frame.paths.exclude_each_other(event.span.start, moment)


def _done_to(made: Sequence[Call], event: Called | Implied, frame: Frame, evaluator: Evaluator) -> Iterator[Done]:
    def is_it(value: Expr) -> bool:
        return _is_made(value, made, event, frame)

    def path_to(value: Expr) -> tuple[str, ...] | None:
        root, path = part_of(value)
        return path if is_it(root) else None

    target, method = target_of(event)
    root, path = part_of(target) if target is not None else (None, ())
    if root is not None and is_it(root):
        yield Done(event, frame, path, method)
    elif root is not None:
        yield from done_to_item(Done(event, frame, path, method), root, is_it, event, frame)
    if isinstance(event, Called):
        yield from done_by_callee(event, frame, path_to, evaluator)
        for container in _containers_given(event.call, is_it):
            for done in done_by_callee(event, frame, partial(_path_from_container, container), evaluator):
                yield from done_to_item(done, container, is_it, event, frame)


def _containers_given(call: Call, is_it: Is) -> Iterator[Expr]:
    """The containers that may hold an object of which a call is given one, or an item of one, each once."""
    roots = {id(root): root for root in (part_of(argument.value)[0] for argument in call.arguments)}
    for root in roots.values():
        if not is_it(root) and (isinstance(root, Name) or any(map(is_it, contents(root)))):
            yield root


def _path_from_container(container: Expr, value: Expr) -> tuple[str, ...] | None:
    root, path = part_of(value)
    return path if root is container else None


def _is_made(value: Expr, made: Sequence[Call], event: Event, frame: Frame) -> bool:
    """Whether a value is what one of these calls gives, or a name of the module's level that has it when the event
    happens."""
    if any(may_be(value, each) for each in made):
        return True
    if not isinstance(value, Name) or not frame.function.is_module_body:
        return False
    return any(is_put_into(value, value.name, each, event, frame.module) for each in made)


def _path_from_one_of(calls: Sequence[Call], value: Expr) -> tuple[str, ...] | None:
    root, path = rooted(value)
    return path if any(root is each for each in calls) else None
