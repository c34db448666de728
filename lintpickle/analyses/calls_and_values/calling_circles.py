"""Functions of workers that call one another in a circle, such as the methods of a recursive-descent parser."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Call, ending_name
from lintpickle.interpreter.abstract_values import FunctionValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction


class CallInCircle(Struct, frozen=True, eq=False):
    """A call by which a function of workers comes to call itself: its place, and what it calls as it is written."""

    function: WorkerFunction
    span: Span
    called: str


def first_circle(code: WorkerCode, linker: Linker) -> CallInCircle | None:
    """The first function that workers run which calls itself by way of others, with the call that leads there."""
    own = {id(each.facts): each for each in code.functions if each.module.first_party}
    question = ("calls of workers", code)
    calls = linker.remembered(question, lambda: {key: tuple(_calls(each, linker)) for key, each in own.items()})
    for key, function in own.items():
        for call, called in calls[key]:
            if called != key and called in own and _leads_to(key, called, calls):
                return CallInCircle(function, call.span, ending_name(call.function) or function.facts.name)
    return None


def _calls(function: WorkerFunction, linker: Linker) -> Iterator[tuple[Call, int]]:
    """The calls of a function, each with the function of the program that it runs."""
    for event in function.facts.events:
        if isinstance(event, Called) and ending_name(event.call.function) is not None:
            for traced in linker.evaluate(event.call.function, function.frame):
                if isinstance(traced.value, FunctionValue):
                    yield event.call, id(traced.value.facts)


def _leads_to(sought: int, begin: int, calls: dict[int, tuple[tuple[Call, int], ...]]) -> bool:
    waiting, seen = [begin], {begin}
    while waiting:
        for _, called in calls.get(waiting.pop(), ()):
            if called == sought:
                return True
            if called not in seen:
                seen.add(called)
                waiting.append(called)
    return False
