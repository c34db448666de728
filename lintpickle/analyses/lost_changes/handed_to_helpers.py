"""Calls that hand a variable to functions of the program which only look at its parts, or change them: nobody has it
afterwards that did not have it before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from lintpickle.analyses.calls_and_values.functions_run import functions_entered
from lintpickle.analyses.lost_changes.container_methods import ADDING
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Argument, Expr, without_narrowing
from lintpickle.interpreter.abstract_values import Frame
from lintpickle.payload.linker import Linker

_HEADER_END = re.compile(r"\)\s*(?:->[^\n:]*)?:")
_LOOKING = re.compile(r"(?:\blen\(\s*|\bin\s+)$")


def handed_to_helpers(name: str, bound: Expr, change: Span, frame: Frame, linker: Linker) -> Iterator[int]:
    """Where a function hands its variable of that name, which is bound to a value, to such functions: in front of a
    change of its own to any, behind it to those that change it, too. (What looks at it then may be what the change is
    for.)"""
    code = frame.module.code
    for event in frame.function.events:
        if not isinstance(event, Called) or code[code.rfind("\n", 0, event.span.start) + 1 : event.span.start].strip():
            continue
        given = [each for each in event.call.arguments if without_narrowing(each.value).span == bound.span]
        entered = list(functions_entered(event.call, frame, linker)) if given else []
        is_behind = event.span.start > change.start
        if entered and all(_leaves(each, inner, frame, is_behind) for _, inner in entered for each in given):
            yield from (place.start() for place in _places(name, event, code))


def _places(name: str, event: Called, code: str) -> Iterator[re.Match[str]]:
    return re.compile(rf"(?<=[(,= ]){name}(?=\s*[,)])").finditer(code, event.span.start, event.span.end)


def _leaves(argument: Argument, inner: Frame, outer: Frame, has_to_change: bool) -> bool:
    """Whether the function that gets the argument uses nothing but its parts, and changes one if it has to."""
    got = [name for name, bound in inner.bindings.items() if bound.expr is argument.value and bound.frame is outer]
    text = inner.module.code[inner.function.header.end : inner.function.span.end]
    return bool(got) and all(_uses_parts(each, text, has_to_change) for each in got)


def _uses_parts(parameter: str, text: str, has_to_change: bool) -> bool:
    used, changed = _forms(parameter)
    body = text[end.end() :] if (end := _HEADER_END.search(text)) is not None else text
    is_whole = any(not use["part"] and not _LOOKING.search(body, 0, use.start()) for use in used.finditer(body))
    return not is_whole and (not has_to_change or changed.search(body) is not None)


@lru_cache(maxsize=128)
def _forms(parameter: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What finds a parameter where it is used, and where one of its parts is changed."""
    part = r"(?:\s*\[[^\n\]]*\]|\s*\.\s*\w+)"
    return (
        re.compile(rf"(?<![\w.'\"]){parameter}\b(?P<part>\s*\[|\s*\.(?!\s*copy\b))?"),
        re.compile(rf"(?<![\w.]){parameter}(?:{part}+\s*(?:[-+*/%@&|^]|//)?=(?!=)|{part}*\.\s*(?:{ADDING})\()"),
    )
