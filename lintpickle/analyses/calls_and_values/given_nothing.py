"""Calls that surely give None: of functions of the program that do something and return nothing."""

from __future__ import annotations

from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Call, Constant
from lintpickle.interpreter.abstract_values import Frame, FunctionValue
from lintpickle.payload.linker import Linker


def gives_nothing(call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether all that a call can call are such functions, and no decorator may change what they return."""
    called = [traced.value for traced in linker.evaluate(call.function, frame)]
    return bool(called) and all(
        isinstance(each, FunctionValue) and not each.opaque and _returns_nothing(each.facts) for each in called
    )


def _returns_nothing(facts: FunctionFacts) -> bool:
    """Whether a function returns None and nothing else; not if it does nothing at all, as one that others override."""
    if facts.is_generator or facts.is_async or facts.decorators or not facts.events or not facts.may_give_none:
        return False
    return all(isinstance(each, Constant) and each.value is None for each in facts.returns)
