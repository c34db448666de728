"""Properties that code reads which no worker runs."""

from __future__ import annotations

import re
from collections.abc import Container

from lintpickle.analyses.main_state.main_setters import is_called
from lintpickle.facts.records import FunctionFacts, Implied
from lintpickle.interpreter.abstract_values import InstanceValue
from lintpickle.interpreter.own_reads import PROPERTY_DECORATORS
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker


def is_read_by_others(function: FunctionFacts, running: Container[int], linker: Linker, asker: str) -> bool:
    """Whether a function is a property that code reads which no worker runs."""
    if not function.decorated_by(*PROPERTY_DECORATORS):
        return False
    reading = re.compile(rf"\.\s*{re.escape(function.name)}\b")
    return any(
        _reads(function, root, linker) and is_called(root.function, root.frame.module, linker, asker)
        for root in linker.activations_with({function.name}, reading, asker)
        if id(root.function) not in running
    )


def _reads(property_: FunctionFacts, root: RootFrame, linker: Linker) -> bool:
    """Whether code reads a property of an object that it makes."""
    for event in root.function.events:
        if isinstance(event, Implied) and event.reads and event.method == property_.name:
            for traced in linker.evaluate(event.target, root.frame):
                made = traced.value
                found = linker.classes.find_method(made, event.method) if isinstance(made, InstanceValue) else None
                if found is not None and found[1] is property_:
                    return True
    return False
