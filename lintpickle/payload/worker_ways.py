"""Ways of workers: whether conditions let any call lead a worker to a place, with what the calls pass."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Call, without_narrowing
from lintpickle.interpreter.abstract_values import UNKNOWN, Frame, FunctionValue, InstanceValue, Site
from lintpickle.limits import WORKER_WAYS
from lintpickle.payload.filled_before import is_filled_before
from lintpickle.payload.main_as_first import is_for_main_alone
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction, calls_made, functions_called, put_around


class _Leading(Struct, frozen=True, eq=False):
    """A call of a function that runs in workers, by which a place can be got to."""

    call: Call
    callee: FunctionValue


def may_get_to(site: Site, code: WorkerCode, linker: LinkedProgram) -> bool:
    """Whether workers may get to a place in one of their functions, or to another one in it where the same is
    written."""
    around = [each for each in code.functions if Site(each.module, each.facts.span).contains(site)]
    if not around:
        return True
    function = min(around, key=lambda each: each.facts.span.end - each.facts.span.start)
    return _is_open(function, list(_places(site, function)), code, linker)


def may_get_to_itself(place: Span, function: WorkerFunction, code: WorkerCode, linker: LinkedProgram) -> bool:
    """Whether workers may get to this very place in one of their functions."""
    return _is_open(function, [place], code, linker)


def _is_open(function: WorkerFunction, places: list[Span], code: WorkerCode, linker: LinkedProgram) -> bool:
    if _is_first_way_open(function.frame, places, code, linker):
        return True
    return _is_any_way_open(function, places, code, linker)


def _reaches(place: Span, frame: Frame, code: WorkerCode, linker: LinkedProgram) -> bool:
    """Whether conditions let a worker get to a place of a function: those of the function, and those under which
    workers are started."""
    if not linker.conditions.may_get_to(place, frame) or linker.payload.is_never_reached(place, frame, code.root):
        return False
    return not (is_for_main_alone(place, frame, code.boundary, linker) or is_filled_before(place, frame, linker))


def _places(site: Site, function: WorkerFunction) -> Iterator[Span]:
    """Where in a function the same is written as at a place."""
    code, span = site.module.code, function.facts.span
    written = re.escape(code[site.span.start : site.span.end])
    for found in re.finditer(rf"(?<!\w){written}(?!\w)", code[span.start : span.end]):
        yield Span(span.start + found.start(), span.start + found.end())
    yield site.span


def _is_first_way_open(frame: Frame, places: list[Span], code: WorkerCode, linker: LinkedProgram) -> bool:
    """Whether the calls by which a frame was found may be made, and lead on to one of some places in it."""
    if not any(_reaches(place, frame, code, linker) for place in places):
        return False
    while frame.called_by is not None:
        frame, call = frame.called_by
        if not _reaches(call.span, frame, code, linker):
            return False
    return True


def _is_any_way_open(function: WorkerFunction, places: list[Span], code: WorkerCode, linker: LinkedProgram) -> bool:
    """The same, by any calls: from the functions that workers call themselves on, in the frames that lead there."""
    around = _run_around(code, linker)
    calls = _calls_towards(function.facts, around, code, linker)
    seen = dict[int, Frame]()
    wrapping = _facts_of(around)
    waiting = [each.frame for each in code.functions if not each.frame.called_by and id(each.facts) not in wrapping]
    while waiting:
        found = waiting.pop()
        if id(found) in seen:
            continue
        seen[id(found)] = found
        frame = replace(found, depth=1)  # Ways may be long: what counts is what is passed.
        if len(seen) > WORKER_WAYS.most:
            linker.evaluator.cuts.note(WORKER_WAYS)
            return True
        if frame.function is function.facts and any(_reaches(place, frame, code, linker) for place in places):
            return True
        for leading in calls.get(id(frame.function), ()):
            if _reaches(leading.call.span, frame, code, linker):
                inner = linker.evaluator.enter(_called_in(frame, leading, linker), leading.call, frame)
                if inner is not None:
                    waiting.append(inner)
    return False


def _run_around(code: WorkerCode, linker: LinkedProgram) -> dict[int, tuple[FunctionValue, ...]]:
    """What decorators have put around the functions to which calls of others lead, by these functions: it runs by the
    same calls, with the same arguments, and by none of others."""
    found = {id(each.facts): tuple(put_around(each, linker)) for each in code.functions if each.frame.called_by}
    entered = [around for each in code.functions if not each.frame.called_by for around in put_around(each, linker)]
    others = {id(each.facts) for each in entered}
    return {facts: tuple(each for each in around if id(each.facts) not in others) for facts, around in found.items()}


def _facts_of(around: dict[int, tuple[FunctionValue, ...]]) -> set[int]:
    return {id(each.facts) for found in around.values() for each in found}


def _called_in(frame: Frame, leading: _Leading, linker: LinkedProgram) -> FunctionValue:
    """What a call runs in one of the frames in which it is made: a method belongs to the object that is there."""
    callee = leading.callee
    if not isinstance(callee.bound, InstanceValue) or callee.bound.call is None:
        return callee
    for traced in linker.evaluator.evaluate(leading.call.function, frame):
        for each in functions_called(traced, leading.call, frame, linker):
            if each.facts is callee.facts:
                return each
    return replace(callee, bound=InstanceValue(callee.bound.class_))


def _calls_towards(
    target: FunctionFacts, around: dict[int, tuple[FunctionValue, ...]], code: WorkerCode, linker: LinkedProgram
) -> dict[int, list[_Leading]]:
    """The calls that lead to a function, also by way of others, by the functions in which they stand."""
    wrapping = _facts_of(around)
    callers: dict[int, list[tuple[FunctionFacts, _Leading]]] = {}
    for each in code.functions:
        written = [event for event in each.facts.events if isinstance(event, Called)]
        for call in (made for event in written for made in calls_made(event.call, each.frame, linker)):
            for callee in _callees(call, each, code, linker):
                callers.setdefault(id(callee.facts), []).append((each.facts, _Leading(call, callee)))
                for outer in around.get(id(callee.facts), ()) if id(each.facts) not in wrapping else ():
                    run = _Leading(call, replace(outer, bound=outer.bound or callee.bound))
                    callers.setdefault(id(outer.facts), []).append((each.facts, run))
    found: dict[int, list[_Leading]] = {}
    waiting, seen = [id(target)], {id(target)}
    while waiting:
        for caller, leading in callers.get(waiting.pop(), ()):
            found.setdefault(id(caller), []).append(leading)
            if id(caller) not in seen:
                seen.add(id(caller))
                waiting.append(id(caller))
    return found


def _callees(call: Call, caller: WorkerFunction, code: WorkerCode, linker: LinkedProgram) -> Iterator[FunctionValue]:
    """The functions that a call may call; of a method of an unknown object, those of its name that were entered
    (when moving to another start method)."""
    named = without_narrowing(call.function)
    for traced in linker.evaluator.evaluate(call.function, caller.frame):
        yield from functions_called(traced, call, caller.frame, linker)
        is_by_name = linker.moving_to is not None and traced.value is UNKNOWN
        name = named.name if is_by_name and isinstance(named, Attribute) else None
        for each in code.functions:
            if each.facts.name == name:
                first = each.facts.parameters[0].name if each.facts.parameters else ""
                bound = each.frame.bindings.get(first)
                yield FunctionValue(each.module, each.facts, each.frame.parent, bound.value if bound else None)
