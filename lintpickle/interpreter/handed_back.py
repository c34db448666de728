"""Objects that a function makes, gives to a call, or calls a method of, and gets back from it: `child =
parent.add(Node())`, `plan.add(first).add(second)`."""

from __future__ import annotations

from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Call, Expr, Name, may_be, parameter_name
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    Frame,
    FunctionValue,
    InstanceValue,
    is_none,
)
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
            is_given = any(_may_be_it(argument.value, each, event, frame) for argument in event.call.arguments)
            is_own = not is_given and _is_method_of(event.call, each, event, frame)
            if (is_given or is_own) and not events.is_concerned(event.call, frame.function, frame.module):
                continue
            if (is_own and _gives_itself(event.call, made, frame, evaluator)) or (
                is_given
                and _is_of_program(event.call, frame, evaluator)
                and _gives_nothing_else(event.call, made, frame, evaluator)
            ):
                found.append(event.call)
    return tuple(found)


def _is_method_of(call: Call, made: Call, event: Called, frame: Frame) -> bool:
    """Whether a method of the object is called."""
    return isinstance(call.function, Attribute) and _may_be_it(call.function.base, made, event, frame)


def _gives_itself(call: Call, made: Call, frame: Frame, evaluator: Interpreter) -> bool:
    """Whether a method, as the class of the object has it, returns nothing but its object. What the object holds is not
    asked: that depends on what is done to it."""
    name = call.function.name if isinstance(call.function, Attribute) else ""
    classes = [each.value for each in evaluator.evaluate(made.function, frame)]
    methods = [evaluator.classes.find_method(each, name) for each in classes if isinstance(each, ClassValue)]
    return (
        bool(methods)
        and len(methods) == len(classes)
        and all(found is not None and _returns_object(found[1]) for found in methods)
    )


def _returns_object(method: FunctionFacts) -> bool:
    me = method.parameters[0].name if method.parameters and not method.decorators else None
    return bool(method.returns) and all(parameter_name(each) == me for each in method.returns)


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
