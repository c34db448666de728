"""Stores of globals by names that code writes out without declaring them global: `globals()["Row"] = row_type`,
`globals().update(Row=row_type)`, `setattr(sys.modules[__name__], "Row", row_type)`."""

from __future__ import annotations

import re

from lintpickle.facts.records import Called, Event, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Constant, Expr, Item, Mapping, Name, chain
from lintpickle.program.module import Module

_MAY_STORE = re.compile(r"\bglobals\(\)|\bsys\.modules\[__name__\]")
_INNER = r"(?:[^()]|\([^()]*\))*?"
_OF_MODULE = r"\bsys\.modules\[__name__\]"
_ALIAS = re.compile(r"\b(\w+)\s*=\s*sys\.modules\[__name__\]")
UPDATED_BY_NAME = rf"\bglobals\(\)\.update\((?:\s*\w+\s*=(?!=){_INNER}(?:,|(?=\))))+\s*\)"
"""How globals are set that are all written as keywords."""


def stored_without_declaring(name: str) -> str:
    """How a store of the global begins."""
    word = re.escape(name)
    quoted = rf"""["']{word}["']"""
    return (
        rf"\bglobals\(\)\[\s*{quoted}\s*\]\s*[-+*/|&%]?=(?!=)"
        rf"|\bglobals\(\)\.update\({_INNER}(?:\b{word}\s*=(?!=)|{quoted}\s*:)"
        rf"|\bsetattr\(\s*{_OF_MODULE}\s*,\s*{quoted}"
        rf"|{_OF_MODULE}\.{word}\s*=(?!=)"
    )


def stored_by_computed_name(module: Module) -> re.Pattern[str] | None:
    """How a function stores a global whose name is not written out, also by a name that stands for the module; None if
    the module has nothing of the kind."""
    if not may_store_without_declaring(module):
        return None
    aliases = {found[1] for found in _ALIAS.finditer(module.code)}
    owner = "|".join((_OF_MODULE, *(rf"\b{each}\b" for each in sorted(aliases))))
    key = r"[^\W\d][^\]\n]*\]\s*=(?!=)"
    return re.compile(
        rf"\bglobals\(\)\[\s*{key}|\bglobals\(\)\.update\(\s*[^\W\d][\w.]*\s*\)"
        rf"|\bsetattr\(\s*(?:{owner})\s*,\s*[^\W\d]|(?:{owner})\.__dict__\[\s*{key}|\bvars\((?:{owner})\)\[\s*{key}"
    )


def may_store_without_declaring(module: Module) -> bool:
    """Whether the module may store globals so."""
    return module.has(_MAY_STORE)


def given_without_declaring(name: str, facts: FunctionFacts) -> Expr | None:
    """What a function stores so under a name."""
    return next((value for event in facts.events if (value := _given(name, event)) is not None), None)


def _given(name: str, event: Event) -> Expr | None:
    match event:
        case ItemStore(target=target, key=Constant(value=key), value=value) if key == name and _is_globals(target):
            return value
        case Store(target=Item(base=modules, key=Name(name="__name__")), attribute=attribute, value=value):
            return value if attribute == name and chain(modules) == ("sys", "modules") else None
        case Called(call=Call(function=Attribute(base=base, name="update")) as call) if _is_globals(base):
            return call.keyword(name) or _item(name, call)
        case _:
            return None


def _is_globals(value: Expr) -> bool:
    match value:
        case Call(function=Name(name="globals"), arguments=()):
            return True
        case _:
            return False


def _item(name: str, call: Call) -> Expr | None:
    """What a dict that is written out and given to a call has under a name."""
    for given in call.positional() or ():
        for key, value in given.items if isinstance(given, Mapping) else ():
            if isinstance(key, Constant) and key.value == name:
                return value
    return None
