"""Places of a script that nothing gets to: a statement before them imports from a module beside it as from a package.

Measured with CPython 3.11 and 3.13: `import plugins.sites`, where `plugins.py` stands beside the script, ends in a
ModuleNotFoundError ("'plugins' is not a package"), also if there is a folder `plugins` without `__init__.py`, or an
installed package of that name. Where the script's own folder is called so, `python -m plugins.script` finds it."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator

from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.syntax import BrokenSyntax, parse
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_PATH = "__path__"
"""A module that sets this is a package after all."""


def is_behind_failing_import(site: Site, linker: Linker) -> bool:
    """Whether an import that stands before a place at the level of its module surely fails."""
    module = site.module
    if module.document.cells is not None:
        return False
    row = module.code.count("\n", 0, site.span.start) + 1
    found = linker.remembered(("failing imports", module.path), lambda: tuple(_failing(module, linker)))
    return any(imported < row for imported in found)


def _failing(module: Module, linker: Linker) -> Iterator[int]:
    """The rows of such imports."""
    try:
        statements = parse(module.code).body
    except BrokenSyntax:
        return
    for statement in statements:
        match statement:
            case ast.Import(names=names):
                imported = [each.name for each in names]
            case ast.ImportFrom(module=str(name), level=0):
                imported = [name]
            case _:
                continue
        if any(_is_of_plain_module(each, module, linker) for each in imported):
            yield statement.lineno


def _is_of_plain_module(name: str, script: Module, linker: Linker) -> bool:
    """Whether a dotted name begins with that of a module which stands beside the script and is no package."""
    first, _, rest = name.partition(".")
    file = linker.program.file_of(first, script) if rest else None
    if file is None or not file.first_party or file.is_package:
        return False
    found = linker.program.find(first, script)
    folder = os.path.dirname(script.path)
    is_beside = os.path.dirname(file.path) == folder and os.path.basename(folder) != first
    return is_beside and found is not None and _PATH not in found.code
