"""Functions that the program gives to its workers: a process, a pool, an executor, `spawn`. With what they are called
there, as far as the call that gives them says it."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.task_calls import task_call
from lintpickle.call_graph.callers import Calling
from lintpickle.catalog import INITIALIZER
from lintpickle.facts.records import Called
from lintpickle.facts.values import Constant, Item, ending_name
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    Bound,
    ClassValue,
    ContainerValue,
    Doubt,
    Frame,
    FunctionValue,
    Hop,
    InstanceValue,
    Slot,
    SlotKey,
    joined,
)
from lintpickle.interpreter.frames import Arguments, expand
from lintpickle.interpreter.partials import PARTIAL
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.components import Components
from lintpickle.payload.entry_arguments import given_before

_OF_INITIALIZER, _ARGS = "initargs", "args"
_KEYWORDS = ("kwargs", "kwds")
_PROCESS = "process"
_NOTHING = Bound()
_PARTIAL = PARTIAL.rpartition(".")[2]


def started(root: RootFrame, parts: Components) -> Iterator[Calling]:
    """For each call that gives a function to workers, in whatever module, the frame of the function there, and the hops
    for the trail."""
    if root.function.is_local or root.is_constructor:
        return
    asker = root.frame.module.path
    for caller, passing in parts.callers.passing(root, asker):
        if not _may_give(passing, caller, parts) or _is_of_another_class(passing, caller, root, parts):
            continue
        for around in parts.callers.around(caller, passing.call, asker):
            for event in _giving(passing, around.frame, parts):
                if parts.evaluator.conditions.reaches(event.span, around.frame) is not False:
                    yield from _of_event(event, around, root, parts)


def _may_give(passing: Called, caller: RootFrame, parts: Components) -> bool:
    """Whether a call, by what it names, may give workers what it is passed, or make a partial of it."""
    called = passing.call.function
    if ending_name(called) == _PARTIAL or parts.aliases.is_one(called):
        return True
    return parts.boundary_names.may_be_one(called, caller.frame.module)


def _is_of_another_class(passing: Called, caller: RootFrame, root: RootFrame, parts: Components) -> bool:
    """Whether what a call passes under the name of a method is that of a class which is no base of its own."""
    named = [each.value for each in passing.call.arguments if ending_name(each.value) == root.function.name]
    owner = root.owner
    if owner is None or not named:
        return False
    given = (traced.value for value in named for traced in parts.evaluator.evaluate(value, caller.frame))
    return not any(_may_be_of(owner, each, parts) for each in given)


def _may_be_of(owner: ClassValue, method: AbstractValue, parts: Components) -> bool:
    """Whether a value may be a method of a class or of one of its bases, or anything but a method of a known object."""
    match method:
        case FunctionValue(bound=InstanceValue(class_=class_)):
            return parts.classes.derives(owner, class_)
        case _:
            return True


def _giving(passing: Called, frame: Frame, parts: Components) -> Iterator[Called]:
    """The calls that may give workers what a call is passed: itself, or if it makes a partial, others beside it."""
    made = parts.evaluator.evaluate(passing.call, frame) if ending_name(passing.call.function) == _PARTIAL else ()
    if any(isinstance(traced.value, ContainerValue) and traced.value.kind == PARTIAL for traced in made):
        yield from (event for event in frame.function.events if isinstance(event, Called) and event is not passing)
    else:
        yield passing


def runs_by_workers(root: RootFrame, parts: Components) -> Iterator[Calling]:
    """The same, also for the calls of a function by those that workers are given."""
    yield from started(root, parts)
    if not root.is_constructor:
        yield from parts.callers.calls_within(root, root.frame.module.path, lambda each: started(each, parts))


def _of_event(event: Called, around: Calling, root: RootFrame, parts: Components) -> Iterator[Calling]:
    for boundary in parts.boundaries.made(event, around.frame):
        for role in boundary.spec.functions:
            found = [traced.value for traced in boundary.value(role, parts.evaluator)]
            for value in found:
                for callee, first in _called(value, root, parts):
                    arguments = _after(first, _arguments(boundary, role, callee, parts))
                    called_by = (boundary.frame, boundary.call)
                    inner = parts.evaluator.activate(callee, arguments, around.frame.depth + 1, called_by=called_by)
                    does = "starts" if boundary.spec.kind == _PROCESS else "gives workers"
                    hop = Hop(f"{does} {root.function.name}()", boundary.site)
                    doubts = (Doubt.BRANCH,) if len(found) > 1 else ()
                    if inner is not None:
                        yield Calling(inner, (*around.hops, hop), joined(around.doubts, (*boundary.doubts, *doubts)))


def _called(value: AbstractValue, root: RootFrame, parts: Components) -> Iterator[tuple[FunctionValue, Arguments]]:
    """The function, if it is what a value calls, with what a partial gives it first."""
    match value:
        case FunctionValue(facts=facts) if facts is root.function:
            yield value, Arguments((), {}, False)
        case ContainerValue(kind=kind, slots=(target, *given)) if kind == PARTIAL:
            bound = [(slot.key, Bound(slot.value, slot.frame)) for slot in given]
            first = tuple(each for key, each in bound if isinstance(key.item, int))
            named = {name: each for key, each in bound if isinstance(name := key.item or key.attribute, str)}
            for traced in parts.evaluator.evaluate(target.value, target.frame):
                if isinstance(traced.value, FunctionValue) and traced.value.facts is root.function:
                    yield traced.value, Arguments(first, named, False)
        case _:
            pass


def _after(first: Arguments, rest: Arguments) -> Arguments:
    return Arguments((*first.positional, *rest.positional), {**first.keywords, **rest.keywords}, rest.open)


def _arguments(boundary: BoundaryCall, role: str, callee: FunctionValue, parts: Components) -> Arguments:
    """What workers call a function with that they are given as a parameter, as far as it is known one by one."""
    spec, task = boundary.spec, task_call(boundary)
    if task is not None:
        return expand(task, boundary.frame, parts.evaluator)
    if role == INITIALIZER:
        return Arguments(tuple(_listed(boundary, _OF_INITIALIZER, parts)), {}, True)
    before = [_NOTHING] * given_before(spec)
    if _ARGS in spec.parameters:
        return Arguments((*before, *_listed(boundary, _ARGS, parts)), _named(boundary, parts), True)
    given, keywords = list[Bound](), dict[str, Bound]()
    for name in boundary.payload:
        bound = boundary.arguments.get(name, _NOTHING)
        if boundary.is_iterated(name):
            given += _items(bound, callee) if spec.spreads else [_item(bound)]
        elif name.endswith("]"):
            given.append(bound)
        elif name not in spec.parameters:
            keywords[name] = bound
    return Arguments((*before, *given), keywords, True)


def _listed(boundary: BoundaryCall, name: str, parts: Components) -> list[Bound]:
    """The arguments that a tuple holds: `args=(queue, 3)`."""
    slots = _held(boundary, name, parts)
    return [Bound(slot.value, slot.frame) for index, slot in enumerate(slots) if slot.key == SlotKey(item=index)]


def _named(boundary: BoundaryCall, parts: Components) -> dict[str, Bound]:
    """Those that a dictionary holds: `kwargs={"queue": queue}`."""
    slots = (slot for name in _KEYWORDS for slot in _held(boundary, name, parts))
    return {slot.key.item: Bound(slot.value, slot.frame) for slot in slots if isinstance(slot.key.item, str)}


def _held(boundary: BoundaryCall, name: str, parts: Components) -> tuple[Slot, ...]:
    match [traced.value for traced in boundary.value(name, parts.evaluator)]:
        case [ContainerValue(slots=slots)]:
            return slots
        case _:
            return ()


def _item(iterated: Bound) -> Bound:
    """One of those that workers are given one after another."""
    if iterated.expr is None or iterated.frame is None:
        return _NOTHING
    return Bound(Item(iterated.expr.span, iterated.expr, None), iterated.frame)


def _items(iterated: Bound, callee: FunctionValue) -> list[Bound]:
    """The parts of one of them, which is all arguments of a call."""
    whole = _item(iterated)
    if whole.expr is None:
        return []
    span = whole.expr.span
    return [
        Bound(Item(span, whole.expr, Constant(span, place)), whole.frame) for place in range(len(callee.names_to_give))
    ]
