"""Methods that are running: what they have done to their object when something happens in them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from lintpickle.facts.records import Called, Delete, Event, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Parameter, Super
from lintpickle.project.activations import Activation
from lintpickle.project.frames import Bound, Frame
from lintpickle.project.things import InstanceThing, Ran


def frame_at(event: Event, frame: Frame, activation: Activation) -> Frame:
    """The frame of a function that is a method, with its object as it is when the event happens: what the method has
    stored in it by then, and other methods that it has called on it. A constructor is no such method."""
    me = activation.instance_name
    bound = frame.bindings.get(me) if me is not None and not activation.is_constructor else None
    if me is None or activation.owner is None or bound is None or not isinstance(bound.thing, InstanceThing):
        return frame
    done = tuple(_before(event, frame, me))
    if not done:
        return frame
    ran = Ran(frame, activation.owner, me, done)
    return replace(frame, bindings={**frame.bindings, me: Bound(thing=replace(bound.thing, ran=ran))})


def _before(event: Event, frame: Frame, me: str) -> Iterator[Event]:
    """What the function does to its object before an event, or in the same loop."""
    for other in frame.function.events:
        if _is_on(me, other) and (
            other.span.start < event.span.start
            or (other.conditional and event.conditional and _share_a_loop(other, event, frame))
        ):
            yield other


def _share_a_loop(first: Event, second: Event, frame: Frame) -> bool:
    return frame.module.share_a_loop(first.span.start, second.span.start)


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
