"""Iterables that surely have an element, so that a loop over them runs."""

from __future__ import annotations

from lintpickle.facts.values import Call, Collection, Constant, Expr, Item, Mapping, Name

_OF_ALL_ELEMENTS = frozenset({"enumerate", "iter", "list", "reversed", "set", "sorted", "tuple"})
_RANGE, _ZIP = "range", "zip"


def is_filled(iterable: Expr) -> bool:
    """Whether an iterable is a display with an element, a text, a `range` of numbers that are written out, or what a
    builtin function makes of such."""
    match iterable:
        case Collection(elements=elements):
            return any(not _is_starred(each) for each in elements)
        case Mapping(items=items):
            return any(key is not None for key, _ in items)
        case Constant(value=str() | bytes() as text):
            return bool(text)
        case Call(function=Name(name=name), arguments=arguments) if arguments:
            given = [each.value for each in arguments if not each.star and each.keyword is None]
            if name == _RANGE:
                return len(given) == len(arguments) and _counts(given)
            if name == _ZIP:
                return len(given) == len(arguments) and all(map(is_filled, given))
            return name in _OF_ALL_ELEMENTS and bool(given) and is_filled(given[0])
        case _:
            return False


def _counts(limits: list[Expr]) -> bool:
    """Whether a `range` with these limits has a number."""
    numbers = [each.value for each in limits if isinstance(each, Constant) and isinstance(each.value, int)]
    match numbers if len(numbers) == len(limits) else []:
        case [stop]:
            return stop > 0
        case [start, stop]:
            return start < stop
        case [start, stop, step]:
            return (stop - start) * step > 0
        case _:
            return False


def _is_starred(element: Expr) -> bool:
    return isinstance(element, Item) and element.is_starred
