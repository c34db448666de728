"""Processes that a function makes and gives back, though nobody who names that function calls `start()` of anything:
objects of a class that derives from a process for what else it can do, like one that shows what another has done."""

from __future__ import annotations

import re

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.kept_to_itself import Scrutiny, is_kept
from lintpickle.facts.values import may_be
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.payload.components import Components
from lintpickle.prefilter.words import Words

_START = "start"
_STARTS = re.compile(rf"\.\s*{_START}\b|['\"]{_START}['\"]")
"""Where a method of that name is called, or named in quotes."""


def is_given_back_unstarted(boundary: BoundaryCall, parts: Components) -> bool:
    """Whether the function that makes a process only gives it back, and neither its module, nor those of the process's
    classes, nor any that names the function starts anything; the program calls the function (who uses a library may
    start what it makes)."""
    function, module = boundary.frame.function, boundary.frame.module
    if boundary.callee is None or boundary.spec.kind != "process" or function.is_module_body or module.has(_STARTS):
        return False
    watched = Scrutiny(lambda value: may_be(value, boundary.call), _START.__eq__)
    others = [each for each in function.returns if not watched.is_it(each)]
    if len(others) == len(function.returns) or not is_kept(function, watched, (*others, *function.yields)):
        return False
    classes = [each for each in parts.classes.mro(boundary.callee) if isinstance(each, ClassValue)]
    if any(each.module.has(_STARTS) for each in classes):
        return False
    words, name = Words({function.name}), re.escape(function.name)
    is_called = parts.first_party.is_anywhere(words, module.path, re.compile(rf"(?<!def )\b{name}\s*\("))
    return is_called and not parts.first_party.is_anywhere(words, module.path, _STARTS)
