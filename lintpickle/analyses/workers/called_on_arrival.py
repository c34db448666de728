"""What runs in workers because objects arrive there: unpickling calls `__setstate__`."""

from __future__ import annotations

import re

from lintpickle.analyses.at_import.import_time import callable_name
from lintpickle.facts.records import FunctionFacts
from lintpickle.program.module import Module

_ARRIVES = re.compile(r"\bdef __setstate__\b")
_FUNCTION = re.compile(r"\bdef (\w+)\s*\(")


def is_called_on_arrival(function: FunctionFacts, module: Module) -> bool:
    """Whether a `__setstate__` of the module calls a function by its name."""
    if not module.has(_ARRIVES):
        return False
    calls = re.finditer(rf"(?<!def )(?<!class )\b{re.escape(callable_name(function))}\s*\(", module.code)
    return any(_around(each.start(), module.code) == "__setstate__" for each in calls)


def _around(offset: int, code: str) -> str | None:
    """The name of the function whose `def` stands last before a place; None if there is none."""
    before = [each[1] for each in _FUNCTION.finditer(code, 0, offset)]
    return before[-1] if before else None
