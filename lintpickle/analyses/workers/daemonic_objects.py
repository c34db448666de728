"""Objects of the program's own classes of processes that are made daemonic: by what their constructors hand on
(`super().__init__(daemon=True)`), or by their attribute (`self.daemon = True`)."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, ending_name
from lintpickle.interpreter.abstract_values import (
    Bound,
    ClassValue,
    ConstantValue,
    ExternalValue,
    Frame,
    FunctionValue,
    InstanceValue,
)
from lintpickle.interpreter.frames import Arguments, expand
from lintpickle.payload.linker import Linker

DAEMON = "daemon"
_INIT = "__init__"


def is_made_daemonic(made: InstanceValue, linker: Linker) -> bool:
    """Whether a process of the program's own class is surely daemonic. (What a class itself calls `daemon` hides the
    property, and makes no process one.)"""
    if linker.classes.defines(made, DAEMON) or made.call is None or made.frame is None:
        return False
    stored = [held for held in linker.classes.states.state(made) if held.attribute == DAEMON]
    if stored:
        return all(not held.doubts and is_true(Bound(held.value, held.frame), linker) for held in stored)
    given = expand(made.call, made.frame, linker.evaluator)
    init = linker.classes.find_method(made, _INIT)
    handed = list(_handed_on(made, init, given, made.frame.depth + 1, linker)) if init is not None else [given]
    return bool(handed) and all(DAEMON in each.keywords and is_true(each.keywords[DAEMON], linker) for each in handed)


def _handed_on(
    made: InstanceValue, init: tuple[ClassValue, FunctionFacts], given: Arguments, depth: int, linker: Linker
) -> Iterator[Arguments]:
    """What the constructors of an object give to that of the library."""
    function = FunctionValue(init[0].module, init[1], init[0].frame, made)
    frame = linker.evaluator.activate(function, given, depth)
    if frame is not None:
        yield from _handed_on_in(frame, linker)


def _handed_on_in(frame: Frame, linker: Linker) -> Iterator[Arguments]:
    for event in frame.function.events:
        if not isinstance(event, Called) or ending_name(event.call.function) != _INIT:
            continue
        if not isinstance(event.call.function, Attribute):
            continue
        for traced in linker.evaluate(event.call.function, frame):
            match traced.value:
                case ExternalValue():
                    yield expand(event.call, frame, linker.evaluator)
                case FunctionValue() as inherited:
                    inner = linker.evaluator.enter(inherited, event.call, frame)
                    yield from _handed_on_in(inner, linker) if inner is not None else ()
                case _:
                    pass


def is_true(given: Bound, linker: Linker) -> bool:
    """Whether an argument or attribute is surely True."""
    if given.expr is None or given.frame is None:
        return isinstance(given.value, ConstantValue) and given.value.value is True
    values = [traced.value for traced in linker.evaluate(given.expr, given.frame)]
    return bool(values) and all(isinstance(each, ConstantValue) and each.value is True for each in values)
