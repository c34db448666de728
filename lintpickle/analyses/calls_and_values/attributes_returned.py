"""What a method returns of its own object: the very thing that an attribute of it holds, and not a copy."""

from __future__ import annotations

import re

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import is_me
from lintpickle.analyses.calls_and_values.returned_values import returned_expression
from lintpickle.facts.values import Attribute, Call, Expr, Item, without_narrowing
from lintpickle.interpreter.abstract_values import Frame
from lintpickle.payload.linker import Linker

_DOTTED = re.compile(r"\w+(?:\.\w+)*")


class AttributeReturned(Struct, frozen=True):
    """An attribute, by the name that it has for the caller (`camera._frame`), and as the method in `frame` reads it."""

    name: str
    value: Attribute
    frame: Frame


def attribute_returned(value: Expr, frame: Frame, linker: Linker) -> AttributeReturned | None:
    """The attribute that a call gives, if it is of a method whose object the caller has under a name."""
    call = value
    while isinstance(call, Item):
        call = call.base
    if not isinstance(call, Call) or not isinstance(call.function, Attribute):
        return None
    function = call.function
    owner, _, method = frame.module.code[function.span.start : function.span.end].rpartition(".")
    if method != function.name or _DOTTED.fullmatch(owner) is None:
        return None
    found = returned_expression(value, frame, linker.evaluator)
    held = without_narrowing(found[0]) if found is not None else None
    if found is None or not isinstance(held, Attribute) or not is_me(held.base, found[1].function):
        return None
    return AttributeReturned(f"{owner}.{held.name}", held, found[1])
