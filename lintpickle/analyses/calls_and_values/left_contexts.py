"""What runs where `with` statements enter and leave context managers of the program."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.caller_frames import frame_of_method
from lintpickle.facts.contexts import ENTER, MANAGER_DECORATORS
from lintpickle.facts.records import FunctionFacts, Implied
from lintpickle.facts.values import Call
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import Frame, FunctionValue, InstanceValue
from lintpickle.payload.linker import Linker

_YIELD = re.compile(r"\byield\b")


class LeftContext(Struct, frozen=True):
    """Where a `with` statement names what it enters, where it ends, and the frame of what runs there: an `__exit__`, or
    a generator function of which only what stands behind its `yield` does."""

    start: int
    end: int
    frame: Frame

    @property
    def begin(self) -> int:
        """Where that begins which runs when the context is left."""
        given = given_by_manager(self.frame)
        return given if given is not None else 0


def makes_context(function: FunctionFacts) -> bool:
    """Whether a function makes a context manager of what stands before and behind its `yield`."""
    return function.is_generator and function.decorated_by(*MANAGER_DECORATORS)


def given_by_manager(frame: Frame) -> int | None:
    """Where such a function yields: what stands before it runs when it is entered. None of other functions."""
    if not makes_context(frame.function):
        return None
    found = _YIELD.search(frame.module.code, frame.function.header.end)
    return found.start() if found is not None else None


def managers_entered(event: Implied, frame: Frame, linker: Linker) -> Iterator[Frame]:
    """The frames of such functions by whose calls a `with` statement gets what it enters."""
    if not isinstance(event.target, Call):
        return
    for traced in linker.evaluate(event.target.function, frame):
        if isinstance(traced.value, FunctionValue) and makes_context(traced.value.facts):
            inner = linker.evaluator.enter(traced.value, event.target, frame)
            if inner is not None:
                yield inner


def contexts_left(frame: Frame, linker: Linker) -> Iterator[LeftContext]:
    """What runs where `with` statements of a function end, in order: inner ones first."""
    entered = [event for event in frame.function.events if isinstance(event, Implied) and event.method == ENTER]
    source = source_tree(frame.module.code) if entered else None
    if source is None:
        return
    found = list[LeftContext]()
    for node in source.nodes_within(frame.function.span):
        for item in node.items if isinstance(node, ast.With) else ():
            for event in entered:
                if source.span(item.context_expr).start == event.span.start:
                    start, end = event.span.start, source.span(node).end
                    found += [LeftContext(start, end, each) for each in _exits(event, frame, linker)]
    yield from sorted(found, key=lambda each: (each.end, -each.start))


def _exits(event: Implied, frame: Frame, linker: Linker) -> Iterator[Frame]:
    for traced in linker.evaluate(event.target, frame):
        if isinstance(traced.value, InstanceValue):
            method = linker.classes.find_method(traced.value, "__exit__")
            inner = frame_of_method(method, traced.value, linker) if method is not None else None
            if inner is not None:
                yield inner
    yield from managers_entered(event, frame, linker)
