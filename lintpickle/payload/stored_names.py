"""The names under which `setattr(self, name, value)` in a loop and `self.__dict__.update(options)` store values: as the
display, or the call, that they come from writes them beside the values."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.values import Argument, Attribute, Call, Collection, Constant, Expr, Item, Mapping, options_of
from lintpickle.interpreter.abstract_values import InstanceValue, Site, TracedValue
from lintpickle.interpreter.held import Held

_DEPTH = 5
"""How deep displays are searched for the name that a message shows. Without one, it shows the attribute."""


def name_given(traced: TracedValue, held: Held, instance: InstanceValue) -> str | None:
    """The name of the attribute that holds a value, if that is the only one that stands beside it."""
    places = [traced.site, *(hop.site for hop in traced.hops)]
    names = {
        name
        for name, value in _pairs(held.value, 0)
        if any(Site(held.frame.module, value.span).contains(place) for place in places)
    }
    if not names and instance.call is not None and instance.frame is not None:
        module = instance.frame.module
        names = {
            argument.keyword
            for argument in instance.call.arguments
            if argument.keyword is not None and Site(module, argument.value.span) in places
        }
    return names.pop() if len(names) == 1 else None


def _pairs(value: Expr, depth: int) -> Iterator[tuple[str, Expr]]:
    """The names and values that stand side by side in what an expression is taken from."""
    if depth > _DEPTH:
        return
    for option in options_of(value):
        match option:
            case Item(base=inner) | Call(function=Attribute(base=inner, name="items"), arguments=()):
                yield from _pairs(inner, depth + 1)
            case Collection(elements=(Constant(value=str() as name), held)):
                yield name, held
            case Collection(elements=parts):
                for part in parts:
                    yield from _pairs(part, depth + 1)
            case Mapping(items=items):
                yield from (
                    (key.value, held) for key, held in items if isinstance(key, Constant) and isinstance(key.value, str)
                )
            case Call(arguments=arguments):
                yield from (_named(argument) for argument in arguments if argument.keyword is not None)
            case _:
                pass


def _named(argument: Argument) -> tuple[str, Expr]:
    return argument.keyword or "", argument.value
