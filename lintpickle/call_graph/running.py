"""What has happened to an object at a given event, through its running method or in the function that made it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from lintpickle.facts.records import Called, Delete, Event, Implied, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Expr, Name, Parameter, Super, may_be, rooted
from lintpickle.interpreter.abstract_values import Done, Hop, InstanceValue, Ran, Site
from lintpickle.interpreter.doings import done_by
from lintpickle.interpreter.frames import Bound, Frame
from lintpickle.interpreter.root_frames import RootFrame


def frame_at(event: Event, frame: Frame, root: RootFrame) -> Frame:
    """The frame of a method, with its object in the state at the event: after what the method, and methods that it
    called on the object, have stored by then. Not for constructors."""
    me = root.instance_name
    bound = frame.bindings.get(me) if me is not None and not root.is_constructor else None
    if me is None or root.owner is None or bound is None or not isinstance(bound.value, InstanceValue):
        return frame
    done = tuple(_before(event, frame, me))
    if not done:
        return frame
    ran = Ran(frame, done, root.owner, me)
    return replace(frame, bindings={**frame.bindings, me: Bound(value=replace(bound.value, ran=ran))})


def after_calls(instance: InstanceValue, hops: Sequence[Hop]) -> InstanceValue:
    """An object that ships along these hops, after the method calls of the function that made it: those before the
    first hop inside that function. Without such a hop, all of them if it is a function that has ended; in a module's
    body the order is unknown."""
    call, frame = instance.call, instance.frame
    if call is None or frame is None or instance.ran is not None:
        return instance
    maker = Site(frame.module, frame.function.span)
    places = [hop.site.span.start for hop in hops if hop.site.span != call.span and maker.contains(hop.site)]
    unknown = -1 if frame.function.is_module_body else maker.span.end
    moment = min((place for place in places if place > call.span.start), default=unknown)
    calls = tuple(_calls_on(call, frame, moment))
    return replace(instance, done=(*calls, *instance.done)) if calls else instance


def _calls_on(made: Call, frame: Frame, moment: int) -> Iterator[Done]:
    """The calls of methods of an object, and of its parts, before a moment. Those of a chain that begins where it is
    made (`Made().with_rows(rows).sorted()`) come before whatever is done with it."""
    chained = [made]
    names = _names_of(made, frame)
    for event in frame.function.events:
        if not isinstance(event, (Called, Implied)):
            continue
        if event.span.start != made.span.start:
            if event.span.start < moment:
                found = done_by(event, frame, lambda value: _path_from(made, names, value))
                yield from (done for done in found if not _excluded(event, moment, frame))
            continue
        for done in done_by(event, frame, lambda value: _path_from_one_of(chained, value)):
            if isinstance(event, Called) and not done.path:
                chained.append(event.call)
            yield done


def _names_of(made: Call, frame: Frame) -> frozenset[str]:
    """The names of the module's level that have the object."""
    values = frame.function.variables if frame.function.is_module_body else {}
    return frozenset(name for name, value in values.items() if may_be(value, made))


def _excluded(event: Event, moment: int, frame: Frame) -> bool:
    return moment < frame.function.span.end and frame.paths.exclude_each_other(event.span.start, moment)


def _path_from(made: Call, names: frozenset[str], value: Expr) -> tuple[str, ...] | None:
    root, path = rooted(value)
    is_it = may_be(root, made) or (isinstance(root, Name) and root.name in names)
    return path if is_it else None


def _path_from_one_of(calls: Sequence[Call], value: Expr) -> tuple[str, ...] | None:
    root, path = rooted(value)
    return path if any(root is each for each in calls) else None


def _before(event: Event, frame: Frame, me: str) -> Iterator[Event]:
    """What the function does to its object on the way to an event, or in the same loop."""
    for other in frame.function.events:
        is_before = other.span.start < event.span.start or (
            other.conditional and event.conditional and _share_a_loop(other, event, frame)
        )
        if is_before and _is_on(me, other) and not _exclude_each_other(other, event, frame):
            yield other


def _exclude_each_other(first: Event, second: Event, frame: Frame) -> bool:
    return frame.paths.exclude_each_other(first.span.start, second.span.start)


def _share_a_loop(first: Event, second: Event, frame: Frame) -> bool:
    return frame.paths.share_a_loop(first.span.start, second.span.start)


def _is_on(me: str, event: Event) -> bool:
    match event:
        case (
            Store(target=Parameter(name=name))
            | ItemStore(target=Attribute(base=Parameter(name=name)))
            | Delete(target=Parameter(name=name))
            | Called(call=Call(function=Attribute(base=Parameter(name=name))))
        ):
            return name == me
        case Called(call=Call(function=Attribute(base=Super()))):
            return True
        case _:
            return False
