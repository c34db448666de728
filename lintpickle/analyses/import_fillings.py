"""Containers that modules fill when they are imported, where only the main process imports such a module."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from lintpickle.analyses.guarded_imports import imported_by_workers
from lintpickle.analyses.main_setters import Met, Setting
from lintpickle.analyses.run_scripts import RUNS_SCRIPT
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_OF_SUBCLASSES = "__init_subclass__"
_OF_METACLASS = frozenset({"__new__", "__init__"})
_BY_NAME = Words({"import_module", "__import__"})
_AS_LEFT = Met("there it is as the modules left it that workers import", "filled")
_WITHOUT_MORE = Met(_AS_LEFT.outcome, "filled further")


def filled_by_import(
    filling: Sequence[Module], function: WorkerFunction, code: WorkerCode, linker: Linker
) -> Setting | None:
    """How a container that a function of workers reads gets what it has, where modules fill it when they are imported;
    None if workers import one of them. For `migrate`, some may be imported by workers, if the program is seen to import
    another one."""
    asker = code.root.site.module
    there = imported_by_workers((function.module, asker), linker) if filling else ()
    lacking, met = [module for module in filling if module not in there], _AS_LEFT
    if len(lacking) < len(filling):
        lacking = [module for module in lacking if linker.moving_to is not None and imports(asker, module)]
        met = _WITHOUT_MORE
    if not lacking or (linker.moving_to is not None and _workers_import(lacking, asker.path, linker)):
        return None
    return Setting(met, f"by the import of `{lacking[0].name}`, which no worker makes", Site(lacking[0], Span(0, 0)))


def _workers_import(modules: Sequence[Module], asker: str, linker: Linker) -> bool:
    """Whether a function that runs in workers of the asker's boundaries imports one of the modules, or some by name or
    path."""
    names = "|".join(re.escape(module.name.rpartition(".")[2]) for module in modules)
    form = re.compile(rf"\bimport_module\(|\b__import__\(|{RUNS_SCRIPT}|\bimport\b[^\n#]*\b(?:{names})\b")
    codes = (code for code in linker.worker_codes() if code.root.site.module.path == asker)
    running = (function for code in codes for function in code.functions if function.module.first_party)
    return any(form.search(each.module.code, each.facts.span.start, each.facts.span.end) for each in running)


def imports(importing: Module, imported: Module) -> bool:
    """Whether a module is seen to import another one somewhere, by a statement, or by its name in quotes, the last part
    of which may be put in as the program runs (`f"plugins.{name}"`)."""
    name = re.escape(imported.name)
    last = re.escape(imported.name.rpartition(".")[2])
    by_name = "import_module" in importing.code or "__import__" in importing.code
    package = re.escape(imported.name.rpartition(".")[0])
    written = rf"|[\"']{name}[\"']" + (rf"|\bf[\"']{package}\.\{{" if package else "")
    form = rf"\bimport\b[^\n#]*\b{last}\b" + (written if by_name else "")
    return re.search(form, importing.code) is not None


def is_imported_by_main(filling: Module, code: WorkerCode, linker: Linker) -> bool:
    """Whether the module that starts workers is seen to import another one, or has its name in quotes where the program
    imports by name, and workers import none by name."""
    starts = code.root.site.module
    by_name = linker.first_party.is_anywhere(_BY_NAME, starts.path)
    is_quoted = by_name and re.search(rf"[\"']{re.escape(filling.name)}[\"']", starts.code) is not None
    return (is_quoted or imports(starts, filling)) and not _workers_import([filling], starts.path, linker)


def bases_noting(function: FunctionFacts, module: Module, linker: Linker, asker: str) -> Collection[str]:
    """The names of the classes of which every subclass runs a function when it is defined: `__init_subclass__` of a
    class, or a method of a metaclass."""
    block = module.outline.block_at(function.span.start)
    if block is None or not block.is_class or function.is_local:
        return ()
    name = block.names[0]
    if function.name == _OF_SUBCLASSES:
        return (name,)
    is_metaclass = any(base == "type" or base.endswith("Meta") for header in block.classes for base in header.bases)
    if function.name not in _OF_METACLASS or not is_metaclass:
        return ()
    made = re.compile(rf"^\s*class\s+(\w+)\s*\([^)]*\bmetaclass\s*=\s*(?:\w+\.)*{re.escape(name)}\b", re.MULTILINE)
    modules = linker.first_party.naming_in_text(Words({name}), asker, made)
    return sorted({found[1] for each in modules for found in made.finditer(each.code)})


def deriving(bases: Collection[str], linker: Linker, asker: str) -> Iterator[Module]:
    """The modules in which a class is derived from one of some classes, by their names."""
    if bases:
        derived = re.compile(rf"^\s*class\s+\w+\([^)]*\b(?:{'|'.join(map(re.escape, bases))})\b", re.MULTILINE)
        yield from linker.first_party.naming_in_text(Words(set(bases)), asker, derived)
