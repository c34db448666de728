"""Modules that the program loads from a path, and what may let other processes find them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lintpickle.analyses.import_time import runs_later
from lintpickle.interpreter.abstract_values import Site
from lintpickle.program.module import Module

_BY_PATH = re.compile(r"\bspec_from_file_location\(|\bSourceFileLoader\(|\bexec\(")
_REGISTERS = re.compile(r"\bsys\.modules\b|\bload_module\(")
_MAY_BE_FOUND = re.compile(r"\bsys\.path\b|\bPYTHONPATH\b|\binitializer\b|copyreg")
"""What may let a worker import the module by its name, or load it by itself."""


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
    """Whether the code of a module calls what an attribute of that name holds."""
    return module.has(re.compile(rf"\.{re.escape(attribute)}\("))


def _is_at_import(site: Site) -> bool:
    block = site.module.outline.block_at(site.span.start)
    return block is not None and not runs_later(block, site.module)
