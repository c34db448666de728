"""Classes of the program that replace how a class of a library makes its workers, or sends to them and gets back."""

from __future__ import annotations

from lintpickle.catalog import BoundarySpec
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Call, Parameter, Super
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    Doubt,
    InstanceValue,
    SuperValue,
)
from lintpickle.interpreter.evaluator import Evaluator


def doubts_of(value: AbstractValue, spec: BoundarySpec, evaluator: Evaluator) -> tuple[Doubt, ...]:
    """The doubt whether a class, an object of it, or its `super()`, does at a boundary what the library's class does:
    it defines a part of the boundary's machinery itself, and does not only add to it."""
    return (Doubt.MACHINERY,) if _replaces(value, spec, evaluator) else ()


def _replaces(value: AbstractValue, spec: BoundarySpec, evaluator: Evaluator) -> bool:
    if isinstance(value, SuperValue):
        value = value.instance
    class_ = value.class_ if isinstance(value, InstanceValue) else value
    if not spec.machinery or not isinstance(class_, ClassValue):
        return False
    for each in evaluator.classes.mro(class_):
        if isinstance(each, ClassValue) and any(_is_own(each, part) for part in spec.machinery):
            return True
    return False


def _is_own(class_: ClassValue, part: str) -> bool:
    """Whether a class replaces a part of the machinery by its own."""
    methods = class_.facts.methods
    if part not in methods:
        return part in class_.facts.body
    return not any(_hands_on(method, part) for method in methods.values())


def _hands_on(method: FunctionFacts, part: str) -> bool:
    """Whether a method calls the part that it, or another method of its class, replaces, with its own parameters."""
    calls = (event.call for event in method.events if isinstance(event, Called))
    return any(_is_of_base(call, part) and _gives_parameters(call) for call in calls)


def _is_of_base(call: Call, part: str) -> bool:
    return isinstance(call.function, Attribute) and call.function.name == part and isinstance(call.function.base, Super)


def _gives_parameters(call: Call) -> bool:
    return all(isinstance(argument.value, Parameter) for argument in call.arguments)
