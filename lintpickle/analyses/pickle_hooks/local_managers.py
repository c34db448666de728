"""Classes of managers that are defined in a function.

Source: CPython's `BaseManager.start`, which gives a new process the method `type(self)._run_server`: a manager is not
pickled, but its class is, by its name. Measured with CPython 3.11: a local class fails under spawn and forkserver, and
works under fork, whatever is registered with it."""

from __future__ import annotations

import re

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.manager_registries import registers, starts_manager
from lintpickle.facts.values import Attribute
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue
from lintpickle.payload.linker import Linker

_OWN_CONTEXT = r"\b{}\s*\([^()]*\bctx\s*="


def local_manager(boundary: BoundaryCall, linker: Linker) -> ClassValue | None:
    """The class of the manager that a call starts, or with which it registers something for managers that are started,
    if a function defines it; None if these may have a context of their own."""
    function = boundary.call.function
    if not (registers(boundary) or starts_manager(boundary)) or not isinstance(function, Attribute):
        return None
    found = [traced.value for traced in linker.evaluate(function.base, boundary.frame)]
    value = found[0] if len(found) == 1 else None
    class_ = value.class_ if isinstance(value, InstanceValue) else value
    if not isinstance(class_, ClassValue) or not class_.facts.is_local:
        return None
    has_own_context = re.compile(_OWN_CONTEXT.format(re.escape(class_.facts.name)))
    return None if boundary.frame.module.has(has_own_context) else class_
