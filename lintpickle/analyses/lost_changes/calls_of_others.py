"""Calls by the name of a function that surely call another one: `Bagging().fit(rows)` is no call of `Ridge.fit`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Expr
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ExternalValue,
    Frame,
    FunctionValue,
    InstanceValue,
    Site,
)
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction
from lintpickle.prefilter.words import Words


def calls_of_others(name: str, function: WorkerFunction, asker: str, linker: Linker) -> Iterator[Site]:
    """Where a method of that name is called which surely is not the function, nor may be overridden by it."""
    form = re.compile(rf"\.\s*{re.escape(name)}\s*\(")
    for module in linker.first_party.naming_in_text(Words({name}), asker, form):
        for block in module.outline.blocks:
            facts = module.facts_of(block) if form.search(module.code, block.span.start, block.span.end) else None
            for root in linker.activations.in_block(module, facts, form) if facts is not None else ():
                for called in _methods_called(name, root.function):
                    if _is_another(called, root.frame, function, linker):
                        yield Site(module, Span(called.base.span.end, called.span.end))


def _methods_called(name: str, facts: FunctionFacts) -> Iterator[Attribute]:
    for event in facts.events:
        called = event.call.function if isinstance(event, Called) else None
        if isinstance(called, Attribute) and called.name == name:
            yield called


def _is_another(called: Expr, frame: Frame, function: WorkerFunction, linker: Linker) -> bool:
    found = [each.value for each in linker.evaluate(called, frame)]
    return bool(found) and all(isinstance(each, ExternalValue) or _differs(each, function, linker) for each in found)


def _differs(found: AbstractValue, function: WorkerFunction, linker: Linker) -> bool:
    if not isinstance(found, FunctionValue) or found.facts is function.facts:
        return False
    return not _is_above(found, function, linker)


def _is_above(found: FunctionValue, function: WorkerFunction, linker: Linker) -> bool:
    """Whether a method is one of an object that may be of the class of the worker's function."""
    parameters = function.facts.parameters
    bound = function.frame.bindings.get(parameters[0].name) if parameters else None
    mine = bound.value if bound is not None else None
    if not isinstance(found.bound, InstanceValue) or not isinstance(mine, InstanceValue):
        return False
    line = (each for each in linker.classes.mro(mine) if isinstance(each, ClassValue))
    return any(each.facts is found.bound.class_.facts for each in line)
