"""Modules that the main process puts into `sys.modules` itself, and that functions of workers import."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.import_time import functions_of, outside_comments
from lintpickle.analyses.main_setters import Met, Setting, of_the_program, set_by, setter_at
from lintpickle.diagnostics import Span
from lintpickle.parsing.names_read import within
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_IMPORT = re.compile(r"\bimport\b")
_STUBBING = Words({"sys.modules"})


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
        for name, span in _imported(function) if function.module.first_party else ():
            if name in told:
                continue
            told.add(name)
            key = rf"[\"']{re.escape(name)}[\"']"
            stored = re.compile(rf"\bsys\.modules(?:\[\s*{key}\s*\]\s*=(?!=)|\.setdefault\(\s*{key})")
            setters = [
                setter_at(module, facts, place, linker, asker)
                for module in linker.first_party.naming_in_text(_STUBBING, asker, stored)
                for facts in functions_of(module, stored, lambda facts: True)
                if (place := outside_comments(stored, module.code, facts.span.start, facts.span.end)) is not None
                and facts.owns(place.start)
            ]
            is_found = name.partition(".")[0] in sys.stdlib_module_names or (
                linker.program.find(name, function.module) is not None
            )
            error = None if is_found else f"ModuleNotFoundError: No module named '{name}'"
            met = Met(error or "there it is the module itself", "set", error)
            setting = set_by(of_the_program(setters, code, linker), met, linker, asker)
            if setting is not None:
                yield StubbedModule(function, name, span, error), setting


def _imported(function: WorkerFunction) -> Iterator[tuple[str, Span]]:
    """The modules that statements of a function import, with where their names stand."""
    facts, text = function.facts, function.module.code
    if _IMPORT.search(text, facts.header.end, facts.span.end) is None:
        return
    for node in within(function.frame.paths.tree):
        match node:
            case ast.Import(names=names):
                imported = [alias.name for alias in names]
            case ast.ImportFrom(module=str(source), level=0):
                imported = [source]
            case _:
                continue
        for name in imported:
            named = re.compile(rf"\b{re.escape(name)}\b")
            place = outside_comments(named, text, facts.header.end, facts.span.end)
            if place is not None:
                yield name, place
