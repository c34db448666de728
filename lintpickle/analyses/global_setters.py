"""The functions of a module that bind its globals anew, or fill their containers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.import_time import functions_of
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts, ItemStore
from lintpickle.facts.values import Call, Constant, Expr, Item, Name
from lintpickle.program.module import Module
from lintpickle.resolution.declared_globals import declared_global

_BY_KEY = r"""\bglobals\(\)\[\s*["']{}["']\s*\]"""
"""How the global of a name is written as an item."""


def setters_of(name: str, module: Module) -> tuple[FunctionFacts, ...]:
    """The functions of the module that declare the name global, and bind it, or store it by `globals()["name"]`."""
    return module.remembered(("setters of", name), lambda: tuple(_setters_of(name, module)))


def value_set(name: str, facts: FunctionFacts) -> Expr | None:
    """What a function that sets a global gives it."""
    by_key = _given_by_key(name, facts)
    return by_key if by_key is not None else facts.variables.get(name)


def stored_globals(name: str) -> re.Pattern[str]:
    """How a statement of a function begins that gives a global another value."""
    word = re.escape(name)
    return re.compile(rf"(?:(?<![\w.]){word}\s*(?::[^=\n]+)?|{_BY_KEY.format(word)}\s*)[-+*/|&%]?=(?!=)[^\n]*")


def places_set(name: str, facts: FunctionFacts, module: Module) -> list[Span]:
    """Where a function gives a global of its module another value; its head, if that is no plain assignment."""
    found = stored_globals(name).finditer(module.code, facts.span.start, facts.span.end)
    return [Span(*each.span()) for each in found] or [facts.header]


def filling(name: str, module: Module) -> Iterator[FunctionFacts]:
    """The functions of the module, and its bodies, that put something into the container that the name is bound to."""

    form = re.compile(rf"(?<![\w.]){re.escape(name)}\s*[.\[]")
    yield from functions_of(module, form, lambda facts: bool(places_filled(name, facts)))


def places_filled(name: str, facts: FunctionFacts) -> list[Span]:
    """Where a function puts something into the container that a global of its module is bound to."""
    stores = (event for event in facts.events if isinstance(event, ItemStore))
    filled = ((each, each.target.base if isinstance(each.target, Item) else each.target) for each in stores)
    return [each.span for each, target in filled if isinstance(target, Name) and target.name == name]


def changing(name: str, module: Module) -> Iterator[FunctionFacts]:
    """The functions of the module, and its bodies, that bind a global anew or put something into its container."""
    yield from setters_of(name, module)
    yield from filling(name, module)


def _setters_of(name: str, module: Module) -> Iterator[FunctionFacts]:
    if "global " in module.code:
        yield from functions_of(
            module, declared_global(name), lambda facts: name in facts.globals_declared and name in facts.variables
        )
    if "globals()" in module.code:
        yield from functions_of(
            module,
            _stored_by_key(name),
            lambda facts: not facts.is_module_body and _given_by_key(name, facts) is not None,
        )


def _stored_by_key(name: str) -> re.Pattern[str]:
    return re.compile(rf"{_BY_KEY.format(re.escape(name))}\s*=(?!=)")


def _given_by_key(name: str, facts: FunctionFacts) -> Expr | None:
    for event in facts.events:
        match event:
            case ItemStore(
                target=Call(function=Name(name="globals"), arguments=()), key=Constant(value=key), value=value
            ) if key == name:
                return value
            case _:
                pass
    return None
