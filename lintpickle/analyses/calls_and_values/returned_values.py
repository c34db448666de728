"""What functions of the program return, as their own code writes it."""

from __future__ import annotations

from lintpickle.facts.values import Call, Collection, Constant, Expr, Item, Mapping, without_narrowing
from lintpickle.interpreter.abstract_values import Frame, FunctionValue
from lintpickle.interpreter.evaluator import Evaluator


def returned_expression(value: Expr, frame: Frame, evaluator: Evaluator) -> tuple[Expr, Frame] | None:
    """What a function that is called returns at its only `return`, or an item of that, and the frame in which it stands
    there; None for all other expressions."""
    match value:
        case Call(function=function):
            called = [traced.value for traced in evaluator.evaluate(function, frame)]
            if len(called) != 1 or not isinstance(called[0], FunctionValue) or not _returns_once(called[0]):
                return None
            inner = evaluator.enter(called[0], value, frame)
            return (without_narrowing(called[0].facts.returns[0]), inner) if inner is not None else None
        case Item(base=Call() | Item() as base, key=Constant(value=key)):
            found = returned_expression(base, frame, evaluator)
            item = _item(found[0], key) if found is not None else None
            return (without_narrowing(item), found[1]) if found is not None and item is not None else None
        case _:
            return None


def _item(holder: Expr, key: object) -> Expr | None:
    """What is written under a key in a display of a container."""
    match holder:
        case Collection(kind="tuple" | "list", elements=elements):
            is_inside = isinstance(key, int) and -len(elements) <= key < len(elements)
            return elements[key] if isinstance(key, int) and is_inside else None
        case Mapping(items=items):
            named = [item for name, item in items if isinstance(name, Constant) and name.value == key]
            return named[-1] if named else None
        case _:
            return None


def _returns_once(function: FunctionValue) -> bool:
    """Whether what a caller gets is written at one place only."""
    facts = function.facts
    is_plain = not (function.opaque or facts.is_generator or facts.is_async or facts.may_give_none)
    return is_plain and len(facts.returns) == 1
