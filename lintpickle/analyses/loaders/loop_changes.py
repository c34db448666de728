"""Changes of a dataset in the loops that iterate a loader of it again and again, written out there or made by what they
call: callbacks, say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice, takewhile

from msgspec import Struct

from lintpickle.analyses.calls_and_values.functions_run import functions_run
from lintpickle.analyses.calls_and_values.generator_loops import generator_loops, yielded_in
from lintpickle.analyses.calls_and_values.loops import loop_bodies
from lintpickle.analyses.loaders.loader_uses import is_made_by
from lintpickle.analyses.loaders.own_changes import (
    MAKING_METHODS,
    changed_by,
    changed_by_method,
    is_kept_by_copies,
    names_changing,
)
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.call_graph.running import frame_at
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Event, Implied, ItemStore, Iterated, Store
from lintpickle.facts.values import Call, Expr, Narrowed, attribute_read
from lintpickle.interpreter.abstract_values import (
    ClassValue,
    ExternalResult,
    Frame,
    FunctionValue,
    InstanceValue,
    Site,
    TracedValue,
)
from lintpickle.interpreter.frames import Arguments
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.limits import LOADER_WRAPPERS
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words

_RESTARTS = "._iterator"
"""What stands in code that lets go of the workers of a loader."""
_FOR = re.compile(r"\bfor\b")
_DEEPEST = 3
"""How many calls may lead from a loop to a change."""
_MOST = 60
"""How many calls of a loop are looked into."""


class LoopChange(Struct, frozen=True):
    """Where a loop sets an attribute of the dataset, and the call in the loop that leads there, if that is another."""

    place: Site
    attribute: str
    led_by: Site | None = None


class LoopTarget(Struct, frozen=True):
    """What loops may change: the dataset of a loader, or (`held_as`) an object that it has in that attribute."""

    dataset: InstanceValue
    held: InstanceValue | None = None
    held_as: str = ""

    @property
    def object(self) -> InstanceValue:
        """The object itself."""
        return self.held if self.held is not None else self.dataset

    @property
    def class_(self) -> ClassValue:
        """The class of the object."""
        return self.object.class_


def changes_in_loops(call: BoundaryCall, watched: LoopTarget, linker: Linker) -> Iterator[LoopChange]:
    """The changes of the dataset of a loader that is made once, or of an object that the dataset holds, in loops that
    iterate it again and again."""
    seen: set[int] = set()
    names = Words(names_changing(watched.class_, linker))
    for frame in chain(_frames(call, linker), _users(call, linker)):
        if id(frame.function) not in seen and _RESTARTS not in frame.module.code:
            seen.add(id(frame.function))
            yield from _changes(frame, watched, names, call, linker)


def _frames(call: BoundaryCall, linker: Linker) -> Iterator[Frame]:
    """Where the loop can be: the function that makes the loader, its callers, and the other methods of its object."""
    callers = [each.frame for each in call.frame.bindings.values() if each.frame is not None]
    for frame in (call.frame, *callers):
        yield frame
        for bound in frame.bindings.values():
            if isinstance(bound.value, InstanceValue):
                yield from _methods_of(bound.value, linker)
    for frame in (call.frame, *callers):
        yield from _given_loader(frame, call, linker)


def _given_loader(frame: Frame, call: BoundaryCall, linker: Linker) -> Iterator[Frame]:
    """The functions that a function gives the loader, and the methods of objects that are made with it: a trainer."""
    for event in frame.function.events:
        if not isinstance(event, Called) or event.call is call.call:
            continue
        if not any(_leads_to(each.value, frame, call, linker, 0) for each in event.call.arguments):
            continue
        for traced in linker.evaluate(event.call.function, frame):
            callee = traced.value
            inner = linker.evaluator.enter(callee, event.call, frame) if isinstance(callee, FunctionValue) else None
            if inner is not None and inner.module.first_party:
                yield inner
        for traced in linker.evaluate(event.call, frame):
            made = traced.value
            if isinstance(made, InstanceValue) and made.call is event.call and made.class_.module.first_party:
                yield from _methods_of(made, linker)


def _methods_of(instance: InstanceValue, linker: Linker) -> Iterator[Frame]:
    for owner in [each for each in linker.classes.mro(instance) if isinstance(each, ClassValue)]:
        for method in owner.facts.methods.values():
            value = FunctionValue(owner.module, method, owner.frame, instance)
            inner = linker.evaluator.activate(value, Arguments((), {}, True), 1)
            if inner is not None:
                yield inner


def _users(call: BoundaryCall, linker: Linker) -> Iterator[Frame]:
    """The functions that call the method which makes the loader."""
    frame = call.frame
    block = frame.module.outline.block_at(frame.function.span.start)
    facts = frame.module.facts_of(block) if block is not None and _as_method(frame, linker) is not None else None
    if facts is None:
        return
    form = re.compile(rf"\b{re.escape(frame.function.name)}\b")
    roots = linker.activations.in_block(frame.module, facts, form)
    root = next((each for each in roots if each.function is frame.function), None)
    if root is not None and not root.is_constructor:
        callers, path = linker.callers, frame.module.path
        for calling in callers.first(chain(callers.frames(root, path), callers.on_parameters(root, path))):
            if calling.frame.called_by is not None:
                yield calling.frame.called_by[0]


def _as_method(frame: Frame, linker: Linker) -> RootFrame | None:
    """A frame as that of a method of its object, if it is one."""
    parameters = frame.function.parameters
    me = frame.bindings.get(parameters[0].name) if parameters else None
    if me is None or not isinstance(me.value, InstanceValue):
        return None
    found = linker.classes.find_method(me.value, frame.function.name)
    return RootFrame(frame, found[0]) if found is not None and found[1] is frame.function else None


def _changes(
    frame: Frame, watched: LoopTarget, names: Words, call: BoundaryCall, linker: Linker
) -> Iterator[LoopChange]:
    """The changes of the dataset in the loops of a function that iterate the loader again and again."""
    loops = _loops(frame, call)
    inside = [(event, [each for each in loops if _is_written_in(each, event)]) for event in frame.function.events]
    is_followed = _is_changed_elsewhere(frame, loops, watched, names, linker)
    for event, around in inside:
        place = Site(frame.module, event.span)
        changed = [LoopChange(place, each) for each in _changed(event, frame, watched, linker)]
        if not changed and around and is_followed and isinstance(event, Called):
            root = _as_method(frame, linker)
            here = frame_at(event, frame, root, linker.evaluator) if root is not None else frame
            changed = list(_made_by(event, here, watched, linker, [], 0))
        if changed and any(_uses_loader(loop, event, frame, call, linker) for loop in around):
            yield from changed
    for loop in generator_loops(frame, linker):
        for event in loop.driven if not _makes(loop.body, frame, call) else ():
            changed = [
                LoopChange(Site(loop.generator.module, event.span), each, loop.site)
                for each in _changed(event, loop.generator, watched, linker)
            ]
            if changed and any(_uses(each, event, frame, call, linker) for each in loop.events):
                yield from changed


def _is_changed_elsewhere(frame: Frame, loops: list[Span], watched: LoopTarget, names: Words, linker: Linker) -> bool:
    """Whether the name of what changes the dataset stands in code of the program other than the loops of a function,
    and the class itself."""
    if not names.all:
        return False
    used = r"\s*(?:[(\[,)\]}]|[-+*/|&]?=[^=])|\.[^\W\d]\w*\("  # Called, given away, or assigned.
    name = names.pattern.pattern
    form = re.compile(rf"\.\s*(?:{name})\b(?:{used})|\bgetattr\([^()]*,\s*['\"](?:{name})['\"]|\bshuffle\(")
    for module in linker.first_party.naming_in_text(names, frame.module.path, form):
        known = [
            *(loops if module is frame.module else ()),
            *([watched.class_.facts.span] * (module is watched.class_.module)),
        ]
        if not all(_is_within(found.start(), known) for found in form.finditer(module.code)):
            return True
    return False


def _is_within(offset: int, spans: list[Span]) -> bool:
    return any(each.start <= offset < each.end for each in spans)


def _made_by(
    event: Called, frame: Frame, watched: LoopTarget, linker: Linker, seen: list[Frame], depth: int
) -> Iterator[LoopChange]:
    """The changes that what a call runs makes."""
    for callee in functions_run(event.call, frame, linker):
        inner = linker.evaluator.enter(callee, event.call, frame)
        if inner is None or inner in seen or len(seen) > _MOST:
            continue
        seen.append(inner)
        for each in inner.function.events:
            for attribute in _changed(each, inner, watched, linker) if not _is_of_own_copy(each, inner, linker) else ():
                yield LoopChange(Site(inner.module, each.span), attribute, Site(frame.module, event.span))
            if isinstance(each, Called) and depth < _DEEPEST:
                yield from _made_by(each, inner, watched, linker, seen, depth + 1)


def _is_of_own_copy(event: Event, frame: Frame, linker: Linker) -> bool:
    """Whether an event changes a copy that the function makes, or calls another one to make: each time that a loop
    calls it, another copy."""
    targets = [target for target, _, _ in changed_by(event)]
    method = attribute_read(event.call.function) if isinstance(event, Called) else None
    targets += [method[0]] if method is not None else []
    found = (traced.value for target in targets for traced in linker.evaluate(target, frame))
    copies = (copied for each in found if isinstance(each, InstanceValue) for copied in each.copies)
    return any(each.function is frame.function for where, _ in copies for each in where.way())


def _loops(frame: Frame, call: BoundaryCall) -> list[Span]:
    """The bodies of the loops of a function that do not make the loader anew."""
    return [each for each in loop_bodies(frame.function, frame.module) if not _makes(each, frame, call)]


def _makes(loop: Span, frame: Frame, call: BoundaryCall) -> bool:
    made = call.call.span
    return call.frame.function is frame.function and loop.contains(made)


def _changed(event: Event, frame: Frame, watched: LoopTarget, linker: Linker) -> Iterator[str]:
    if _is_for_others(event, frame, watched, linker):
        return
    for target, attribute, is_part in changed_by(event):
        is_kept = not is_part or is_kept_by_copies(attribute, watched.object, linker)
        if is_kept and _is_watched(target, frame, watched, linker):
            yield attribute
    method = attribute_read(event.call.function) if isinstance(event, Called) else None
    if method is not None and method[1] not in MAKING_METHODS:
        is_method = linker.classes.find_method(watched.class_, method[1]) is not None
        if is_method and _is_watched(method[0], frame, watched, linker):
            yield from changed_by_method(method[1], watched.object, linker)


def _is_for_others(event: Event, frame: Frame, watched: LoopTarget, linker: Linker) -> bool:
    """Whether an event is behind a test that what it changes lacks a method which the object has."""
    for guard in event.guards:
        owner, _, name = guard.rpartition(".")
        is_of_it = owner and frame.module.code.startswith(f"{owner}.", event.span.start)
        if is_of_it and linker.classes.find_method(watched.class_, name) is not None:
            return True
    return False


def _is_watched(value: Expr, frame: Frame, watched: LoopTarget, linker: Linker) -> bool:
    if not _may_be(watched.object, value, frame, linker):
        return False
    if watched.held is None:
        return _is_dataset(value, frame, watched.dataset, linker)
    part = attribute_read(value)
    if part is not None and part[1] == watched.held_as and _is_dataset(part[0], frame, watched.dataset, linker):
        return True
    found = (each.value for each in linker.evaluate(value, frame))
    return any(isinstance(each, InstanceValue) and each.call is watched.held.call for each in found)


def _may_be(object_: InstanceValue, value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether the tests that were applied to a value (`hasattr(dataset, "set_epoch")`) may come out so of an object."""
    while isinstance(value, Narrowed):
        if not linker.evaluator.narrowing.allows(value, TracedValue(object_, Site(frame.module, value.span)), frame):
            return False
        value = value.value
    return True


def _is_dataset(value: Expr, frame: Frame, dataset: InstanceValue, linker: Linker) -> bool:
    part = attribute_read(value)
    if part is not None and part[1] == "dataset" and _is_a_loader(part[0], frame, linker):
        return True
    found = [each.value for each in linker.evaluate(value, frame)]
    alike = [each for each in found if isinstance(each, InstanceValue) and each.class_.facts is dataset.class_.facts]
    return any(each.call is dataset.call or None in (each.call, dataset.call) for each in alike)


def _is_a_loader(value: Expr, frame: Frame, linker: Linker) -> bool:
    found = (each.value for each in linker.evaluate(value, frame))
    return any(
        isinstance(each, ExternalResult) and linker.catalog.kind_of_class(each.path) == "dataloader" for each in found
    )


def _uses_loader(loop: Span, change: Event, frame: Frame, call: BoundaryCall, linker: Linker) -> bool:
    """Whether a loop iterates the loader, or hands it to something that does: also to whoever iterates the generator
    in which it stands."""
    events = frame.function.events
    inside = [index for index, event in enumerate(events) if _is_written_in(loop, event)]
    # What is iterated stands where it was made; its place among the events tells where it is iterated.
    around = [*_iterated_before(inside, loop, frame), *events[inside[0] : inside[-1] + 2]] if inside else ()
    if any(_uses(each, change, frame, call, linker) for each in around):
        return True
    return any(_leads_to(each, frame, call, linker, 0) for each in yielded_in(loop, frame))


def _iterated_before(inside: list[int], loop: Span, frame: Frame) -> Iterator[Event]:
    """What the first call of a loop iterates in a comprehension that it is given: `sum(x for x in loader)`."""
    events, first = frame.function.events, frame.function.events[inside[0]].span
    around = (events[each].span for each in inside)
    end = max(each.end for each in around if each.start <= first.start)
    written = len(_FOR.findall(frame.module.code, loop.start, end))
    before = takewhile(lambda each: isinstance(each, Iterated | Implied), reversed(events[: inside[0]]))
    return islice((each for each in before if isinstance(each, Iterated)), written)


def _uses(event: Event, change: Event, frame: Frame, call: BoundaryCall, linker: Linker) -> bool:
    match event:
        case Iterated(iterable=iterable):
            used = [iterable]
        case Called(call=Call(arguments=arguments)):
            if _iterates_inside(event, frame, call, linker, 0):
                return True
            used = [argument.value for argument in arguments] if event is not change else []
        case _:
            return False
    return any(_leads_to(each, frame, call, linker, 0) for each in used)


def _iterates_inside(event: Called, frame: Frame, call: BoundaryCall, linker: Linker, depth: int) -> bool:
    """Whether what a call runs iterates the loader: a method whose object has it, or a function that is given it."""
    for callee in functions_run(event.call, frame, linker):
        if (depth and callee.bound is None) or not callee.module.first_party:
            continue
        inner = linker.evaluator.enter(callee, event.call, frame)
        if inner is None:
            continue
        for each in inner.function.events:
            match each:
                case Iterated(iterable=iterable) if _leads_to(iterable, inner, call, linker, 0):
                    return True
                case Called() if depth < _DEEPEST and _iterates_inside(each, inner, call, linker, depth + 1):
                    return True
                case _:
                    pass
    return False


def _is_written_in(loop: Span, event: Event) -> bool:
    is_inside = loop.contains(event.span)
    return is_inside and isinstance(event, Called | ItemStore | Store)


def _leads_to(value: Expr, frame: Frame, call: BoundaryCall, linker: Linker, depth: int) -> bool:
    if is_made_by((call.call,), value, frame, linker):
        return True
    if isinstance(value, Call):
        if depth >= LOADER_WRAPPERS.most:
            linker.evaluator.cuts.note(LOADER_WRAPPERS)
            return False
        return any(_leads_to(each.value, frame, call, linker, depth + 1) for each in value.arguments)
    return False
