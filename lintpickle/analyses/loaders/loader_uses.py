"""Where code uses a loader, so that its workers run: it iterates the loader, or gives it to something that may."""

from __future__ import annotations

from collections.abc import Collection

from lintpickle.analyses.calls_and_values.functions_run import functions_entered
from lintpickle.analyses.calls_and_values.loops import loop_bodies
from lintpickle.analyses.workers.reads_after_start import after_start
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called, Event, Iterated
from lintpickle.facts.values import Call, Expr, attribute_read, ending_name
from lintpickle.interpreter.abstract_values import ExternalResult, Frame, InstanceValue
from lintpickle.payload.linker import Linker

_LOOKING = frozenset({"bool", "hasattr", "id", "isinstance", "len", "print", "repr", "str", "type"})
"""Functions that iterate no loader which they are given."""
_DATASET = "dataset"
_DEEPEST = 3
"""How many calls may lead to what iterates the loader, or stand around it."""


def is_used_before(boundary: BoundaryCall, reading: Frame, place: int, linker: Linker) -> bool:
    """Whether the loader may be used before code gets to a place in a function that goes on once the loader is made:
    in front of the place, in a loop around it, or in what that function calls to have the loader."""
    making = boundary.call
    for frame, _ in after_start(boundary):
        behind = _events_behind(making, frame)
        if frame is reading:
            return any(_uses(each, frame, boundary, linker) for each in _before(place, behind, making, frame))
        if any(_uses(each, frame, boundary, linker) for each in behind):
            return True
        making = frame.called_by[1] if frame.called_by is not None else making
    return False


def is_dataset_of_loader(value: Expr, frame: Frame, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether code reads the dataset of the loader: `loader.dataset`."""
    read = attribute_read(value)
    return read is not None and read[1] == _DATASET and _is_loader(read[0], frame, boundary, linker)


def _events_behind(making: Call, frame: Frame) -> list[Event]:
    """What comes behind a call in a function. What is iterated stands where it was made: the order tells when."""
    events = frame.function.events
    made = (number for number, event in enumerate(events) if isinstance(event, Called) and event.call is making)
    return [*events[next(made, -1) + 1 :]]


def _before(place: int, behind: list[Event], making: Call, frame: Frame) -> list[Event]:
    """What of that comes before a place, or in the call that stands there, or in the loop around it."""
    around = (each for each in loop_bodies(frame.function, frame.module) if each.start <= place < each.end)
    loop = next((each for each in around if not each.contains(making.span)), None)
    end = loop.end if loop is not None else place + 1
    calls = [(number, event.span) for number, event in enumerate(behind) if isinstance(event, Called)]
    inside = [number for number, span in calls if span.start <= place < span.end] if loop is None else []
    if inside:
        return behind[: inside[-1] + 1]
    return behind[: next((number for number, span in calls if span.start >= end), len(behind))]


def _uses(event: Event, frame: Frame, boundary: BoundaryCall, linker: Linker, depth: int = 0) -> bool:
    match event:
        case Iterated(iterable=iterable):
            return _leads_to_loader(iterable, frame, boundary, linker)
        case Called(call=call) if ending_name(call.function) not in _LOOKING:
            entered = list(functions_entered(call, frame, linker)) if depth < _DEEPEST else []
            inside = ((each, inner) for _, inner in entered for each in inner.function.events)
            if any(_uses(each, inner, boundary, linker, depth + 1) for each, inner in inside):
                return True
            given = (each.value for each in call.arguments) if not entered else ()
            return any(_leads_to_loader(each, frame, boundary, linker) for each in given)
        case _:
            return False


def _leads_to_loader(value: Expr, frame: Frame, boundary: BoundaryCall, linker: Linker, depth: int = 0) -> bool:
    """Whether a value is the loader, or is made of it by calls: `tqdm(enumerate(loader))`."""
    if _is_loader(value, frame, boundary, linker):
        return True
    inside = value.arguments if isinstance(value, Call) and depth < _DEEPEST else ()
    return any(_leads_to_loader(each.value, frame, boundary, linker, depth + 1) for each in inside)


def _is_loader(value: Expr, frame: Frame, boundary: BoundaryCall, linker: Linker) -> bool:
    calls = [boundary.call, *(each.called_by[1] for each, _ in after_start(boundary) if each.called_by is not None)]
    return is_made_by(calls, value, frame, linker)


def is_made_by(calls: Collection[Call], value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether a value may be what one of some calls makes."""
    for traced in linker.evaluate(value, frame):
        match traced.value:
            case ExternalResult(call=made) | InstanceValue(call=made) if any(made is each for each in calls):
                return True
            case _:
                pass
    return False
