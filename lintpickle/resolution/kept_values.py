"""What functions keep of what they are given: that itself, or a value of their own that holds it."""

from __future__ import annotations

from lintpickle.facts.records import Lambda, NestedClass, NestedFunction
from lintpickle.facts.values import (
    Argument,
    Call,
    Captured,
    Choice,
    Collection,
    Expr,
    Mapping,
    Name,
    Parameter,
    options_of,
    parts_of,
    without_narrowing,
)


class KeptOf(Expr, frozen=True, eq=False):
    """What a decorator keeps of what it gets, in a value of its own: `(function, options)`. `call` calls the decorator
    with what stands under it."""

    value: Expr
    call: Call


def holds_given(value: Expr) -> bool:
    """Whether a value is what a function is given, or holds it: `(function, options)`, `Task(function)`, a function of
    its own around it, a class of its own that derives from it; of several possible values, each one."""
    if isinstance(value, Choice):
        return all(map(holds_given, options_of(value)))
    is_around = isinstance(value, NestedFunction | NestedClass | Lambda)
    return is_around or is_parameter(value) or any(map(is_parameter, _held_in(value)))


def is_parameter(value: Expr) -> bool:
    """Whether a value is what a function is given."""
    return isinstance(without_narrowing(value), (Parameter, Captured))


def _held_in(value: Expr) -> tuple[Expr, ...]:
    match value:
        case Call(function=Name(name="type"), arguments=(_, Argument(value=Collection() as bases), *_)):
            return parts_of(bases)
        case Call(arguments=arguments):
            return tuple(each.value for each in arguments)
        case Collection() | Mapping():
            return parts_of(value)
        case _:
            return ()


def kept_of(decorated: Expr, decorator: Expr, kept: Expr | None) -> Expr:
    """What a decorator puts in: what stands under it, or the value in which that is kept."""
    if kept is None:
        return decorated
    return KeptOf(decorated.span, kept, Call(decorator.span, decorator, (Argument(decorated),)))
