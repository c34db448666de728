"""Workers that compare what they got out of an object, by way of its methods or of calls that hand it on, with an
object that was pickled in it: `table.add(response.get(question))`, where `add` asks `value is NOT_ASKED`."""

from __future__ import annotations

import re

from lintpickle.diagnostics import Span
from lintpickle.facts.values import (
    Attribute,
    Call,
    Captured,
    Choice,
    Expr,
    Item,
    Name,
    Parameter,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import Frame, InstanceValue, is_indefinite
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction

_OF_CONTAINERS = frozenset({"copy", "get", "items", "pop", "values"})
_THROUGH = frozenset({"dict", "enumerate", "iter", "list", "next", "reversed", "sorted", "tuple", "zip"})
"""Functions that give the items of what they are given, or tuples with them."""
_DEEPEST = 6
"""How many calls are followed back to where a value was got."""


def compared_when_carried(function: WorkerFunction, name: str, crossing: Crossing, linker: Linker) -> Span | None:
    """Where a function compares a parameter or variable with the object of that name that may be what the attribute
    holds with which it crosses."""
    if crossing.held is None or crossing.holder is None:
        return None
    form = re.compile(rf"(?<![\w.])(?P<held>[^\W\d]\w*)\s+is\s+(?:not\s+)?(?:\w+\.)*{re.escape(name)}\b(?!\s*[.(\[])")
    for found in form.finditer(function.module.code, function.facts.header.end, function.facts.span.end):
        held, place = found["held"], Span(*found.span())
        value = function.facts.variables.get(held) or Parameter(place, held, function.facts.qualname)
        if _is_from(value, function.frame, crossing, linker):
            return place
    return None


def _is_from(value: Expr, frame: Frame, crossing: Crossing, linker: Linker, depth: int = 0) -> bool:
    """Whether a value may be what the attribute holds with which something crosses, or a part of that."""
    if depth > _DEEPEST or crossing.held is None:
        return False
    match without_narrowing(value):
        case Choice(options=options):
            return any(_is_from(each, frame, crossing, linker, depth) for each in options)
        case Attribute(name=name):
            return name == crossing.held.attribute
        case Item(base=base):
            return _is_from(base, frame, crossing, linker, depth)
        case Parameter(name=name, owner=owner) | Captured(name=name, owner=owner):
            home = frame.enclosing(owner)
            bound = home.bindings.get(name) if home is not None else None
            if bound is None or bound.expr is None or bound.frame is None:
                return False
            return _is_from(bound.expr, bound.frame, crossing, linker, depth + 1)
        case Call(function=Name(name=name), arguments=arguments) if name in _THROUGH:
            return any(_is_from(each.value, frame, crossing, linker, depth) for each in arguments)
        case Call(function=Attribute(base=base, name=name)):
            is_container = name in _OF_CONTAINERS and _is_from(base, frame, crossing, linker, depth)
            return is_container or _gives(name, base, frame, crossing, linker, depth)
        case _:
            return False


def _gives(method: str, of: Expr, frame: Frame, crossing: Crossing, linker: Linker, depth: int) -> bool:
    """Whether a method gives it that the object which crosses has, or one of its class, if that may be whose method it
    is."""
    holder = crossing.holder
    found = linker.classes.find_method(holder, method) if holder is not None else None
    if found is None or holder is None or not found[0].module.first_party:
        return False
    objects = [each.value for each in linker.evaluate(of, frame)]
    is_other = objects and not any(
        is_indefinite(each) or (isinstance(each, InstanceValue) and each.class_.facts is holder.class_.facts)
        for each in objects
    )
    if is_other:
        return False
    inside = linker.activations.of_method(*found).frame
    given = (*found[1].returns, *found[1].yields)
    return any(_is_from(each, inside, crossing, linker, depth + 1) for each in given)
