"""What `with` and `except` give a name."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.contexts import ENTER, ENTER_ASYNC
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Awaited, Call, Narrowed, Super, parameter_name, rooted
from lintpickle.interpreter.abstract_values import UNKNOWN, ClassValue, Doubt, Frame, InstanceValue, Site, TracedValue
from lintpickle.interpreter.protocols import Interpreter


def entered(value: Narrowed, frame: Frame, evaluator: Interpreter) -> Iterator[TracedValue]:
    """What the name of an object can be in a `with` statement: the object itself, unless its class is read and enters
    something else. The operand of `value` is the call of `__enter__`, or what
    `__aenter__` gives that is awaited."""
    for traced in evaluator.evaluate(value.value, frame):
        is_read = isinstance(traced.value, InstanceValue)
        method = ENTER_ASYNC if isinstance(value.operands[0], Awaited) else ENTER
        found = evaluator.classes.find_method(traced.value, method) if is_read else None
        if found is None or _may_give_itself(found[1]):
            yield traced
        else:
            yield from evaluator.evaluate(value.operands[0], frame)


def caught(value: Narrowed, frame: Frame, evaluator: Interpreter) -> Iterator[TracedValue]:
    """What the name of an exception can be in its handler: an object of one of the classes that it catches, or of a
    class that derives from one. Others than the program's own have too many of these."""
    for operand in value.operands:
        for traced in evaluator.evaluate(operand, frame):
            is_own = isinstance(traced.value, ClassValue) and traced.value.module.first_party
            held = InstanceValue(traced.value) if isinstance(traced.value, ClassValue) and is_own else UNKNOWN
            yield TracedValue(held, Site(frame.module, value.span), traced.hops, traced.doubts).doubted(Doubt.BRANCH)


def _may_give_itself(method: FunctionFacts) -> bool:
    """Whether a method may return the object that it belongs to, or what its base class returns."""
    me = method.parameters[0].name if method.parameters else None
    if not method.returns or method.decorators:
        return True
    for value in method.returns:
        root, names = rooted(value.value if isinstance(value, Awaited) else value)
        if not names and parameter_name(root) == me:
            return True
        if isinstance(root, Call) and isinstance(rooted(root.function)[0], Super):
            return True
    return False
