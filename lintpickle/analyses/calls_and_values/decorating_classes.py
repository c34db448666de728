"""Classes that are decorators: what an object of one was given to decorate is in one of its attributes."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import Attribute, Expr, Parameter, says_none, without_narrowing
from lintpickle.interpreter.abstract_values import AbstractValue, Bound, ClassValue, Frame, FunctionValue, InstanceValue
from lintpickle.payload.linker import Linker

_TAKE_IT = ("__init__", "__call__")
"""Methods that get the function: of `@Timed`, and of `@Timed(3)`."""


def decorating_class(value: Expr, frame: Frame, linker: Linker) -> tuple[ClassValue, FunctionFacts] | None:
    """The class whose objects keep in an attribute, which the value reads, what they are given to decorate, and its
    method that gets that; None if it gives the function back, or if anything else may be in the attribute."""
    if not isinstance(value, Attribute):
        return None
    owners = [traced.value for traced in linker.evaluate(value.base, frame)]
    if len(owners) != 1 or not isinstance(owners[0], InstanceValue):
        return None
    class_ = owners[0].class_
    stored = [
        (method, event)
        for method in class_.facts.methods.values()
        for event in method.events
        if isinstance(event, Store) and event.attribute == value.name and not says_none(event.value)
    ]
    if len(stored) != 1:
        return None
    [(method, event)] = stored
    is_kept = not event.guards and method.name in _TAKE_IT and _is_given_first(event, method)
    return (class_, method) if is_kept and _replaces(class_, method, linker) else None


def decorates_with(decorator: AbstractValue, class_: ClassValue, method: FunctionFacts) -> bool:
    """Whether a decorator gives the function to that method of the class."""
    match decorator:
        case ClassValue(facts=facts):
            return facts is class_.facts and method.name == "__init__"
        case InstanceValue(class_=ClassValue(facts=facts)):
            return facts is class_.facts and method.name == "__call__"
        case _:
            return False


def _is_given_first(event: Store, method: FunctionFacts) -> bool:
    names = [each.name for each in method.parameters[:2]]
    return len(names) == 2 and [_name(event.target), _name(event.value)] == names


def _name(value: Expr) -> str | None:
    value = without_narrowing(value)
    return value.name if isinstance(value, Parameter) else None


def _replaces(class_: ClassValue, method: FunctionFacts, linker: Linker) -> bool:
    """Whether the name of what is decorated stands for an object of the class then, or for a function of the method."""
    if method.name == "__init__":
        return True
    me = InstanceValue(class_)
    frame = Frame(class_.module, method, {method.parameters[0].name: Bound(value=me)}, class_.frame, 1, open=True)
    given = [*_given_by(method, frame, linker)]
    return bool(given) and all(
        each is me or (isinstance(each, FunctionValue) and each.facts in method.functions) for each in given
    )


def _given_by(method: FunctionFacts, frame: Frame, linker: Linker) -> Iterator[AbstractValue]:
    yield from (traced.value for value in method.returns for traced in linker.evaluate(value, frame))
