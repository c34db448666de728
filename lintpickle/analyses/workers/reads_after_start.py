"""What code reads of an attribute once workers have started: the function that starts them, its callers, and what these
call then."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from lintpickle.analyses.at_import.import_time import guard_of
from lintpickle.analyses.lost_changes.container_methods import ADDING
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Event, Implied, ItemStore, Iterated, Store
from lintpickle.facts.values import Attribute, Call, Constant, Expr, Item, Parameter, chained, ending_name, parts_of
from lintpickle.interpreter.abstract_values import Frame, FunctionValue
from lintpickle.payload.linker import Linker

_STORED = r"\s*=[^=]|[ \t]*:[^\n]*[^=!<>:]=[^=]"
"""What follows an attribute that is stored, also with its type (`self.names: set[str] = set()`)."""
_GETTER = "attrgetter"
_CALLERS = 3
"""How many callers of the function that starts the workers are asked for what they read afterwards."""


def after_start(boundary: BoundaryCall) -> Iterator[tuple[Frame, int]]:
    """The functions that go on when the workers have started, each with the place from which on."""
    frame, behind = boundary.frame, boundary.call.span.end
    yield frame, behind
    for _ in range(_CALLERS):
        if frame.called_by is None:
            return
        frame, call = frame.called_by
        yield frame, call.span.end


def _end(frame: Frame, behind: int) -> int:
    """Where the code ends that follows a place: of a module body, that under the same guard."""
    if not frame.function.is_module_body:
        return frame.function.span.end
    guard = guard_of(behind - 1, frame.module)
    return guard.span.end if guard is not None else behind


@lru_cache(maxsize=2048)
def naming(attribute: str) -> re.Pattern[str]:
    """Finds where an attribute is named other than to store it or to add to it; also for an `attrgetter`."""
    getter = rf"\b{_GETTER}\([^()\n]*['\".]{attribute}['\"]"
    return re.compile(rf"\.\s*{attribute}\b(?!['\"]|{_STORED})(?!\s*\.\s*(?:{ADDING})\()|{getter}")


def reading_functions(
    frame: Frame, behind: int, names: re.Pattern[str], linker: Linker
) -> Iterator[tuple[Frame, int, int, int | None]]:
    """Where code goes on that names something: in a function itself, and in those that it calls then; each with its
    frame, from where to where, and the place of the call."""
    end = _end(frame, behind)
    if names.search(frame.module.code, behind, end):
        yield frame, behind, end, None
    for event in frame.function.events:
        if not isinstance(event, Called) or not behind <= event.span.start < end:
            continue
        for traced in linker.evaluate(event.call.function, frame):
            callee = traced.value if isinstance(traced.value, FunctionValue) else None
            span = callee.facts.span if callee is not None else None
            if callee is None or span is None or not names.search(callee.module.code, span.start, span.end):
                continue
            inner = linker.evaluator.enter(callee, event.call, frame)
            if inner is not None:
                yield inner, span.start, span.end, event.span.start


def reads_of(attribute: str, frame: Frame, start: int, end: int) -> Iterator[tuple[Expr, Span]]:
    """Where a function reads an attribute between two places, and of what."""
    for event in frame.function.events:
        if isinstance(event, Implied) and event.reads and event.method == attribute:
            if start <= event.span.start < end:
                yield event.target, event.span
            continue
        if isinstance(event, Called) and start <= event.span.start < end:
            yield from _read_by_getters(event.call, attribute)
        for value in _values(event):
            yield from _within(value, attribute, start, end)
    for value in frame.function.returns:
        yield from _within(value, attribute, start, end)
    if frame.function.parameters and "." in frame.function.qualname:
        yield from _reads_of_me(attribute, frame, start, end)


def _read_by_getters(call: Call, attribute: str) -> Iterator[tuple[Expr, Span]]:
    """What an `attrgetter` reads the attribute of that a call calls (`attrgetter("done")(job)`), or gives to a function
    with what has the objects (`map(attrgetter("done"), jobs)`, `max(jobs, key=attrgetter("done"))`)."""
    given = [each.value for each in call.arguments]
    for getter in (call.function, *given):
        for *way, name in _names_got(getter):
            if name == attribute:
                others = (each for each in given if each is not getter)
                is_called = getter is call.function
                bases = (each if is_called else Item(each.span, each, None) for each in others)
                yield from ((chained(base, way, getter.span), getter.span) for base in bases)


def _names_got(getter: Expr) -> Iterator[list[str]]:
    """The attributes that an `attrgetter` reads, each by the names that lead to it."""
    if isinstance(getter, Call) and ending_name(getter.function) == _GETTER:
        for each in getter.positional() or ():
            if isinstance(each, Constant) and isinstance(each.value, str):
                yield each.value.split(".")


def _reads_of_me(attribute: str, frame: Frame, start: int, end: int) -> Iterator[tuple[Expr, Span]]:
    """The same in the text, which also has what is asked in conditions."""
    me = frame.function.parameters[0].name
    read = re.compile(rf"(?<![\w.]){me}\.{attribute}\b(?!{_STORED})(?!\s*\.\s*(?:{ADDING})\()")
    for found in read.finditer(frame.module.code, start, end):
        yield Parameter(Span(*found.span()), me, frame.function.qualname), Span(*found.span())


def _values(event: Event) -> tuple[Expr, ...]:
    match event:
        case Called(call=call):
            is_adding = isinstance(call.function, Attribute) and re.fullmatch(ADDING, call.function.name)
            return tuple(each.value for each in call.arguments) if is_adding else (call,)
        case Iterated(iterable=value) | Store(value=value) | ItemStore(value=value):
            return (value,)
        case _:
            return ()


def _within(value: Expr, attribute: str, start: int, end: int) -> Iterator[tuple[Expr, Span]]:
    waiting, seen = [value], {id(value)}
    while waiting:
        part = waiting.pop()
        if isinstance(part, Attribute) and part.name == attribute and start <= part.span.start < end:
            yield part.base, part.span
        new = [each for each in parts_of(part) if id(each) not in seen]
        seen.update(map(id, new))
        waiting += new
