"""Where the program imports a module: as it begins, which workers do again, or only in a function, under its main
guard, or in the `__main__.py` of a package, which workers leave out. (Measured with CPython 3.11 and 3.13: a worker
under spawn or forkserver runs the script again as `__mp_main__`, but not what `python -m package` runs, and imports
what defines its task; that is all it imports by itself.)"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_callers import runs_on_another_import
from lintpickle.analyses.at_import.import_runs import runs_on_import
from lintpickle.analyses.at_import.import_time import functions_of, is_main_file, runs_later
from lintpickle.analyses.at_import.local_imports import own_imports_of
from lintpickle.analyses.at_import.naming_modules import imported_by
from lintpickle.diagnostics import Span
from lintpickle.facts.methods import owns
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue, Site
from lintpickle.parsing.imports import ImportedName
from lintpickle.parsing.main_guard import has_guard
from lintpickle.parsing.syntax import with_owners
from lintpickle.payload.components import WORKER_KINDS
from lintpickle.payload.imported_modules import import_places, imported_with, imports_module
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.cross_module import run_by_workers
from lintpickle.program.module import Module
from lintpickle.source.file_kinds import PlaceKind


class Unpickled(Struct, frozen=True):
    """Where something crosses to workers, the name of the function or of the class, and the module that they import for
    it."""

    site: Site
    name: str
    home: Module


_FOR_TYPES = re.compile(r"if[ \t]+(?:\w+\.)?TYPE_CHECKING\b")


def is_only_imported_late(module: Module, linker: Linker) -> bool:
    """Whether the program imports a module of workers' boundaries, but no worker does. One that may be a script itself,
    or that something imports by its name in quotes, is not seen to be such a module."""
    return linker.remembered(("only imported late", module.path), lambda: _is_only_late(module, linker))


def _is_only_late(module: Module, linker: Linker) -> bool:
    ways = _late_ways(module, linker)
    if ways is None or _is_imported_by_workers(module, module.path, linker):
        return False
    linker.worker_codes()
    return not any(linker.cross_module.is_shared(module.path, run_by_workers(path)) for path in sorted(ways))


def is_only_imported_by_main_files(module: Module, linker: Linker) -> bool:
    """Whether the `__main__.py` of a package imports a module, or what imports it, and the program imports it in no
    other way as it begins: then workers import it only for what they are given from there."""
    ways = _late_ways(module, linker)
    modules = linker.first_party.modules(ways) if ways is not None else ()
    return any(is_main_file(site.module) for each in modules for site in import_sites(each, module.path, linker))


def _late_ways(module: Module, linker: Linker) -> frozenset[str] | None:
    """The paths of a module that is imported late, and of those by way of which it is; None if it is not."""

    def found() -> frozenset[str] | None:
        seen: set[str] = set()
        return frozenset(seen) if _is_late(module, module.path, linker, seen) else None

    return linker.remembered(("imported late by way of", module.path), found)


def may_be_script(module: Module) -> bool:
    """Whether a module has a main guard."""
    return has_guard(module.code)


def first_import(module: Module, linker: Linker) -> Site | None:
    """Where another module of the program imports a module as it is imported itself, if there is one, not a
    `__main__.py`; None if it is a script, too."""
    if may_be_script(module):
        return None
    sites = [site for site in import_sites(module, module.path, linker) if not _is_later(site, linker)]
    return min(sites, key=lambda site: is_main_file(site.module), default=None)


def unpickled_first(module: Module, linker: Linker) -> Unpickled | None:
    """The first thing that crosses to workers and has them import a module: a function or the class of an object that
    is defined there, or in a module that imports it. (Measured with CPython 3.11 and 3.13: to unpickle a function or an
    instance imports the module of the function, or of the class.)"""
    crossing = linker.remembered("modules unpickled", lambda: tuple(_unpickled(linker)))
    return next((each for each in crossing if module in imported_with([each.home], linker)), None)


def _unpickled(linker: Linker) -> Iterator[Unpickled]:
    """What has workers import a module of the program, the first for each module."""
    homes: set[str] = set()
    for each in (*_functions_sent(linker), *_classes_sent(linker)):
        if each.home.first_party and each.home.path not in homes:
            homes.add(each.home.path)
            yield each


def _functions_sent(linker: Linker) -> Iterator[Unpickled]:
    for code in linker.worker_codes():
        for first in code.functions[:1]:
            yield Unpickled(code.root.site, first.facts.name, first.module)


def _classes_sent(linker: Linker) -> Iterator[Unpickled]:
    for boundary in linker.boundary_calls():
        if boundary.spec.kind in WORKER_KINDS and linker.boundaries.crosses(boundary):
            for crossing in linker.shipped_by(boundary):
                match crossing.value:
                    case InstanceValue(class_=ClassValue(module=home, facts=facts)):
                        yield Unpickled(boundary.site, facts.name, home)
                    case _:
                        pass


def _is_late(module: Module, asker: str, linker: Linker, seen: set[str]) -> bool:
    if module.path in seen:
        return True
    seen.add(module.path)
    if may_be_script(module):
        return False
    sites = import_sites(module, asker, linker)
    if not sites or is_named_by_others(module, {site.module.path for site in sites}, asker, linker):
        return False
    return all(
        is_main_file(site.module) or _is_later(site, linker) or _is_late(site.module, asker, linker, seen)
        for site in sites
    )


def _importing(module: Module, asker: str, linker: Linker) -> Iterator[Module]:
    """The other modules that import a module somewhere, without tests: what these start is the concern of pytest."""
    last = module.name.rpartition(".")[2]
    for each in linker.first_party.naming_in_text(Words({last}), asker, imported_by(module)):
        is_test = linker.purposes.kind(each.path) is PlaceKind.TESTS
        if each.path != module.path and not is_test and imports_module(each, module, linker.program):
            yield each


def import_sites(module: Module, asker: str, linker: Linker) -> tuple[Site, ...]:
    """The import statements of the program that run a module, without those of tests; `asker` is as for
    `FirstPartyModules.search`."""
    return linker.remembered(("import sites", module.path, asker), lambda: tuple(_sites(module, asker, linker)))


def _sites(module: Module, asker: str, linker: Linker) -> Iterator[Site]:
    for importing in _importing(module, asker, linker):
        for span, targets in import_places(importing):
            if any(_runs(target, importing, module, linker) for target in targets or ()):
                yield Site(importing, span)


def _runs(target: ImportedName, importing: Module, module: Module, linker: Linker) -> bool:
    source = importing.absolute(target, linker.program.finder)
    if source is None:
        return False
    for name in with_owners(f"{source}.{target.name}" if target.name else source):
        file = linker.program.file_of(name, importing)
        if file is not None and file.path == module.path:
            return True
    return False


def is_named_by_others(module: Module, importing: set[str], asker: str, linker: Linker) -> bool:
    """Whether modules import it by its name in quotes, whenever that may be."""
    return any(each.path not in importing for each in _importing(module, asker, linker))


def _is_later(site: Site, linker: Linker) -> bool:
    """Whether an import statement does not run as its module is imported."""
    module, place = site.module, site.span.start
    block = module.outline.block_at(place)
    if block is None:
        return False
    if _FOR_TYPES.match(module.facts.text(block)):
        return True
    if not runs_later(block, module):
        return False
    around = _functions_around(module, site.span)
    return not any(
        runs_on_import(each, module, linker) or runs_on_another_import(each, module, linker, module.path)
        for each in around
    )


def _functions_around(module: Module, span: Span) -> list[FunctionFacts]:
    form = re.compile(re.escape(module.code[span.start : span.end]))
    holding = functions_of(module, form, lambda each: not each.is_module_body and owns(each, span.start))
    return [each for each in holding if each.span.start <= span.start < each.span.end]


def _is_imported_by_workers(module: Module, asker: str, linker: Linker) -> bool:
    """Whether what workers of the asker's boundaries run is in modules that import a module, or imports one itself.
    For `migrate`, which judges the whole program, also whether it comes with what any worker gets."""
    if linker.moving_to is not None and unpickled_first(module, linker) is not None:
        return True
    codes = (code for code in linker.worker_codes() if code.root.site.module.path == asker)
    running = [function for code in codes for function in (*code.functions, *code.by_value)]
    homes = dict.fromkeys(each.module for each in running if each.module.first_party)
    for function in running:
        for imported in own_imports_of(function.facts).values():
            source = function.module.absolute(imported.target, linker.program.finder)
            for name in (f"{source}.{imported.target.name}", source) if source else ():
                found = linker.program.find(name, function.module)
                if found is not None and found.first_party:
                    homes[found] = None
    return module in imported_with(homes, linker)
