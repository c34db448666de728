"""Programs of a project that have not what only the main module of another one defines: a notebook, a script."""

from __future__ import annotations

import re

from lintpickle.analyses.at_import.import_callers import is_imported
from lintpickle.interpreter.abstract_values import Site
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_CALLED = re.compile(r"[^(]*?(\w+)\s*\(")


def is_of_another_program(start: Site, main: Module, asker: str, linker: Linker) -> bool:
    """Whether the call with which a way begins is made by another program than that of a main module: by a module that
    nobody imports. The main module itself does not make the same call. `asker` is the path of the module being judged.
    """
    if start.module is main or is_imported(start.module, linker, asker):
        return False
    called = _CALLED.match(start.module.code, start.span.start, start.span.end)
    return called is not None and not re.search(rf"\b{called[1]}\s*\(", main.code)
