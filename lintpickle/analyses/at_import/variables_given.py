"""Calls that set a variable of the environment by what they give a function of the program, which puts all of it there:
`os.environ.update(values)`, where `values` are its keyword arguments, or a dict."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import Bound, ContainerValue, Frame, FunctionValue, SlotKey
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_PUT = r"\benviron\s*(?:\.\s*update\s*\(|\|=)\s*"
_PUTS = re.compile(_PUT)
_ALL = (
    rf"{_PUT}(?:\*\*\s*)?<name>\s*(?:[,)\n]|\Z)"
    rf"|{_PUT}\{{\s*(?P<key>\w+)\s*:[^}}]*\bfor\s+(?P=key)\b[^}}]*\bin\s+<name>\b"
    r"|\bfor\s+(?P<each>\w+)\b[^\n]*\bin\s+<name>\b[^\n]*:\s*(?:\w+\.)*environ\[\s*(?P=each)\s*\]\s*=(?!=)"
)
"""How a function puts all that a parameter holds into the environment."""
_NAMED = r"\b<name>\s*=(?!=)|[\"']<name>[\"']\s*:"
_ENVIRONMENT = "environ"
_Setting: TypeAlias = tuple[Module, FunctionFacts, Span]


def calls_setting(variable: str, asker: str, linker: Linker) -> Sequence[_Setting]:
    """The calls which give such a function a value for a variable, each with the function in which it stands."""
    question = ("calls setting", variable, asker)
    return linker.remembered(question, lambda: tuple(_calls_setting(variable, asker, linker)))


def _calls_setting(variable: str, asker: str, linker: Linker) -> Iterator[_Setting]:
    if not linker.first_party.is_anywhere(Words({_ENVIRONMENT}), asker, _PUTS):
        return
    form = _of(_NAMED, variable)
    for module in linker.first_party.naming_in_text(Words({variable}), asker, form):
        for facts in functions_of(module, form, lambda facts: True):
            frame = Frame(module, facts)
            for event in facts.events:
                if isinstance(event, Called) and event.call.arguments and _sets(variable, event.call, frame, linker):
                    yield module, facts, event.span


def _of(form: str, name: str) -> re.Pattern[str]:
    return re.compile(form.replace("<name>", re.escape(name)))


def _sets(variable: str, call: Call, frame: Frame, linker: Linker) -> bool:
    for traced in linker.evaluate(call.function, frame):
        called = traced.value
        if not isinstance(called, FunctionValue) or not called.module.first_party:
            continue
        put = [each.name for each in called.facts.parameters if _puts_all(each.name, called)]
        inner = linker.evaluator.enter(called, call, frame) if put else None
        if inner is not None and any(_has(variable, inner.bindings.get(each), linker) for each in put):
            return True
    return False


def _puts_all(parameter: str, function: FunctionValue) -> bool:
    span = function.facts.span
    return _of(_ALL, parameter).search(function.module.code, span.start, span.end) is not None


def _has(variable: str, bound: Bound | None, linker: Linker) -> bool:
    if bound is None:
        return False
    values = [bound.value]
    if bound.expr is not None and bound.frame is not None:
        values = [traced.value for traced in linker.evaluate(bound.expr, bound.frame)]
    slots = (slot for each in values if isinstance(each, ContainerValue) for slot in each.slots)
    return any(slot.key == SlotKey(item=variable) for slot in slots)
