"""The functions of a module that bind its globals anew, or fill their containers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.main_state.global_properties import places_by_property, storing_by_property
from lintpickle.analyses.main_state.globals_stored import (
    given_without_declaring,
    may_store_without_declaring,
    stored_without_declaring,
)
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts, ItemStore
from lintpickle.facts.values import Expr, Item, Name
from lintpickle.program.module import Module
from lintpickle.resolution.declared_globals import declared_global

_OF_PROCESS = re.compile(r"(?:os\.)?getpid\(\)\s*\]|(?:\w+\.)*current_process\(\)\.(?:pid|ident|name)\s*\]")
"""What stands behind the bracket of an item that is of one process."""


def setters_of(name: str, module: Module) -> tuple[FunctionFacts, ...]:
    """The functions of the module that bind the name as a global: they declare it so, write `globals()["name"]`, or
    store on a property of which the setter does so."""
    return module.remembered(("setters of", name), lambda: tuple(_setters_of(name, module)))


def value_set(name: str, facts: FunctionFacts) -> Expr | None:
    """What a function that sets a global gives it."""
    given = given_without_declaring(name, facts)
    return given if given is not None else facts.variables.get(name)


def stored_globals(name: str) -> re.Pattern[str]:
    """How a statement of a function begins that gives a global another value."""
    word = re.escape(name)
    plain = rf"(?<![\w.]){word}\s*(?::[^=\n]+)?[-+*/|&%]?=(?!=)"
    return re.compile(rf"(?:{stored_without_declaring(name)}|{plain})[^\n]*")


def places_set(name: str, facts: FunctionFacts, module: Module) -> list[Span]:
    """Where a function gives a global of its module another value; its head, if that is no plain assignment."""
    found = stored_globals(name).finditer(module.code, facts.span.start, facts.span.end)
    return [Span(*each.span()) for each in found] or places_by_property(name, facts, module) or [facts.header]


def filling(name: str, module: Module) -> Iterator[FunctionFacts]:
    """The functions of the module, and its bodies, that put something into the container that the name is bound to."""

    form = re.compile(rf"(?<![\w.]){re.escape(name)}\s*[.\[]")
    yield from functions_of(module, form, lambda facts: bool(places_filled(name, facts)))


def places_filled(name: str, facts: FunctionFacts) -> list[Span]:
    """Where a function puts something into the container that a global of its module is bound to."""
    stores = (event for event in facts.events if isinstance(event, ItemStore))
    filled = ((each, each.target.base if isinstance(each.target, Item) else each.target) for each in stores)
    return [each.span for each, target in filled if isinstance(target, Name) and target.name == name]


def is_kept_per_process(name: str, module: Module) -> bool:
    """Whether whatever is put into the container that the name is bound to is found there under the number or name of
    the process that does so: `_children[os.getpid()].append(child)`."""
    if not module.has(_OF_PROCESS):
        return False
    keys = re.findall(rf"(?<![\w.]){re.escape(name)}\s*\[\s*([^\n]*)", module.code)
    return bool(keys) and all(map(_OF_PROCESS.match, keys))


def changing(name: str, module: Module) -> Iterator[FunctionFacts]:
    """The functions of the module, and its bodies, that bind a global anew or put something into its container."""
    yield from setters_of(name, module)
    yield from filling(name, module)


def _setters_of(name: str, module: Module) -> Iterator[FunctionFacts]:
    if "global " in module.code:
        yield from functions_of(
            module, declared_global(name), lambda facts: name in facts.globals_declared and name in facts.variables
        )
    if may_store_without_declaring(module):
        yield from functions_of(
            module,
            re.compile(stored_without_declaring(name)),
            lambda facts: not facts.is_module_body and given_without_declaring(name, facts) is not None,
        )
    yield from storing_by_property(name, module)
