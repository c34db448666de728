"""Which keyword arguments a function gets that takes them as they come: `if "stream" in kwargs:`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lintpickle.interpreter.abstract_values import Frame, InstanceValue

_CHANGED = (
    r"\b{0}\s*\.\s*(?:pop|popitem|clear|update|setdefault)\b|\bdel\s+{0}\b|\b{0}\s*\[[^\]\n]*\]\s*=(?!=)"
    r"|\b{0}\s*\|?=(?!=)|(?<![*\w.]){0}\s*,|(?<=[(,])\s*{0}\s*\)"
)
"""Where a function may change its dict of keyword arguments, or gives it to another one."""


def passes_keyword(keys: Iterable[object], name: str, frame: Frame, me: InstanceValue | None) -> bool | None:
    """Whether the call of a frame's function passes one of some keywords to its parameter `**name`: that of all of them
    if there are several; None if that is not known, or differs. `me` is the object of a method: a constructor is given
    what the call that makes the object is."""
    function = frame.function
    making = me.call if me is not None and function.name == "__init__" else None
    parameter, call = function.parameter(name), frame.called_by[1] if frame.called_by is not None else making
    if parameter is None or parameter.kind != "**" or call is None:
        return None
    text = frame.module.code[function.span.start : function.span.end]
    if re.search(_CHANGED.format(re.escape(name)), text[function.header.end - function.span.start :]) is not None:
        return None
    others = {each.name for each in function.parameters}
    named = {each.keyword for each in call.arguments if each.keyword is not None} - others
    is_known = not any(each.star == "**" for each in call.arguments)
    found = {True if key in named else False if is_known else None for key in keys}
    return found.pop() if len(found) == 1 else None
