"""What is shipped of an attribute that the function has surely stored just before: `self.data = list(self.data)`, then
`pickle.dump(self.data, file)`."""

from __future__ import annotations

from collections.abc import Sequence

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called, Delete, Event, Store
from lintpickle.facts.values import UNNAMED, Attribute, Call, reads_the_same, without_narrowing
from lintpickle.interpreter.abstract_values import Frame, InstanceValue, Site, TracedValue
from lintpickle.interpreter.evaluator import Evaluator


def not_stored_over(
    values: Sequence[TracedValue], boundary: BoundaryCall, role: str, evaluator: Evaluator
) -> Sequence[TracedValue]:
    """The values of an argument, but for those that the attribute that is passed has held before: on every way to the
    boundary, its function has stored another one."""
    bound = boundary.arguments.get(role)
    read = without_narrowing(bound.expr) if bound is not None and bound.expr is not None else None
    if bound is None or not isinstance(read, Attribute) or bound.frame is not boundary.frame:
        return values
    frame = boundary.frame
    store = _last_store(read, boundary.call, frame, evaluator)
    if store is None:
        return values
    last = {traced.site for traced in evaluator.evaluate(store.value, frame)}
    before = _held_before(read, store, frame, evaluator) - last
    return [each for each in values if each.site not in before] if before else values


def _held_before(read: Attribute, store: Store, frame: Frame, evaluator: Evaluator) -> set[Site]:
    """Where the values stand that other statements give the attribute."""
    place = Site(frame.module, store.span)
    owners = [each.value for each in evaluator.evaluate(read.base, frame)]
    return {
        traced.site
        for owner in owners
        if isinstance(owner, InstanceValue)
        for held in evaluator.classes.states.state(owner)
        if held.attribute == read.name and held.direct and held.site != place
        for traced in evaluator.evaluate(held.value, held.frame)
    }


def _last_store(read: Attribute, call: Call, frame: Frame, evaluator: Evaluator) -> Store | None:
    """The store on the attribute that has surely been made last when the function gets to the call."""
    start, last = call.span.start, None
    further: list[Event] = []
    for event in frame.function.events:
        if not _is_on(event, read):
            further.append(event)
        elif isinstance(event, Store) and event.span.end <= start and frame.paths.precedes(event.span.start, start):
            last, further = event, [each for each in further if each.span.start > event.span.start]
        else:
            further.append(event)
    if last is None or any(_may_store_again(each, read, last, call, frame, evaluator) for each in further):
        return None
    return last


def _is_on(event: Event, read: Attribute) -> bool:
    match event:
        case Store(target=target, attribute=name) | Delete(target=target, attribute=name):
            return name in (read.name, UNNAMED) and reads_the_same(target, read.base)
        case _:
            return False


def _may_store_again(
    event: Event, read: Attribute, last: Store, call: Call, frame: Frame, evaluator: Evaluator
) -> bool:
    """Whether an event may give the attribute another value between the store and the call."""
    place, start = event.span.start, call.span.start
    is_between = last.span.end <= place < start and not frame.paths.exclude_each_other(place, start)
    is_again = frame.paths.share_a_loop(place, start) and not frame.paths.share_a_loop(last.span.start, start)
    if not (is_between or is_again):
        return False
    if isinstance(event, Called) and event.call is not call:
        return _gets_owner(event.call, read, frame, evaluator)
    return _is_on(event, read)


def _gets_owner(call: Call, read: Attribute, frame: Frame, evaluator: Evaluator) -> bool:
    """Whether a call is one of a method of the object, or is given it, or a method of it."""
    parts = [call.function, *(argument.value for argument in call.arguments)]
    for part in map(without_narrowing, parts):
        if reads_the_same(part, read.base):
            return True
        if isinstance(part, Attribute) and reads_the_same(part.base, read.base):
            owners = [each.value for each in evaluator.evaluate(part.base, frame)]
            if part is call.function or any(evaluator.classes.find_method(each, part.name) for each in owners):
                return True
    return False
