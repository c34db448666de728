"""What has happened to an object at a given event, through its running method or in the function that made it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from lintpickle.call_graph.made_here import calls_on, last_call_of
from lintpickle.call_graph.stored_by_decorators import stored_by_decorators
from lintpickle.facts.records import Called, Delete, Event, Implied, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Parameter, Super, evaluates
from lintpickle.interpreter.abstract_values import Bound, Done, Frame, Hop, InstanceValue, Ran, Site
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.handed_back import with_handed_back
from lintpickle.interpreter.own_reads import own_reads
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.program.module import Module

_YIELD = re.compile(r"\byield\b")


def frame_at(event: Event, frame: Frame, root: RootFrame, evaluator: Evaluator, earlier: Sequence[Event] = ()) -> Frame:
    """The frame of a method, with its object in the state at the event: after what the method, and methods that it
    called and properties that it read on the object, have stored by then. Not for constructors. `earlier` is what the
    method has done behind the event when it ran before on the object."""
    me = root.instance_name
    bound = frame.bindings.get(me) if me is not None and not root.is_constructor else None
    if me is None or root.owner is None or bound is None or not isinstance(bound.value, InstanceValue):
        return frame
    reads = evaluator.classes.states.read_names(bound.value)
    done = (*earlier, *_before(event, frame, me, reads))
    first = stored_by_decorators(bound.value, root, evaluator)
    if not (done or first):
        return frame
    ran = Ran(frame, done, root.owner, me, bool(earlier), first)
    return replace(frame, bindings={**frame.bindings, me: Bound(value=replace(bound.value, ran=ran))})


def after_calls(
    instance: InstanceValue,
    hops: Sequence[Hop],
    evaluator: Evaluator,
    method: str = "",
    end: int | None = None,
    entered: Call | None = None,
) -> InstanceValue:
    """An object that ships along these hops, after the method calls of the function that made it: those before `end`,
    or else before the first hop inside that function. Without such a hop, those before the last call that leads to the
    method that ships something, if there is one; all of them if the function has ended. At module level, a hop inside a
    function comes after whatever the import of the module does. `entered` is a call of a method of it that begins."""
    call, frame = instance.call, instance.frame
    if call is None or frame is None or instance.ran is not None:
        return instance
    if frame.function.is_module_body:
        return _after_statements(instance, call, frame, hops, evaluator, method, end)
    maker = Site(frame.module, frame.function.span)
    places = [hop.site.span.start for hop in hops if hop.site.span != call.span and maker.contains(hop.site)]
    moment = end if end is not None else min((place for place in places if place > call.span.start), default=None)
    if moment is None and method:
        moment = last_call_of(method, instance, [frame], evaluator)
    found = calls_on(call, frame, _given_away(call, frame) if moment is None else moment, evaluator)
    calls = _before_under_way(tuple(found), instance, hops, evaluator, entered)
    if calls and any(done.event is calls[0].event for done in instance.done):
        return instance  # It has been through them.
    return replace(instance, done=(*calls, *instance.done)) if calls else instance


def _given_away(call: Call, frame: Frame) -> int:
    """When a function has done all to an object that it does before others get it: it has ended, or, of a generator,
    yields it."""
    function = frame.function
    start, end = function.span.start, function.span.end
    yields = [each.start() for each in _YIELD.finditer(frame.module.code, start, end)] if function.yields else []
    if len(yields) != len(function.yields):
        return end
    given = (place for place, value in zip(yields, function.yields, strict=True) if evaluates(value, call.span))
    return min((place for place in given if place > call.span.start), default=end)


def _before_under_way(
    found: tuple[Done, ...], instance: InstanceValue, hops: Sequence[Hop], evaluator: Evaluator, entered: Call | None
) -> tuple[Done, ...]:
    """What is done to an object before the call, in a chain that begins where it is made, that has not ended yet when
    it ships (`Made().ship_all()`): one that is entered, or in whose method a hop stands. What the method has done by
    then is told where it goes on."""
    made = instance.call
    for place, done in enumerate(found):
        event = done.event
        if made is None or event.span.start != made.span.start or not isinstance(event, Called) or done.path:
            continue
        method = evaluator.classes.find_method(instance, done.method) if event.call is not entered else None
        inside = Site(method[0].module, method[1].span) if method is not None else None
        if event.call is entered or (inside is not None and any(inside.contains(hop.site) for hop in hops)):
            return found[:place]
    return found


def after_length(instance: InstanceValue, call: Call, frame: Frame) -> InstanceValue:
    """An object after a call in a frame that asks for its length."""
    asked = Call(call.span, Attribute(call.span, call, "__len__"), ())
    event = Implied(call.span, False, (), call, asked, "__len__")
    return replace(instance, done=(*instance.done, Done(event, frame, method="__len__")))


def _after_statements(
    instance: InstanceValue,
    call: Call,
    frame: Frame,
    hops: Sequence[Hop],
    evaluator: Evaluator,
    method: str,
    end: int | None,
) -> InstanceValue:
    """An object that a statement of a module made, after the method calls of statements there."""
    module = frame.module
    bodies = list(_bodies(call, frame, evaluator))
    places = (place for place in _places_at_module_level(hops, module) if place > call.span.start)
    moment = end if end is not None else min(places, default=None)
    if moment is None and method:
        moment = last_call_of(method, instance, bodies, evaluator)
    is_guarded = _is_guarded(call.span.start, frame)
    given_back = with_handed_back(call, frame, evaluator)
    done: list[Done] = []
    for body in bodies:
        found = calls_on(call, body, len(module.code) if moment is None else moment, evaluator, given_back)
        done += [
            each
            for each in found
            if moment is not None
            or each.event.span.start == call.span.start
            or is_guarded
            or not _is_guarded(each.event.span.start, body)
        ]
    return replace(instance, done=(*done, *instance.done)) if done else instance


def _bodies(call: Call, frame: Frame, evaluator: Evaluator) -> Iterator[Frame]:
    """The frame of the block that makes an object, and those of later blocks that may change it."""
    yield frame
    module, seen = frame.module, {id(frame.function)}
    for name in module.outline.touched_at(call.span):
        for block in module.blocks_touching(name):
            if id(block.body) not in seen and block.body.span.start > call.span.start:
                seen.add(id(block.body))
                yield evaluator.module_frame(module, block.body)


def _places_at_module_level(hops: Sequence[Hop], module: Module) -> Iterator[int]:
    for hop in hops:
        block = module.outline.block_at(hop.site.span.start) if hop.site.module is module else None
        if block is not None and not block.is_class and not block.defines_function:
            yield hop.site.span.start


def _is_guarded(offset: int, frame: Frame) -> bool:
    """Whether a place of a module's body stands under the main guard."""
    events = (event for event in frame.function.events if isinstance(event, Called) and event.span.start == offset)
    return any(event.main_guard for event in events)


def _before(event: Event, frame: Frame, me: str, reads: Collection[str]) -> Iterator[Event]:
    """What the function does to its object on the way to an event, or in the same loop; of its properties, it reads
    those of the names `reads`, also in the event itself."""
    for other in frame.function.events:
        read = tuple(own_reads(other, me, reads)) if reads else ()
        if other is event:
            yield from read
            continue
        if not read and not _is_on(me, other):
            continue
        is_before = other.span.start < event.span.start or (
            other.conditional and event.conditional and _share_a_loop(other, event, frame)
        )
        if is_before and not _exclude_each_other(other, event, frame):
            yield from read
            if _is_on(me, other):
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
