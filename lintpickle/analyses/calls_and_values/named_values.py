"""What names and attributes stand for in a function, given as they are written."""

from __future__ import annotations

import ast

from lintpickle.facts.values import Captured, Expr, Name, Parameter, chained
from lintpickle.interpreter.abstract_values import Frame
from lintpickle.parsing.syntax import dotted


def value_named(written: ast.expr, frame: Frame) -> Expr:
    """The value of what is written as a name or an attribute, to be evaluated in the frame: what it is when the
    function begins, where it is an attribute of an object that is made elsewhere."""
    here = frame.function.header
    first, *names = dotted(written).split(".")
    value = frame.function.variables.get(first) or Name(here, first)
    if frame.function.parameter(first) is not None and first not in frame.function.variables:
        value = Parameter(here, first, frame.function.qualname)
    elif first in frame.function.captures:
        value = _captured(first, frame.parent) or value
    return chained(value, names, here)


def _captured(name: str, frame: Frame | None) -> Expr | None:
    """What a name is of a function around another one."""
    while frame is not None:
        if name in frame.function.variables or frame.function.parameter(name) is not None:
            return Captured(frame.function.header, name, frame.function.qualname)
        frame = frame.parent
    return None
