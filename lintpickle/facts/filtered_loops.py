"""Loops that pass over some items of a mapping: `for key, value in held.items(): if key != "lock": …`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from lintpickle.facts.filtered_items import Lower
from lintpickle.facts.values import Attribute, Call, Constant, Expr, Item, Without

_LITERALS = (cst.SimpleString, cst.Tuple, cst.List, cst.Set, cst.Name)


def left_by_key(
    test: cst.BaseExpression, answer: bool, env: Mapping[str, Expr], lower: Lower
) -> Iterator[tuple[str, Expr]]:
    """The variables that hold a key of a mapping, or the value under it, where a test of the key has an answer, with
    what they hold then: an item of what is left without the keys that are tested."""
    for name, gone in _gone(test, answer):
        match env.get(name):
            case Item(base=Item(base=Call(function=Attribute(name="items")), key=None) as pair, key=Constant(value=0)):
                left = _without(pair, _keys(gone, lower))
                for other, held in env.items():
                    if isinstance(held, Item) and held.base is pair:
                        yield other, Item(held.span, left, held.key)
            case _:
                pass


def _gone(test: cst.BaseExpression, answer: bool) -> Iterator[tuple[str, cst.ComparisonTarget]]:
    """The variables that are not what a test compares them with, or not among that, where it has an answer."""
    match test:
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            yield from _gone(inner, not answer)
        case cst.BooleanOperation(left=left, operator=operator, right=right):
            if isinstance(operator, cst.And) is answer:
                yield from _gone(left, answer)
                yield from _gone(right, answer)
        case cst.Comparison(left=cst.Name(value=name), comparisons=[compared]):
            excluding = (cst.NotEqual, cst.NotIn) if answer else (cst.Equal, cst.In)
            if isinstance(compared.operator, excluding) and isinstance(compared.comparator, _LITERALS):
                yield name, compared
        case _:
            pass


def _keys(compared: cst.ComparisonTarget, lower: Lower) -> Expr:
    """The key that is tested; of several, any one."""
    given = lower(compared.comparator)
    is_among = isinstance(compared.operator, (cst.In, cst.NotIn))
    return Item(given.span, given, None) if is_among else given


def _without(pair: Item, key: Expr) -> Item:
    """An item of a mapping as it is without a key."""
    call = pair.base
    assert isinstance(call, Call) and isinstance(call.function, Attribute)
    method = call.function
    left = Without(method.base.span, method.base, (key,))
    return Item(pair.span, Call(call.span, Attribute(method.span, left, method.name), call.arguments), None)
