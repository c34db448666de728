"""Modules whose import surely fails: whatever comes, they import a name from another module of the program that has no
such name (`from shop.orders import old_total`, long after that was renamed). Nothing in them runs.

Only what is certain counts: the other module belongs to a package, its text does not have the name at all, and it has
nothing by which names may come that are not written (`__getattr__`, a star import)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.parsing.imports import ImportedName
from lintpickle.parsing.syntax import BrokenSyntax, parse
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_CHANGES_PATHS = re.compile(
    r"\bsys\.path\b|\bsys\.modules\b|\b__path__\b|\bimportlib\b|\bexecfile\b|\bsite\.addsitedir\b"
)
"""What stands in modules that may import others than those that are found."""
_MAY_GET_NAMES = re.compile(
    r"\b__getattr__\b|\bglobals\(\)|\bvars\(\)|\blocals\(\)|\bexec\(|\bsys\.modules\b|\b__dict__\b"
)


def imports_absent_name(module: Module, linker: Linker) -> bool:
    """Whether a statement of the module itself imports a name that is not there."""
    if not module.first_party or module.document.cells is not None or module.has(_CHANGES_PATHS):
        return False
    return linker.remembered(("absent names", module.path), lambda: any(True for _ in _absent(module, linker)))


def _absent(module: Module, linker: Linker) -> Iterator[str]:
    try:
        statements = parse(module.code).body
    except BrokenSyntax:
        return
    for statement in statements:
        if isinstance(statement, ast.ImportFrom):
            imported = ImportedName(statement.module or "", None, statement.level)
            source = _plain_module(module.absolute(imported, linker.program.finder), module, linker)
            names = [each.name for each in statement.names] if source is not None else []
            yield from (name for name in names if name != "*" and source is not None and _lacks(source, name))


def _plain_module(name: str | None, importer: Module, linker: Linker) -> Module | None:
    """A module of the program, by its full name, that is one file of a package."""
    found = linker.program.find(name, importer) if name is not None and "." in name else None
    if found is None or not found.first_party or found.file.is_package or found.name != name:
        return None
    return found if not found.outline.stars and not found.has(_MAY_GET_NAMES) else None


def _lacks(module: Module, name: str) -> bool:
    return name not in module.outline.bound and re.search(rf"\b{re.escape(name)}\b", module.code) is None
