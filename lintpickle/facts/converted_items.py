"""Loops that put another value into a mapping wherever it holds one of some type: `for key, value in held.items(): if
isinstance(value, Path): held[key] = str(value)`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping as Environment

from lintpickle.facts.values import (
    Argument,
    Attribute,
    Call,
    Choice,
    Comprehension,
    Constant,
    Expr,
    Item,
    Mapping,
    Name,
    Narrowed,
    Sum,
    before_puts,
    ending_name,
    without_narrowing,
)

_THROUGH = frozenset({"list", "tuple", "sorted", "reversed", "dict"})
"""Functions that give what they are given, one after the other."""
_VIEWS = frozenset({"items", "keys", "copy"})
_PLAIN_DICTS = frozenset({"dict", "vars", "asdict", "_asdict", "copy", "deepcopy"})
"""Functions and methods that give dicts of which nothing but the items matters."""


def converted_mappings(
    first: Environment[str, Expr], second: Environment[str, Expr], failing: Environment[str, Expr]
) -> Iterator[tuple[str, Expr]]:
    """The variables that hold a mapping after a condition, one branch of which has put something there in the place of
    the value that the condition tests, with what the loop around makes of the mapping: a comprehension. `failing` is
    what is known where the condition fails."""
    for name, value in first.items():
        match value:
            case Sum(parts=(held, Mapping(items=((Item() as key, put),)))) if second.get(name) is held:
                kept = next((each for each in failing.values() if _is_value_under(key, each, held)), None)
                if kept is not None and _is_plain_dict(held):
                    yield name, Comprehension(held.span, "dict", Choice(put.span, (put, kept)))
            case _:
                pass


def is_converted(value: Expr | None, held: Expr, iterable: Expr) -> bool:
    """Whether a value is what a loop over an iterable makes of a mapping in that way."""
    match value:
        case Comprehension(kind="dict", element=Choice(options=(_, Narrowed() as kept))):
            inner = without_narrowing(kept)
            parts = (inner.base, inner.key) if isinstance(inner, Item) else ()
            return any(_is_one_of(each, iterable) for each in parts) and _goes_over(iterable, held)
        case _:
            return False


def _is_one_of(value: Expr | None, iterable: Expr) -> bool:
    """Whether an expression is what a loop gets out of an iterable: a key of a mapping, or a pair with its value."""
    return isinstance(value, Item) and value.key is None and value.base is iterable


def _is_value_under(key: Item, kept: Expr, held: Expr) -> bool:
    """Whether a test asks for the value of a mapping under the key of a loop over that."""
    tested = without_narrowing(kept)
    if not isinstance(kept, Narrowed) or not isinstance(tested, Item):
        return False
    match key, tested:
        case Item(base=Item(base=iterable, key=None) as pair, key=Constant(value=0)), Item(key=Constant(value=1)):
            return tested.base is pair and _goes_over(iterable, held)
        case Item(base=iterable, key=None), Item(base=holder, key=asked):
            return holder is held and asked is key and _goes_over(iterable, held)
        case _:
            return False


def _goes_over(iterable: Expr, held: Expr) -> bool:
    while iterable is not held:
        match iterable:
            case Call(function=Attribute(base=base, name=name), arguments=()) if name in _VIEWS:
                iterable = base
            case Call(function=Name(name=name), arguments=(Argument(value=value),)) if name in _THROUGH:
                iterable = value
            case _:
                return False
    return True


def _is_plain_dict(held: Expr) -> bool:
    return all(
        isinstance(each, (Mapping, Comprehension))
        or (isinstance(each, Call) and ending_name(each.function) in _PLAIN_DICTS)
        for each in before_puts(held)
    )
