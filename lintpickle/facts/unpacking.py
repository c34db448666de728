"""The elements and items of an expression's value, as expressions: what iterating and unpacking give."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping, Sequence

import libcst as cst

from lintpickle.facts.scopes import join
from lintpickle.facts.values import Argument, Call, Choice, Collection, Comprehension, Constant, Expr, Item, Name


def any_element(value: Expr) -> Expr:
    """An element of an iteration over the value."""
    return Item(value.span, value, None)


def any_item(value: Expr) -> Expr:
    """An item of the value under an unknown key."""
    return Item(value.span, value, Expr(value.span))


def list_of_elements(value: Expr) -> Expr:
    """A list of the elements of an iteration over the value."""
    return Collection(value.span, "list", (Item(value.span, value, None, is_starred=True),))


def bind_element(target: cst.BaseExpression, iterable: Expr, env: MutableMapping[str, Expr]) -> None:
    """Bind the names of a loop target to elements of the iterable, in the environment `env` only."""
    _bind_part(target, any_element(iterable), env)


def _bind_part(target: cst.BaseExpression, value: Expr, env: MutableMapping[str, Expr]) -> None:
    match target:
        case cst.Name(value=name):
            env[name] = value
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            starred = False
            for index, element in enumerate(elements):
                starred = starred or isinstance(element, cst.StarredElement)
                key = None if starred else Constant(value.span, index)
                _bind_part(element.value, Item(value.span, value, key), env)
        case _:
            pass


def unpacked_parts(value: Expr, targets: Sequence[cst.BaseElement]) -> Iterator[Expr]:
    """What each of several targets gets when `value` is unpacked."""
    count = len(targets)
    star = next((index for index, each in enumerate(targets) if isinstance(each, cst.StarredElement)), None)
    if star is None:
        yield from (_part(value, index, count) for index in range(count))
        return
    elements = value.elements if isinstance(value, Collection) else ()
    rest = len(elements) - count + 1
    if rest < 0 or not elements:
        yield from (list_of_elements(value) if index == star else any_element(value) for index in range(count))
        return
    yield from elements[:star]
    yield Collection(value.span, "list", elements[star : star + rest])
    yield from elements[star + rest :]


def _part(value: Expr, index: int, count: int) -> Expr:
    """What the target at `index` of `count` gets when `value` is unpacked: of `zip(*rows)`, that part of each row."""
    if isinstance(value, Collection) and len(value.elements) == count:
        return value.elements[index]
    if isinstance(value, Choice):
        return join(_part(option, index, count) for option in value.options)
    key = Constant(value.span, index)
    match value:
        case Call(function=Name(name="zip"), arguments=(Argument(value=rows, star="*"),)):
            return Comprehension(value.span, "list", Item(value.span, any_element(rows), key))
        case _:
            return Item(value.span, value, key)


def columns_of(argument: Argument) -> tuple[Argument, ...]:
    """The arguments that `*zip(*[(a, b) for …])` passes: all first parts, and all second ones. Of any other argument,
    itself."""
    match argument:
        case Argument(
            star="*",
            value=Call(
                function=Name(name="zip"),
                arguments=[
                    Argument(star="*", value=Comprehension(element=Collection(kind="tuple", elements=elements)))
                ],
            ),
        ) if elements and not any(isinstance(each, Item) and each.is_starred for each in elements):
            return tuple(Argument(Comprehension(each.span, "list", each)) for each in elements)
        case _:
            return (argument,)
