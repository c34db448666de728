"""Modules that the main process puts into `sys.modules` itself, and that functions of workers import."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import functions_of, outside_comments
from lintpickle.analyses.main_state.main_setters import Met, Setting, of_the_program, set_by, setter_at
from lintpickle.diagnostics import Span
from lintpickle.facts.methods import owns
from lintpickle.facts.records import FunctionFacts
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import last_name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

IMPORTING = re.compile(r"\bimport\b|\b(?:__import__|import_module)\(")
"""What stands in code that imports modules."""
IMPORTERS = frozenset({"__import__", "import_module"})
_STUBBING = Words({"sys.modules"})
_MAKERS = r"ModuleType|new_module|spec_from_file_location|spec_from_loader|SourceFileLoader|ModuleSpec"
"""What makes a module, or the specification of one, under the name that it is given first."""
_PUTS_ANY = re.compile(r"\bsys\.modules(?:\[\s*[^\W\d][\w.]*\s*\]\s*=(?!=)|\.setdefault\(\s*[^\W\d])")
"""What puts a module into `sys.modules` under a name that is not written there."""


class StubbedModule(Struct, frozen=True):
    """An import in a function of workers: the name of the module, the place, and how it ends without the stub."""

    function: WorkerFunction
    name: str
    span: Span
    error: str | None


def modules_stubbed(code: WorkerCode, linker: Linker) -> Iterator[tuple[StubbedModule, Setting]]:
    """The imports in functions of workers of what only the main process puts into `sys.modules`. For `migrate`."""
    asker = code.root.site.module.path
    if linker.moving_to is None or not linker.first_party.is_anywhere(_STUBBING, asker):
        return
    told: set[str] = set()
    for function in code.functions:
        for name, span in imports_in(function) if function.module.first_party else ():
            if name in told:
                continue
            told.add(name)
            setters = [
                setter_at(module, facts, place, linker, asker)
                for module, facts, place in _puttings(name, linker, asker)
            ]
            is_found = name.partition(".")[0] in sys.stdlib_module_names or (
                linker.program.find(name, function.module) is not None
            )
            error = None if is_found else f"ModuleNotFoundError: No module named '{name}'"
            met = Met(error or "there it is the module itself", "set", error)
            setting = set_by(of_the_program(setters, code, linker), met, linker, asker)
            if setting is not None:
                yield StubbedModule(function, name, span, error), setting


def _puttings(name: str, linker: Linker, asker: str) -> Iterator[tuple[Module, FunctionFacts, Span]]:
    """Where functions put a module of that name into `sys.modules`: by its name, or one that they make under that name,
    themselves or where they call a function that is given the name."""
    quoted = rf"[\"']{re.escape(name)}[\"']"
    stored = re.compile(rf"\bsys\.modules(?:\[\s*{quoted}\s*\]\s*=(?!=)|\.setdefault\(\s*{quoted})")
    yield from places_of(stored, _STUBBING, linker, asker)
    made = re.compile(rf"\b(?:{_MAKERS})\(\s*(?:name\s*=\s*)?{quoted}")
    for module, facts, _ in places_of(made, Words({name}), linker, asker):
        place = outside_comments(_PUTS_ANY, module.code, facts.span.start, facts.span.end)
        if place is not None:
            yield module, facts, place
    for _, putting, _ in places_of(_PUTS_ANY, _STUBBING, linker, asker):
        if not putting.is_module_body and not putting.is_local and putting.parameters:
            given = re.compile(rf"(?<!def )\b{re.escape(putting.name)}\([^()\n]*{quoted}")
            yield from places_of(given, Words({name}), linker, asker)


def places_of(
    form: re.Pattern[str], words: Words, linker: Linker, asker: str
) -> Iterator[tuple[Module, FunctionFacts, Span]]:
    """Where functions of the program have a form in their own text."""
    for module in linker.first_party.naming_in_text(words, asker, form):
        for facts in functions_of(module, form, lambda facts: True):
            place = outside_comments(form, module.code, facts.span.start, facts.span.end)
            if place is not None and owns(facts, place.start):
                yield module, facts, place


def imports_in(function: WorkerFunction) -> Iterator[tuple[str, Span]]:
    """The modules that statements of a function import, with where their names stand."""
    facts, text = function.facts, function.module.code
    if IMPORTING.search(text, facts.header.end, facts.span.end) is None:
        return
    for node in within(function.frame.paths.tree):
        for name in modules_named(node):
            named = re.compile(rf"\b{re.escape(name)}\b")
            place = outside_comments(named, text, facts.header.end, facts.span.end)
            if place is not None:
                yield name, place


def modules_named(node: ast.AST) -> list[str]:
    """The modules that a statement or a call imports by names that are written out; none if it is relative."""
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(source), level=0):
            return [source]
        case ast.Call(func=called, args=[ast.Constant(value=str(source)), *_]) if last_name(called) in IMPORTERS:
            return [source]
        case _:
            return []
