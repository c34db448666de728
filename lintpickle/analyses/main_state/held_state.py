"""Databases in memory that objects hold: what their methods write is only in the process that calls them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.main_state.library_state import state_of
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Call, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

WRITES_ROWS = re.compile(r"\b(?:insert|update|delete|create|replace|drop|alter)\b|\.executemany\(", re.IGNORECASE)
"""What stands in a call that writes to a database: to read, workers call the same methods."""


def databases_written(
    facts: FunctionFacts, module: Module, owner: ClassValue | InstanceValue, linker: Linker
) -> Iterator[str]:
    """The attributes of an object, or of those of a class, with databases in memory to which a method writes. For
    `migrate`."""
    written = list(_writing_calls(facts, module)) if linker.moving_to is not None else []
    if not written:
        return
    instance = owner if isinstance(owner, InstanceValue) else linker.activations.instance(owner)
    for held in linker.classes.states.state(instance):
        for attribute, method in written:
            if held.attribute != attribute or not held.direct:
                continue
            states = (state_of(each.value, linker) for each in linker.evaluate(held.value, held.frame))
            if any(state is not None and state.shared and method in state.methods for state in states):
                yield attribute


def _writing_calls(facts: FunctionFacts, module: Module) -> Iterator[tuple[str, str]]:
    """The methods that a method calls on attributes of its object so that they write, each with the attribute."""
    me = facts.parameters[0].name if facts.parameters else None
    for event in facts.events:
        match event:
            case Called(call=Call(function=Attribute(base=base, name=method), span=span)):
                held = without_narrowing(base)
                text = module.code[span.start : span.end]
                if not isinstance(held, Attribute) or WRITES_ROWS.search(text) is None:
                    continue
                match without_narrowing(held.base):
                    case Parameter(name=name) if name == me:
                        yield held.name, method
                    case _:
                        pass
            case _:
                pass
