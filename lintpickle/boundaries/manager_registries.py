"""Managers of `multiprocessing`: what is registered with a class crosses when one of its managers is started."""

from __future__ import annotations

import re

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.values import Attribute, ending_name

_REGISTERS = "Manager.register"
_OF = "multiprocessing.managers."


def is_only_registered(boundary: BoundaryCall) -> bool:
    """Whether a call registers something with a class of managers of which its module starts none: managers that serve
    in their own process (`get_server().serve_forever()`) or `connect()` to another one pickle nothing of it."""
    path, function = boundary.spec.path, boundary.call.function
    if not (path.startswith(_OF) and path.endswith(_REGISTERS)) or not isinstance(function, Attribute):
        return False
    name, code = ending_name(function.base), boundary.frame.module.code
    return name is None or not _is_started(re.escape(name), code)


def _is_started(name: str, code: str) -> bool:
    if re.search(rf"\bwith\s+(?:\w+\.)*{name}\s*\(", code):
        return True
    made = re.finditer(rf"([\w.]+)\s*(?::[^=\n]*)?=\s*(?:\w+\.)*{name}\s*\(", code)
    return any(_starts(each[1], code, each.end()) for each in made)


def _starts(variable: str, code: str, place: int) -> bool:
    """Whether a variable is started behind a place, before it is given something else; an attribute, anywhere."""
    name = re.escape(variable)
    if "." in variable:
        return re.search(rf"{name}\s*\.\s*start\s*\(", code) is not None
    found = re.compile(rf"(?<![\w.]){name}\s*(=(?!=)|\.\s*start\s*\()").search(code, place)
    return found is not None and found[1] != "="
