"""Methods that start workers, called of objects of which nothing is known."""

from __future__ import annotations

import re

from lintpickle.facts.records import Called, Event
from lintpickle.facts.values import Attribute, Call, Parameter
from lintpickle.interpreter.abstract_values import Frame, is_indefinite
from lintpickle.payload.components import WORKER_KINDS
from lintpickle.payload.linker import Linker


def starts_by_method(event: Event, frame: Frame, linker: Linker) -> bool:
    """Whether a method is called of a parameter of which nothing is known, and a class that the module names starts
    workers in a method of that name."""
    match event:
        case Called(call=Call(function=Attribute(base=Parameter(), name=name) as method)):
            methods = linker.remembered("methods starting workers", lambda: _methods_starting(linker))
            is_named = any(re.search(rf"\b{class_}\b", frame.module.code) for class_ in methods.get(name, ()))
            return is_named and all(is_indefinite(traced.value) for traced in linker.evaluate(method, frame))
        case _:
            return False


def _methods_starting(linker: Linker) -> dict[str, set[str]]:
    """The methods in which workers are started, by their names, with the names of their classes."""
    found: dict[str, set[str]] = {}
    for each in linker.boundary_calls():
        facts = each.frame.function
        class_, _, name = facts.qualname.rpartition(".")
        if each.spec.kind in WORKER_KINDS and class_.isidentifier() and not facts.is_local:
            found.setdefault(name, set()).add(class_)
    return found
