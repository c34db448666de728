"""Of which objects an expression gives a part: `net` of `dict(net.named_modules())[name]`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.facts.values import (
    Argument,
    Attribute,
    Call,
    Choice,
    Collection,
    Comprehension,
    Constant,
    Expr,
    Imported,
    Item,
    Mapping,
    Name,
    Narrowed,
    PutInto,
    Sum,
    Without,
    ending_name,
    parts_of,
)
from lintpickle.program.module import Module

_FROM = {
    **dict.fromkeys(("dict", "enumerate", "getattr", "iter", "list", "next", "OrderedDict", "reversed"), 0),
    **dict.fromkeys(("set", "sorted", "tuple"), 0),
    "filter": 1,
    "reduce": 2,
}
"""Functions that give parts of one of their arguments, and which: of `reduce(getattr, names, net)`, the last."""


def holders(value: Expr, module: Module) -> Iterator[Expr]:
    """An expression, and those of the objects from which it gets a part: item by item, method by method, and by way of
    containers and functions of Python that go through what they are given. Each once."""
    waiting, seen = [value], set[int]()
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        match each:
            case Choice() | Sum() | Collection() | Mapping() | Comprehension() | Without():
                waiting += reversed(parts_of(each))
            case PutInto(held=inner):
                waiting.append(inner)
            case Item(base=Item(base=Call(function=Name(name="zip"), arguments=rows), key=None), key=Constant(value=n)):
                yield each
                waiting += _taken_from(rows, n)
            case Attribute(base=base) | Item(base=base) | Narrowed(value=base):
                yield each
                waiting.append(base)
            case Call(function=Call(function=getter), arguments=given) if ending_name(getter) == "attrgetter":
                yield each
                waiting += _taken_from(given, 0)
            case Call(function=Attribute(base=base)) if not _is_imported(base, module):
                yield each
                waiting.append(base)
            case Call(function=function, arguments=given):
                yield each
                waiting += _taken_from(given, _FROM.get(ending_name(function) or ""))
            case _:
                yield each


def _taken_from(arguments: Iterable[Argument], place: object) -> Iterator[Expr]:
    """The argument at a place, if it is written out."""
    given = [each for each in arguments if each.keyword is None]
    if isinstance(place, int) and 0 <= place < len(given) and not any(each.star for each in given):
        yield given[place].value


def _is_imported(value: Expr, module: Module) -> bool:
    """Whether an expression is a name from an import, or one got out of it: what is called there is no method."""
    while isinstance(value, Attribute):
        value = value.base
    return isinstance(value, Imported) or (isinstance(value, Name) and value.name in module.outline.imports)
