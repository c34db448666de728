"""Options of functions and classes that are off by default, and tests that ask for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.facts.records import ClassFacts, Store
from lintpickle.facts.values import Constant, Expr, Parameter
from lintpickle.interpreter.abstract_values import Frame


def options_left_out(frame: Frame) -> Iterator[str]:
    """The parameters with defaults that a call passes nothing for."""
    if not frame.open:
        for parameter in frame.function.parameters:
            if parameter.default is not None and parameter.name not in frame.bindings:
                yield parameter.name


def attribute_default(name: str, facts: ClassFacts) -> Expr | None:
    """What an attribute has unless whoever makes the object says otherwise: the default of the parameter that the
    constructor stores, or what stands in the body of the class. None if it is stored otherwise, or not at all."""
    stores = [
        (method, event.value)
        for method in facts.methods.values()
        for event in method.events
        if isinstance(event, Store) and event.attribute == name
    ]
    match stores:
        case []:
            field = next((each for each in facts.fields if each.name == name), None)
            return field.default if field is not None else facts.body.get(name)
        case [(method, Parameter(name=option))] if method.name == "__init__":
            parameter = method.parameter(option)
            return parameter.default if parameter is not None else None
        case _:
            return None


def is_off(default: Expr | None) -> bool:
    """Whether a default is a constant that stands for nothing (None, False, 0 or empty)."""
    return isinstance(default, Constant) and not default.value


def is_on(frame: Frame, name: str) -> bool:
    """Whether the default of a parameter is anything but a constant that stands for nothing."""
    parameter = frame.function.parameter(name)
    default = parameter.default if parameter is not None else None
    return not is_off(default)


def is_negated(test: ast.expr) -> bool:
    """Whether a condition may well hold for what is off."""
    match test:
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Compare(ops=[ast.Is() | ast.Eq() | ast.Lt() | ast.LtE() | ast.NotIn()]):
            return True
        case ast.BoolOp(values=parts):
            return any(map(is_negated, parts))
        case _:
            return False
