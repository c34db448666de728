"""Modules that the program loads from a path, and what may let other processes find them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lintpickle.analyses.at_import.import_time import runs_later
from lintpickle.facts.records import Called
from lintpickle.facts.values import parameter_name
from lintpickle.interpreter.abstract_values import Site
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.entry_arguments import parameter_at, place_given
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_BY_PATH = re.compile(r"\bspec_from_file_location\(|\bSourceFileLoader\(|\bexec\(")
_REGISTERS = re.compile(r"\bsys\.modules\b|\bload_module\(")
_MAY_BE_FOUND = re.compile(r"\bsys\.path\b|\bPYTHONPATH\b|\binitializer\b|copyreg")
"""What may let a worker import the module by its name, or load it by itself."""

_LOADING = Words({"spec_from_file_location", "SourceFileLoader", "exec("})


def is_loaded_by_path(way: Iterable[Site]) -> bool:
    """Whether the code by way of which a module comes loads one from a path."""
    return any(site.module.has(_BY_PATH) for site in way)


def is_in_sys_modules(way: Iterable[Site]) -> bool:
    """Whether that code may put the module into `sys.modules`."""
    return any(site.module.has(_REGISTERS) for site in way)


def may_be_found(way: Iterable[Site]) -> bool:
    """Whether workers may have such a module too, as they find it, load it, or come by the same code when they import
    the program."""
    return any(site.module.has(_MAY_BE_FOUND) or _is_at_import(site) for site in way)


def calls_attribute(module: Module, attribute: str) -> bool:
    """Whether the code of a module calls what an attribute of that name holds, or an item of it, also by another name
    (`fn = self.fns[key]`, `for fn in self.fns.values()`)."""
    held = rf"\.{re.escape(attribute)}"
    item = rf"{held}(?:\[[^\]\n]*\]|\.get\([^)\n]*\))"
    if module.has(re.compile(rf"{held}\(|{item}\(")):
        return True
    given = rf"\b(\w+)\s*=\s*\w+{item}|\bfor\s+(?:\w+\s*,\s*)?(\w+)\s+in\s+\w+{held}(?:\.(?:values|items)\(\))?\s*:"
    names = {found[1] or found[2] for found in re.finditer(given, module.code)}
    return any(module.has(re.compile(rf"(?<![\w.]){re.escape(name)}\(")) for name in names)


def given_to_workers(code: WorkerCode, linker: Linker) -> tuple[Crossing, ...]:
    """What the functions of workers are given, in a program that loads modules from paths."""
    boundary = code.boundary
    if boundary is None or not linker.first_party.is_anywhere(_LOADING, code.root.site.module.path):
        return ()
    return linker.shipped_by(boundary)


def is_called_as_given(crossing: Crossing, code: WorkerCode) -> bool:
    """Whether a function that workers begin with calls the parameter by which it gets what crosses."""
    spec, place = crossing.root.spec, place_given(crossing)
    if spec is None or place is None:
        return False
    for function in code.functions:
        name = parameter_at(place, function.facts, spec) if function.entry else None
        calls = (event.call.function for event in function.facts.events if isinstance(event, Called))
        if name is not None and any(parameter_name(each) == name for each in calls):
            return True
    return False


def _is_at_import(site: Site) -> bool:
    block = site.module.outline.block_at(site.span.start)
    return block is not None and not runs_later(block, site.module)
