"""Properties that code reads which no worker runs."""

from __future__ import annotations

import re
from collections.abc import Container

from lintpickle.analyses.main_state.main_setters import is_called
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.own_reads import PROPERTY_DECORATORS
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import properties_read


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
    return any(getter is property_ for _, _, (_, getter) in properties_read(root.function, root.frame, linker))
