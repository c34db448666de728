"""Copies of globals that a module takes at import, by `from state import TABLE` or as the default of a parameter, where
a function that runs in the workers (their initializer, as a rule) binds the global anew afterwards.

Measured with CPython 3.11: the module that has taken the value keeps it, under every start method. Under spawn and
forkserver, a module that a worker imports only for its first task takes the new one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import guard_of
from lintpickle.analyses.at_import.values_at_import import constant_at_import
from lintpickle.analyses.main_state.global_setters import places_set, setters_of, value_set
from lintpickle.analyses.main_state.main_setters import changes
from lintpickle.analyses.workers.several_workers import initializers
from lintpickle.diagnostics import Span, StartMethod
from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import Name
from lintpickle.interpreter.abstract_values import ModuleValue, Site
from lintpickle.payload.imported_modules import imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_PASSED_ON = 5
"""Through how many modules a name is followed that imports it from another one."""


class TakenBefore(Struct, frozen=True):
    """What a worker reads (as it is written, and where), which function takes it, and where a function binds the global
    anew that it was taken from."""

    function: WorkerFunction
    written: str
    read: Span
    is_default: bool
    home: Module
    name: str
    setter: FunctionFacts
    set_at: Site
    start_methods: tuple[StartMethod, ...]


class _Setter(Struct, frozen=True):
    function: WorkerFunction
    place: Span


def taken_before_set(code: WorkerCode, linker: Linker) -> Iterator[TakenBefore]:
    """The copies that the functions of workers read, each once."""
    told: set[tuple[str, str]] = set()
    running = (*code.functions, *initializers(code, linker))
    for function in code.functions:
        module = function.module
        if not module.first_party or module.document.cells is not None:
            continue
        for written, read, is_default in (*_imported(function), *_defaults(function)):
            source = _source(written, module, linker)
            if source is None or (source[0] is module and not is_default) or (module.path, written) in told:
                continue
            home, name = source
            setter = next(_setters(home, name, running, linker), None)
            if setter is not None and not _is_set_at_import(setter.function, home):
                told.add((module.path, written))
                site = Site(setter.function.module, setter.place)
                methods = _methods(module, setter.function, code, linker)
                yield TakenBefore(function, written, read, is_default, home, name, setter.function.facts, site, methods)


def _imported(function: WorkerFunction) -> Iterator[tuple[str, Span, bool]]:
    """The names that a function reads and that nothing but one import from a module binds."""
    module, outline = function.module, function.module.outline
    for name, place in function.facts.reads.items():
        imported = outline.imports.get(name)
        is_plain = imported is not None and imported.name is not None and not outline.binding(name)
        if is_plain and name not in outline.import_ways and not setters_of(name, module):
            yield name, place, False


def _defaults(function: WorkerFunction) -> Iterator[tuple[str, Span, bool]]:
    """The globals that are the defaults of parameters which a function is not given."""
    if function.facts.is_local or function.facts.qualname == "<lambda>":
        return
    for each in function.facts.parameters:
        if isinstance(each.default, Name) and each.name not in function.frame.bindings:
            yield each.default.name, each.default.span, True


def _source(name: str, module: Module, linker: Linker) -> tuple[Module, str] | None:
    """The first-party module whose own statements bind what a name of another module stands for, and its name there."""
    for _ in range(_PASSED_ON):
        imported = module.outline.imports.get(name)
        if imported is None:
            return (module, name) if module.first_party and module.outline.binding(name) else None
        source = module.absolute(imported, linker.program.finder) if imported.name is not None else None
        home = linker.program.find(source, module) if source is not None else None
        if home is None or not home.first_party or imported.name is None:
            return None
        module, name = home, imported.name
    return None


def _setters(home: Module, name: str, running: tuple[WorkerFunction, ...], linker: Linker) -> Iterator[_Setter]:
    """Those of some functions that bind a global of a module to something new: in the module, or as its attribute."""
    own = setters_of(name, home)
    stored = re.compile(rf"\.{re.escape(name)}\s*=(?!=)")
    for function in running:
        facts, module = function.facts, function.module
        if module is home and any(each is facts for each in own) and _is_another(name, facts, home):
            yield _Setter(function, places_set(name, facts, home)[0])
        elif module.first_party and stored.search(module.code, facts.span.start, facts.span.end) is not None:
            for event in facts.events:
                if isinstance(event, Store) and event.attribute == name and _is_module(event, function, home, linker):
                    yield _Setter(function, event.span)


def _is_another(name: str, setter: FunctionFacts, home: Module) -> bool:
    """Whether a function gives a global another value than the constant that it has at import."""
    constant = constant_at_import(name, home.outline.binding(name), home)
    value = value_set(name, setter)
    return value is not None and (constant is None or changes(value, constant))


def _is_module(event: Store, function: WorkerFunction, home: Module, linker: Linker) -> bool:
    values = [traced.value for traced in linker.evaluate(event.target, function.frame)]
    return bool(values) and all(isinstance(each, ModuleValue) and each.name == home.name for each in values)


def _is_set_at_import(setter: WorkerFunction, home: Module) -> bool:
    """Whether the module calls the function itself when it is imported, so that all take what it sets."""
    called = re.compile(rf"^(?:\w+[ \t]*=[ \t]*)?{re.escape(setter.facts.name)}\(", re.MULTILINE)
    return setter.module is home and any(guard_of(found.start(), home) is None for found in called.finditer(home.code))


def _methods(reader: Module, setter: WorkerFunction, code: WorkerCode, linker: Linker) -> tuple[StartMethod, ...]:
    """The start methods under which workers have imported the reading module before the function is called."""
    first = (*(site.module for site in code.way), setter.module)
    return tuple(StartMethod) if reader in imported_with(first, linker) else (StartMethod.FORK,)
