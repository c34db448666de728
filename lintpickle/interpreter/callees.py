"""The functions that a call runs with what it is given: the one that is called, or the constructor of a class."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, Frame, FunctionValue, InstanceValue
from lintpickle.interpreter.protocols import Interpreter


def callees(call: Call, frame: Frame, evaluator: Interpreter) -> Iterator[FunctionValue]:
    """The functions of the program that run at once, those of objects bound to them."""
    for traced in evaluator.evaluate(call.function, frame):
        match traced.value:
            case FunctionValue() as function if not function.facts.is_generator:
                yield function
            case ClassValue() as class_:
                yield from _constructors(class_, call, frame, evaluator)
            case _:
                pass


def _constructors(class_: ClassValue, call: Call, frame: Frame, evaluator: Interpreter) -> Iterator[FunctionValue]:
    found = evaluator.classes.find_method(class_, "__init__")
    if found is None:
        return
    for traced in evaluator.evaluate(call, frame):
        made = traced.value
        if isinstance(made, InstanceValue) and made.call is call and made.class_.facts is class_.facts:
            yield as_method(found, made)


def as_method(found: tuple[ClassValue, FunctionFacts], made: AbstractValue) -> FunctionValue:
    """A method of an object, beside the class that defines it, as the object has it: with `@staticmethod`, that is a
    function without an object, whatever its name."""
    owner, method = found
    return FunctionValue(owner.module, method, owner.frame, None if method.decorated_by("staticmethod") else made)
