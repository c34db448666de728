"""Whether something that a library makes has asked an object for its length before a boundary pickles the object:
`len(BatchSampler(SequentialSampler(dataset), 8, False))`, `RandomSampler(dataset)`. What the main process does to the
object by then, the workers get."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.catalog import LengthAsked
from lintpickle.facts.records import Called, Event, Implied, Iterated
from lintpickle.facts.values import Call, Collection, Expr, evaluates, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import ExternalValue, Frame, InstanceValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.pickle_time import PickleTime

_LENGTH = "__len__"


def is_length_asked(instance: InstanceValue, pickling: PickleTime, evaluator: Evaluator) -> bool:
    """Whether functions on the way from where an object is made to a boundary surely have its length asked before they
    get there; where a loader is iterated, before that."""
    if instance.call is None or evaluator.classes.find_method(instance, _LENGTH) is None:
        return False
    place: tuple[Frame, Call] | None = (pickling.frame, pickling.call)
    while place is not None:
        frame, call = place
        is_made_here = frame is pickling.frame
        events = _until_iterated(frame, call) if is_made_here else frame.function.events
        if any(
            _is_before(event, call, frame, is_made_here) and _asks(event, instance, frame, evaluator)
            for event in events
        ):
            return True
        is_home = instance.frame is not None and frame.function is instance.frame.function
        place = None if is_home else frame.called_by
    return False


def _until_iterated(frame: Frame, loader: Call) -> Iterator[Event]:
    """The events of a function that makes a loader until it iterates that, or something that is given it."""
    for event in frame.function.events:
        if isinstance(event, Iterated) and evaluates(event.iterable, loader.span):
            return
        yield event


def _is_before(event: Event, call: Call, frame: Frame, is_made_here: bool) -> bool:
    """Whether a function surely gets to an event before what a call makes is pickled."""
    start, made = event.span.start, call.span
    if is_made_here and (made.start <= start < made.end or (start >= made.end and not event.conditional)):
        return True
    return frame.paths.precedes(event.span.start, call.span.start)


def _asks(event: Event, instance: InstanceValue, frame: Frame, evaluator: Evaluator) -> bool:
    match event:
        case Implied(target=target, method=method) if method == _LENGTH:
            return _passes_on(target, instance, frame, evaluator)
        case Called(call=call):
            asked = _asked_by(call, frame, evaluator)
            if asked is None or not asked.when_made:
                return False
            return any(_leads_to(each.value, instance, frame, evaluator) for each in call.arguments)
        case _:
            return False


def _leads_to(value: Expr, instance: InstanceValue, frame: Frame, evaluator: Evaluator) -> bool:
    """Whether to ask for the length of a value asks the object for its own."""
    inner = without_narrowing(value)
    if isinstance(inner, Collection):
        return any(_leads_to(each, instance, frame, evaluator) for each in inner.elements)
    if _passes_on(inner, instance, frame, evaluator):
        return True
    found = [traced.value for traced in evaluator.evaluate(inner, frame)]
    return len(found) == 1 and isinstance(found[0], InstanceValue) and _is_same(found[0], instance)


def _is_same(one: InstanceValue, other: InstanceValue) -> bool:
    return one.call is other.call and one.frame is other.frame and one.class_.facts is other.class_.facts


def _passes_on(value: Expr, instance: InstanceValue, frame: Frame, evaluator: Evaluator) -> bool:
    """Whether a value is something that asks for the length of what it was made with when it is asked for its own."""
    options = options_of(without_narrowing(value))
    call = without_narrowing(options[0]) if len(options) == 1 else None
    if not isinstance(call, Call) or _asked_by(call, frame, evaluator) is None:
        return False
    return any(_leads_to(each.value, instance, frame, evaluator) for each in call.arguments)


def _asked_by(call: Call, frame: Frame, evaluator: Evaluator) -> LengthAsked | None:
    for traced in evaluator.evaluate(call.function, frame):
        if isinstance(traced.value, ExternalValue):
            asked = evaluator.catalog.length_asked(traced.value.path)
            if asked is not None and not any(call.keyword(name) for name in asked.unless):
                return asked
    return None
