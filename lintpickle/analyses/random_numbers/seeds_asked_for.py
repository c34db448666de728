"""Seeds that are None unless someone asks for one: with None, a generator is seeded anew each time."""

from __future__ import annotations

from lintpickle.facts.values import Attribute, Call, Constant, Expr, Parameter
from lintpickle.interpreter.abstract_values import ConstantValue, Frame, InstanceValue
from lintpickle.payload.linker import Linker

_ASKING = ("get", "pop")


def is_surely_none(seed: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether a seed is surely None."""
    values = [traced.value for traced in linker.evaluate(seed, frame)]
    return bool(values) and all(isinstance(each, ConstantValue) and each.value is None for each in values)


def is_asked_for(seed: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether a seed is None by default (`seed=None`, `config.get("seed")`), and the program is not seen to give
    another one: whoever gives one wants the same numbers again."""
    values = [traced.value for traced in linker.evaluate(seed, frame)]
    numbers = [each.value for each in values if isinstance(each, ConstantValue)]
    if any(each is not None for each in numbers):
        return False
    return bool(numbers) or _is_read_so(seed, frame, linker)


def _is_read_so(seed: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether a seed is an attribute in which nothing is kept but what mappings have, or None."""
    match seed:
        case Attribute(base=Parameter(name=me), name=name):
            bound = frame.bindings.get(me)
            itself = bound.value if bound is not None else None
            if not isinstance(itself, InstanceValue):
                return False
            state = linker.classes.states.state(itself)
            kept = [held.value for held in state if held.direct and held.attribute == name]
            return bool(kept) and all(map(_is_none_by_default, kept))
        case _:
            return _is_none_by_default(seed)


def _is_none_by_default(value: Expr) -> bool:
    match value:
        case Call(function=Attribute(name=asking), arguments=arguments) if asking in _ASKING and arguments:
            default = value.argument("default", 1)
            is_known = not value.has_unknown_arguments()
            return is_known and (default is None or (isinstance(default, Constant) and default.value is None))
        case _:
            return False
