"""What a condition comes to that asks an object: `self.life.running` is what the property `running` of that object
returns, and `self.life.running()` what the method does."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.caller_frames import frame_of_method
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Expr, Parameter
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import Frame, FunctionValue, InstanceValue, is_none
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.linker import Linker

_PROPERTY = "property"
_DEEPEST = 3
"""Through how many functions a condition is followed."""


class ConditionAsked(Struct, frozen=True):
    """An attribute or a call that a function asks, and whether the condition that leads to it holds if it does."""

    asked: ast.Attribute | ast.Call
    frame: Frame
    alike: bool = True


def conditions_behind(asked: ast.Attribute | ast.Call, frame: Frame, linker: Linker) -> Iterator[ConditionAsked]:
    """What a function asks, and what the properties and functions return that this calls, as long as each does nothing
    but return what one asks."""
    condition: ConditionAsked | None = ConditionAsked(asked, frame)
    for _ in range(_DEEPEST):
        if condition is None:
            return
        yield condition
        condition = _behind(condition, linker)


def object_asked(written: str, function: FunctionFacts) -> Expr | None:
    """The object of an attribute that is written so, where a parameter leads to it."""
    root, *parts = written.split(".")[:-1] or [""]
    if function.parameter(root) is None:
        return None
    base: Expr = Parameter(function.header, root, function.qualname)
    for part in parts:
        base = Attribute(function.header, base, part)
    return base


def call_asked(asked: ast.Call, frame: Frame) -> Called | None:
    """The event of a call in the function in which it stands."""
    source = source_tree(frame.module.code)
    span = source.span(asked) if source is not None else None
    calls = (each for each in frame.function.events if isinstance(each, Called))
    return next((each for each in calls if each.span == span), None)


def _behind(condition: ConditionAsked, linker: Linker) -> ConditionAsked | None:
    inner = _entered(condition, linker)
    if inner is None or not inner.module.first_party:
        return None
    facts = inner.function
    is_plain = not (facts.is_generator or facts.is_async or facts.may_give_none)
    source = source_tree(inner.module.code) if is_plain and len(facts.returns) == 1 else None
    within = source.nodes_within(facts.returns[0].span) if source is not None else ()
    returned = next((each for each in within if isinstance(each, ast.expr)), None)
    alike = condition.alike
    while isinstance(returned, ast.UnaryOp) and isinstance(returned.op, ast.Not):
        returned, alike = returned.operand, not alike
    return ConditionAsked(returned, inner, alike) if isinstance(returned, ast.Attribute | ast.Call) else None


def _entered(condition: ConditionAsked, linker: Linker) -> Frame | None:
    """The frame of the function that a call calls, or of the property that an attribute is."""
    frame = condition.frame
    if isinstance(condition.asked, ast.Call):
        event = call_asked(condition.asked, frame)
        called = [each.value for each in linker.evaluate(event.call.function, frame)] if event is not None else []
        match called:
            case [FunctionValue(opaque=False) as callee] if event is not None:
                return linker.evaluator.enter(callee, event.call, frame)
            case _:
                return None
    base = object_asked(dotted(condition.asked), frame.function)
    values = [each.value for each in linker.evaluate(base, frame)] if base is not None else []
    match [each for each in values if not is_none(each)]:
        case [InstanceValue() as instance]:
            getter = linker.classes.find_method(instance, condition.asked.attr)
            is_property = getter is not None and getter[1].decorated_by(_PROPERTY)
            return frame_of_method(getter, instance, linker) if is_property and getter is not None else None
        case _:
            return None
