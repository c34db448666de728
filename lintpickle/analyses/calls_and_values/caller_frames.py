"""Functions as code of the program enters them: with what is passed at the calls that are seen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lintpickle.analyses.at_import.import_time import callable_name
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Call, ending_name
from lintpickle.interpreter.abstract_values import ClassValue, Frame, FunctionValue, InstanceValue
from lintpickle.interpreter.callees import callees
from lintpickle.payload.entry_arguments import UNKNOWN_ARGUMENTS
from lintpickle.payload.linker import Linker

_MOST = 4
"""How many calls are followed: what is true of a function is seen at the first ones."""


def frames_of_calls(function: FunctionFacts, asker: str, linker: Linker) -> Iterator[Frame]:
    """The frames in which calls enter a function. `asker` is as for `OwnModules.search`."""
    name = callable_name(function)
    form = re.compile(rf"(?<!def )\b{re.escape(name)}\s*\(")
    roots = linker.activations_with({name}, form, asker)
    yield from islice((inner for root in roots for inner in _entered_from(root.frame, function, linker)), _MOST)


def frames_on_the_way(function: FunctionFacts, frame: Frame, linker: Linker) -> Iterator[Frame]:
    """The frames in which calls enter a function from those that lead to a frame: what is passed there is known best.
    If none of these calls it, those of all code."""
    is_found = False
    for around in frame.way():
        for inner in _entered_from(around, function, linker):
            is_found = True
            yield inner
    if not is_found:
        yield from frames_of_calls(function, frame.module.path, linker)


def _entered_from(home: Frame, function: FunctionFacts, linker: Linker) -> Iterator[Frame]:
    """The frames in which calls of one frame enter a function."""
    name = callable_name(function)
    for event in home.function.events:
        if not isinstance(event, Called) or ending_name(event.call.function) != name:
            continue
        for called in _called(event.call, home, function.name, linker):
            inner = linker.evaluator.enter(called, event.call, home) if called.facts is function else None
            if inner is not None:
                yield inner


def _called(call: Call, frame: Frame, name: str, linker: Linker) -> Iterator[FunctionValue]:
    """What a call calls: functions, or constructors if those are asked for."""
    if name == "__init__":
        yield from callees(call, frame, linker.evaluator)
        return
    for traced in linker.evaluate(call.function, frame):
        if isinstance(traced.value, FunctionValue):
            yield traced.value


def frame_of_method(method: tuple[ClassValue, FunctionFacts], instance: InstanceValue, linker: Linker) -> Frame | None:
    """The frame of a method of an object of which nothing else is known than the object."""
    owner, facts = method
    called = FunctionValue(owner.module, facts, owner.frame, instance)
    return linker.evaluator.activate(called, UNKNOWN_ARGUMENTS, 1)
