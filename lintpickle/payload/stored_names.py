"""The names under which `setattr(self, name, value)` in a loop and `self.__dict__.update(options)` store values: as the
display, or the call, that they come from writes them beside the values."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.values import (
    Attribute,
    Call,
    Collection,
    Constant,
    Expr,
    Item,
    Mapping,
    Parameter,
    options_of,
)
from lintpickle.interpreter.abstract_values import Bound, ContainerValue, Frame, InstanceValue, Site, TracedValue
from lintpickle.interpreter.held import Held

_DEPTH = 5
"""How deep displays are searched for the name that a message shows. Without one, it shows the attribute."""


def name_given(traced: TracedValue, held: Held, instance: InstanceValue) -> str | None:
    """The name of the attribute that holds a value, if that is the only one that stands beside it."""
    places = [traced.site, *(hop.site for hop in traced.hops)]
    names = {
        name for name, stored in _pairs(held.value, held.frame, 0) if any(stored.contains(place) for place in places)
    }
    if not names and instance.call is not None and instance.frame is not None:
        module = instance.frame.module
        names = {
            argument.keyword
            for argument in instance.call.arguments
            if argument.keyword is not None and Site(module, argument.value.span) in places
        }
    return names.pop() if len(names) == 1 else None


def _pairs(value: Expr, frame: Frame, depth: int) -> Iterator[tuple[str, Site]]:
    """The names that stand beside values in what an expression is taken from, each with the place of the value."""
    if depth > _DEPTH:
        return
    for option in options_of(value):
        match option:
            case Item(base=inner) | Call(function=Attribute(base=inner, name="items"), arguments=()):
                yield from _pairs(inner, frame, depth + 1)
            case Parameter(name=name) if name in frame.bindings:
                yield from _pairs_given(frame.bindings[name], depth + 1)
            case Collection(elements=(Constant(value=str() as name), held)):
                yield name, Site(frame.module, held.span)
            case Collection(elements=parts):
                for part in parts:
                    yield from _pairs(part, frame, depth + 1)
            case Mapping(items=items):
                for key, held in items:
                    if key is None:
                        yield from _pairs(held, frame, depth + 1)
                    elif isinstance(key, Constant) and isinstance(key.value, str):
                        yield key.value, Site(frame.module, held.span)
            case Call(arguments=arguments):
                named = ((argument.keyword, argument.value) for argument in arguments)
                yield from ((name, Site(frame.module, value.span)) for name, value in named if name is not None)
            case _:
                pass


def _pairs_given(bound: Bound, depth: int) -> Iterator[tuple[str, Site]]:
    """The same for what a parameter is bound to; of `**options`, the keywords of the call."""
    if isinstance(bound.value, ContainerValue):
        for slot in bound.value.slots:
            if isinstance(slot.key.item, str):
                yield slot.key.item, Site(slot.frame.module, slot.value.span)
    elif bound.expr is not None and bound.frame is not None:
        yield from _pairs(bound.expr, bound.frame, depth)
