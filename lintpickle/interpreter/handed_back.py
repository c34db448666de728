"""Objects that a function makes, gives to a call, or calls a method of, and gets back from it: `child =
parent.add(Node())`, `plan.add(first).add(second)`."""

from __future__ import annotations

from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Expr, Name, may_be
from lintpickle.interpreter.abstract_values import AbstractValue, Frame, FunctionValue, InstanceValue, is_none
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.resolution.module_containers import is_put_into


def with_handed_back(made: Call, frame: Frame, evaluator: Interpreter) -> tuple[Call, ...]:
    """The call that makes an object, and the others of its function that are given the object, or call a method of it,
    give it back and nothing else, and have something done to it afterwards: what is done to their results is done to
    the object."""
    found, events = [made], evaluator.made_events
    for each in found:
        for event in events.of((each,), frame.function, frame.module):
            if not isinstance(event, Called) or any(event.call is known for known in found):
                continue
            given = [argument.value for argument in event.call.arguments]
            if isinstance(event.call.function, Attribute):
                given.append(event.call.function.base)
            is_given = any(_may_be_it(value, each, event, frame) for value in given)
            is_asked = is_given and events.is_concerned(event.call, frame.function, frame.module)
            if (
                is_asked
                and _is_of_program(event.call, frame, evaluator)
                and _gives_nothing_else(event.call, made, frame, evaluator)
            ):
                found.append(event.call)
    return tuple(found)


def _is_of_program(call: Call, frame: Frame, evaluator: Interpreter) -> bool:
    """Whether a call runs a function of the program. What a library makes of an object (`vars`, `asdict`) is asked only
    when it is known what the object holds."""
    return any(isinstance(each.value, FunctionValue) for each in evaluator.evaluate(call.function, frame))


def _may_be_it(value: Expr, made: Call, event: Called, frame: Frame) -> bool:
    if isinstance(value, Name) and frame.function.is_module_body:
        return is_put_into(value, value.name, made, event, frame.module)
    return may_be(value, made)


def gives_back(call: Call, made: Call, frame: Frame, evaluator: Interpreter) -> bool:
    """Whether a call may give the object that another one has made."""
    return any(_is_it(traced.value, made) for traced in evaluator.evaluate(call, frame))


def _gives_nothing_else(call: Call, made: Call, frame: Frame, evaluator: Interpreter) -> bool:
    """Whether a call gives the object that another one has made, or None."""
    found = [traced.value for traced in evaluator.evaluate(call, frame)]
    others = [each for each in found if not is_none(each)]
    return bool(others) and all(_is_it(each, made) for each in others)


def _is_it(value: AbstractValue, made: Call) -> bool:
    return isinstance(value, InstanceValue) and value.call is made
