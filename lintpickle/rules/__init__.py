"""One rule per file. The modules of this package are the list of rules; no other list is kept."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from lintpickle.rules.base import Rule


@cache
def all_rules() -> tuple[type[Rule], ...]:
    """Every rule class that a module of this package defines, sorted by code."""
    found: dict[str, type[Rule]] = {}
    for module_info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{module_info.name}")
        for value in vars(module).values():
            is_own = isinstance(value, type) and issubclass(value, Rule) and value.__module__ == module.__name__
            if is_own and "code" in vars(value):
                found[value.code] = value
    return tuple(found[code] for code in sorted(found))
