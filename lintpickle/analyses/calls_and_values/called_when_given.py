"""Where functions of the program call another one that they are given: `def run(self, work): … work()`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_time import callable_name
from lintpickle.analyses.calls_and_values.functions_run import functions_entered
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Call, Expr, Parameter, ending_name, without_narrowing
from lintpickle.interpreter.abstract_values import Frame, FunctionValue, Site
from lintpickle.payload.linker import Linker

_GIVEN = r"[(,=]\s*(?:\w+\.)*{0}\s*[,)]"


def places_called_when_given(function: FunctionFacts, asker: str, linker: Linker) -> Iterator[Site]:
    """The places at which functions call a function that calls of the program give them, and those calls. `asker` is as
    for `OwnModules.search`."""
    name = callable_name(function)
    if function.is_module_body:
        return
    form = re.compile(_GIVEN.format(re.escape(name)))
    for root in linker.activations_with({name}, form, asker):
        for event in root.function.events:
            if not isinstance(event, Called):
                continue
            for argument in event.call.arguments:
                if _is_it(argument.value, function, name, root.frame, linker):
                    yield Site(root.frame.module, event.span)
                    yield from _calls_of(argument.value, event.call, root.frame, linker)


def _is_it(value: Expr, function: FunctionFacts, name: str, frame: Frame, linker: Linker) -> bool:
    if ending_name(without_narrowing(value)) != name:
        return False
    found = (traced.value for traced in linker.evaluate(value, frame))
    return any(isinstance(each, FunctionValue) and each.facts is function for each in found)


def _calls_of(given: Expr, call: Call, frame: Frame, linker: Linker) -> Iterator[Site]:
    """Where what a call calls does so with one of its arguments."""
    for called, inner in functions_entered(call, frame, linker):
        for event in called.facts.events:
            callee = without_narrowing(event.call.function) if isinstance(event, Called) else None
            bound = inner.bindings.get(callee.name) if isinstance(callee, Parameter) else None
            if bound is not None and bound.expr is given:
                yield Site(called.module, event.span)
