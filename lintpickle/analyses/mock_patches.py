"""What `unittest.mock` is told to replace: `patch.object(module, "name", …)`, `patch("package.module.name", …)`."""

from __future__ import annotations

import re
from collections.abc import Callable

from lintpickle.facts.values import Call, Constant, Expr, chain
from lintpickle.program.module import Module

PATCHING = re.compile(r"(?:\w+\.)*patch(?:\.(?:object|dict|multiple))?\(")
"""How the managers begin that take back what they replace."""


def is_patch(call: Call, home: Module, name: str, is_home: Callable[[Expr], bool]) -> bool:
    """Whether a call replaces what a module has under a name. `is_home` says whether an expression is the module."""
    parts = chain(call.function) or ()
    match parts[-2:], call.positional():
        case ("patch", "object"), (holder, Constant(value=str(replaced)), *_):
            return replaced == name and is_home(holder)
        case (((*_, "patch") | ("patch", "dict")), (Constant(value=str(path)), *_)):
            return path == f"{home.name}.{name}"
        case _:
            return False


def patched_dict(call: Call) -> Expr | None:
    """What `patch.dict(table, …)` puts items into, if that is no text."""
    match (chain(call.function) or ())[-2:], call.positional():
        case ("patch", "dict"), (table, *_) if not isinstance(table, Constant):
            return table
        case _:
            return None


def form_patching(name: str) -> re.Pattern[str]:
    """What stands where something of that name may be replaced."""
    return re.compile(rf"\bpatch(?:\.object)?\([^()]*[\"'.]{re.escape(name)}[\"']")
