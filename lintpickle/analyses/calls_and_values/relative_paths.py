"""Paths that do not say in which folder they begin: written out, or sent to a function of workers."""

from __future__ import annotations

import re

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.values import (
    Call,
    Captured,
    Collection,
    Constant,
    Data,
    Expr,
    Item,
    Parameter,
    Sum,
    ending_name,
    options_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import Frame

_STEPS = 8
_MAPPED = "iterable"
_RELATIVE = re.compile(r"(?!~)[\w.][^:]*")
"""A text that no path begins with which says where it begins."""
_PATHS = frozenset({"Path", "PurePath"})


def begins_in_current_folder(text: str) -> bool:
    """Whether a path that is written out does not say where it begins."""
    return _RELATIVE.fullmatch(text) is not None


def is_relative(value: Expr, frame: Frame, sent: BoundaryCall, steps: int = _STEPS) -> bool:
    """Whether all that an expression can be is a path that begins in the current folder, as far as it is seen. A
    function with which the workers of a boundary begin has for its first parameter what that maps."""
    options = [without_narrowing(each) for each in options_of(without_narrowing(value))] if steps else []
    return bool(options) and all(_is_one(each, frame, sent, steps - 1) for each in options)


def _is_one(value: Expr, frame: Frame, sent: BoundaryCall, steps: int) -> bool:
    match value:
        case Constant(value=str(text)):
            return begins_in_current_folder(text)
        case Data(kind="str", parts=(first, *_)) | Sum(parts=(first, *_)):
            return is_relative(first, frame, sent, steps)
        case Call(function=function, arguments=(first, *_)) if ending_name(function) in _PATHS and not first.star:
            return is_relative(first.value, frame, sent, steps)
        case Item(base=base, key=None):
            return _are_relative(base, frame, sent, steps)
        case Parameter() | Captured():
            found = _given(value, frame, sent)
            return found is not None and is_relative(*found, sent, steps)
        case _:
            return False


def _are_relative(container: Expr, frame: Frame, sent: BoundaryCall, steps: int) -> bool:
    inner = without_narrowing(container)
    match inner:
        case Collection(elements=elements):
            return bool(elements) and all(is_relative(each, frame, sent, steps) for each in elements)
        case Parameter() | Captured() if steps:
            found = _given(inner, frame, sent)
            return found is not None and _are_relative(*found, sent, steps - 1)
        case _:
            return False


def _given(value: Parameter | Captured, frame: Frame, sent: BoundaryCall) -> tuple[Expr, Frame] | None:
    """What a parameter was given in a frame, or is sent by a boundary that maps something."""
    home = frame.enclosing(value.owner)
    bound = home.bindings.get(value.name) if home is not None else None
    if bound is not None and bound.expr is not None and bound.frame is not None:
        return bound.expr, bound.frame
    mapped = sent.arguments.get(_MAPPED)
    is_first = home is not None and [each.name for each in home.function.parameters[:1]] == [value.name]
    if not is_first or mapped is None or mapped.expr is None or mapped.frame is None or frame is sent.frame:
        return None
    return Item(mapped.expr.span, mapped.expr, None), mapped.frame
