"""Objects of one process, such as a `queue.Queue`, that a worker and the process that starts it both use."""

from __future__ import annotations

import re

from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker

_PASSES_ON = frozenset({"process", "spawn", "pool", "executor"})
"""Kinds of boundary that give an object to a process, and after which the main process goes on with it."""
_NOT_USES = frozenset(
    {"__init__", "__new__", "__post_init__", "__getstate__", "__setstate__", "__reduce__", "__del__", "__repr__"}
)


def is_used_on_both_sides(crossing: Crossing, linker: Linker) -> bool:
    """Whether functions of the workers use the attribute that crosses, and also a method of its object that no worker
    is seen to run."""
    holder, held, root = crossing.holder, crossing.held, crossing.root
    if held is None or not isinstance(holder, InstanceValue) or root.kind not in _PASSES_ON:
        return False
    codes = [each for each in linker.worker_codes() if each.root.site == root.site]
    run = {id(function.facts) for code in codes for function in code.functions}
    used = re.compile(rf"\.{re.escape(held.attribute)}\.")
    also = re.compile(rf"\.{re.escape(held.attribute)}\b(?!\s*=(?!=))")
    in_worker = in_main = False
    for class_ in (each for each in linker.classes.mro(holder) if isinstance(each, ClassValue)):
        for method in class_.facts.methods.values():
            form = used if id(method) in run else also
            is_used = form.search(class_.module.code, method.header.end, method.span.end) is not None
            in_worker = in_worker or (is_used and id(method) in run)
            in_main = in_main or (is_used and id(method) not in run and method.name not in _NOT_USES)
    return in_worker and in_main
