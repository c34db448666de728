"""Dict comprehensions that take some items of another mapping: `{k: v for k, v in held.items() if k != "lock"}`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import libcst as cst

from lintpickle.diagnostics import Span
from lintpickle.facts.values import Choice, Expr, Item, Without, parameter_name

Lower = Callable[[cst.BaseExpression], Expr]


def filtered_items(node: cst.DictComp, made: Expr, lower: Lower, span: Span) -> Expr:
    """The mapping that is left by tests of the keys; nothing is known of it if they are other than `!=` and `not in`.
    What the comprehension has `made` if no key is tested, or it does more than to take items; that, or nothing that is
    known, if keys are only tested where an option is given (`wanted is None or k in wanted`)."""
    match node:
        case cst.DictComp(
            key=cst.Name(value=key),
            value=cst.Name(value=value),
            for_in=cst.CompFor(
                target=cst.Tuple(
                    elements=[cst.Element(value=cst.Name(value=first)), cst.Element(value=cst.Name(value=second))]
                ),
                iter=cst.Call(func=cst.Attribute(value=held, attr=cst.Name(value="items")), args=[]),
                ifs=conditions,
                inner_for_in=None,
            ),
        ) if (key, value) == (first, second):
            pass
        case _:
            return made
    tests = [test for condition in conditions for test in _parts_of(condition.test)]
    of_key = [test for test in tests if _mentions(test, key)]
    if not of_key:
        return made
    always = [test for test in of_key if not _is_of_option(test, lower)]
    if not always:
        return Choice(span, (made, Expr(span)))
    dropped = [_dropped(test, key, lower) for test in always]
    keys = tuple(each for each in dropped if each is not None)
    return Without(span, lower(held), keys, is_filter=True) if len(keys) == len(dropped) else Expr(span)


def _parts_of(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The tests that all must hold."""
    match test:
        case cst.BooleanOperation(left=left, operator=cst.And(), right=right):
            yield from _parts_of(left)
            yield from _parts_of(right)
        case _:
            yield test


def _is_of_option(test: cst.BaseExpression, lower: Lower) -> bool:
    """Whether all items pass a test if a parameter is not given: `wanted is None or …`, `not wanted or …`."""
    match test:
        case cst.BooleanOperation(
            left=cst.Comparison(
                left=cst.Name() as option,
                comparisons=[cst.ComparisonTarget(operator=cst.Is(), comparator=cst.Name(value="None"))],
            )
            | cst.UnaryOperation(operator=cst.Not(), expression=cst.Name() as option),
            operator=cst.Or(),
        ):
            return parameter_name(lower(option)) is not None
        case _:
            return False


def _mentions(test: cst.BaseExpression, name: str) -> bool:
    class Finder(cst.CSTVisitor):
        is_found = False

        def visit_Name(self, node: cst.Name) -> None:
            self.is_found = self.is_found or node.value == name

    finder = Finder()
    test.visit(finder)
    return finder.is_found


def _dropped(test: cst.BaseExpression, name: str, lower: Lower) -> Expr | None:
    """What the key is not to be, or one of what it is not to be one of; None for other tests."""
    match test:
        case cst.Comparison(
            left=cst.Name(value=left), comparisons=[cst.ComparisonTarget(operator=operator, comparator=other)]
        ) if left == name:
            pass
        case _:
            return None
    match operator:
        case cst.NotEqual():
            return lower(other)
        case cst.NotIn():
            given = lower(other)
            return Item(given.span, given, None)
        case _:
            return None
