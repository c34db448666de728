"""Packages whose `__path__` the main process extends as it runs, and what functions of workers import from them: the
search path of modules (`sys.path`) goes along to workers that are not forked, those of packages do not.

Measured with CPython 3.11 under fork, spawn and forkserver."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import outside_comments
from lintpickle.analyses.at_import.stubbed_modules import IMPORTERS, IMPORTING, modules_named, places_of
from lintpickle.analyses.calls_and_values.values import literals
from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting, of_the_program, set_by, setter_at
from lintpickle.control_flow.attempts import is_ready_for
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import dotted, last_name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_PATH = Words({"__path__"})
_EXTENDS = re.compile(
    r"(?<![\w.])(?:(?P<package>\w+(?:\.\w+)*)\.)?__path__(?:\s*\.\s*(?:append|insert|extend)\(|(?:\[[^\]\n]*\])?\s*\+?=(?!=))"
)
_OWN_NAMES = frozenset({"__name__", "__package__"})
_NOT_IN_FOLDER = "ModuleNotFoundError"


class ImportFromPackage(Struct, frozen=True):
    """An import from an extended package in a function of workers: the package, the place, and how it ends there."""

    function: WorkerFunction
    package: str
    span: Span
    error: str | None


def imports_from_extended(code: WorkerCode, linker: Linker) -> Iterator[tuple[ImportFromPackage, Setting]]:
    """The imports in functions of workers that may find their module only by what the main process puts into the
    `__path__` of a package, the first for each package. For `migrate`."""
    asker = code.root.site.module.path
    if linker.moving_to is None or not linker.first_party.is_anywhere(_PATH, asker, _EXTENDS):
        return
    setters: dict[str, list[Setter]] = {}
    for module, facts, place in places_of(_EXTENDS, _PATH, linker, asker):
        package = _package_at(place, module, linker)
        if package is not None:
            setters.setdefault(package, []).append(setter_at(module, facts, place, linker, asker))
    for package in sorted(setters):
        needed = next(filter(None, (_first_import(package, each, linker) for each in code.functions)), None)
        if needed is not None:
            met = Met("there it has the folder of the package alone", "set", needed.error)
            setting = set_by(of_the_program(setters[package], code, linker), met, linker, asker)
            if setting is not None:
                yield needed, setting


def _package_at(place: Span, module: Module, linker: Linker) -> str | None:
    """The name of the package that is extended at a place."""
    found = _EXTENDS.match(module.code, place.start)
    if found is None or found["package"] is None:
        return module.name if found is not None and module.path.endswith("__init__.py") else None
    return _named(found["package"], module, linker)


def _named(written: str, module: Module, linker: Linker) -> str | None:
    """The package that a name of a module stands for."""
    first, _, rest = written.partition(".")
    imported = module.outline.imports.get(first)
    source = module.absolute(imported, linker.program.finder) if imported is not None else None
    if imported is None or source is None:
        return None
    whole = f"{source}.{imported.name}" if imported.name else source
    return f"{whole}.{rest}" if rest and imported.name else max(whole, written, key=len)


def _first_import(package: str, function: WorkerFunction, linker: Linker) -> ImportFromPackage | None:
    facts, module = function.facts, function.module
    place = outside_comments(IMPORTING, module.code, facts.header.end, facts.span.end) if module.first_party else None
    for node in within(function.frame.paths.tree) if place is not None else ():
        name = _name_imported(node, package, function, linker)
        if name is not None and place is not None:
            is_handled = any(
                is_ready_for(error, function.frame.paths.tree, getattr(node, "lineno", 1))
                for error in ("ImportError", "ModuleNotFoundError", "Exception")
            )
            error = f"{_NOT_IN_FOLDER}: No module named '{name}'" if name else _NOT_IN_FOLDER
            return ImportFromPackage(function, package, place, None if is_handled else error)
    return None


def _name_imported(node: ast.AST, package: str, function: WorkerFunction, linker: Linker) -> str | None:
    """The name of a module that an import seeks in a package where no file is found; "" if the name is composed as the
    program runs; None of all else."""
    names = modules_named(node)
    match node:
        case ast.ImportFrom(module=str(source), names=aliases, level=0) if source == package:
            names = [f"{source}.{each.name}" for each in aliases]
        case ast.Call(func=called, args=[composed, *others]) if not names and last_name(called) in IMPORTERS:
            is_own = _begins_with(composed, package, function, linker) or _is_relative(
                others, package, function, linker
            )
            return "" if is_own and not _are_found(node, function, linker) else None
        case _:
            pass
    inside = (each for each in names if each.startswith(f"{package}."))
    return next((each for each in inside if not _is_found(each, function, linker)), None)


def _begins_with(name: ast.expr, package: str, function: WorkerFunction, linker: Linker) -> bool:
    """Whether a composed name begins with that of the package: `f"{__name__}.{kind}"`, `"plugins." + kind`."""
    match name:
        case (
            ast.JoinedStr(values=[ast.Constant(value=str(first)), *_])
            | ast.BinOp(left=ast.Constant(value=str(first)), op=ast.Add() | ast.Mod())
        ):
            return first.startswith(f"{package}.")
        case ast.JoinedStr(values=[ast.FormattedValue(value=first), *_]):
            return _is_name_of(first, package, function, linker)
        case ast.BinOp(left=first, op=ast.Add()):
            return _is_name_of(first, package, function, linker) or _begins_with(first, package, function, linker)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(first)), attr="format")):
            return first.startswith(f"{package}.")
        case _:
            return False


def _is_relative(others: list[ast.expr], package: str, function: WorkerFunction, linker: Linker) -> bool:
    """Whether an import names the package beside a name relative to it: `import_module("." + kind, "plugins")`."""
    match others:
        case [ast.Constant(value=str(named)), *_]:
            return named == package
        case [named, *_]:
            return _is_name_of(named, package, function, linker)
        case _:
            return False


def _is_name_of(node: ast.expr, package: str, function: WorkerFunction, linker: Linker) -> bool:
    """Whether an expression is the name of the package: `__name__` in its own module, `plugins.__name__` elsewhere."""
    match node:
        case ast.Name(id=name) if name in _OWN_NAMES:
            return function.module.name == package
        case ast.Attribute(value=owner, attr=name) if name in _OWN_NAMES and dotted(owner):
            return _named(dotted(owner), function.module, linker) == package
        case _:
            return False


def _are_found(node: ast.AST, function: WorkerFunction, linker: Linker) -> bool:
    """Whether all names that a call may compose are those of files which are found."""
    start = function.frame.paths.span(node).start if isinstance(node, ast.expr) else -1
    for event in function.facts.events:
        if isinstance(event, Called) and event.call.span.start == start:
            given = event.call.positional() or ()
            known = literals(given[0], function.frame, linker) if given else None
            return bool(known) and all(
                isinstance(each, str) and _is_found(each, function, linker) for each in known or ()
            )
    return False


def _is_found(name: str, function: WorkerFunction, linker: Linker) -> bool:
    """Whether there is a module of that name, or its package binds the last part of it."""
    if linker.program.find(name, function.module) is not None:
        return True
    package, _, last = name.rpartition(".")
    home = linker.program.find(package, function.module)
    return home is not None and bool(home.outline.binding(last) or last in home.outline.imports or home.outline.stars)
