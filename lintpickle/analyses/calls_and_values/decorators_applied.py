"""Functions that decorate what other functions define: they run whenever these do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import ending_name, uncalled
from lintpickle.payload.linker import Linker

_BINDING = ("staticmethod", "classmethod", "property")
"""Decorators that only say how a function is called."""


def is_wrapped(function: FunctionFacts) -> bool:
    """Whether a function has a decorator that may put another one in its place, which does more: hold a lock, catch an
    error."""
    return bool(function.decorators) and not function.decorated_by(*_BINDING)


def is_applied_in_function(name: str, linker: Linker, asker: str) -> bool:
    """Whether some function decorates another one by a function: what modules decorate as they are imported is found
    elsewhere."""
    applied = re.compile(rf"^[ \t]+@[ \t]*(?:\w+\.)*{re.escape(name)}\b", re.MULTILINE)
    roots = linker.activations_with({name}, applied, asker)
    return any(not root.function.is_module_body and name in decorators_applied(root.function) for root in roots)


def decorators_applied(function: FunctionFacts) -> Iterator[str]:
    """The last names of what decorates the functions that a function defines."""
    for local in function.functions:
        for decorator in local.decorators:
            yield ending_name(uncalled(decorator)) or ""
