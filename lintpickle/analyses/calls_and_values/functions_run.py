"""The functions that a call runs, those of objects that can be called among them."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import AbstractValue, Frame, FunctionValue, InstanceValue
from lintpickle.payload.linker import Linker


def functions_run(call: Call, frame: Frame, linker: Linker) -> Iterator[FunctionValue]:
    """The functions that a call in a frame runs: of an object, its `__call__`."""
    for traced in linker.evaluate(call.function, frame):
        function = function_run(traced.value, linker)
        if function is not None:
            yield function


def function_run(called: AbstractValue, linker: Linker) -> FunctionValue | None:
    """The function that a call of something runs: itself, or the `__call__` of an object."""
    match called:
        case FunctionValue():
            return called
        case InstanceValue():
            found = linker.classes.find_method(called, "__call__")
            return FunctionValue(found[0].module, found[1], found[0].frame, called) if found is not None else None
        case _:
            return None


def functions_entered(call: Call, frame: Frame, linker: Linker) -> Iterator[tuple[FunctionValue, Frame]]:
    """The functions of the program that are what a call in a frame calls, each with the frame in which they run."""
    for traced in linker.evaluate(call.function, frame):
        called = traced.value
        if isinstance(called, FunctionValue) and called.module.first_party:
            inner = linker.evaluator.enter(called, call, frame)
            if inner is not None:
                yield called, inner
