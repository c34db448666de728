"""Self-tests: what stands under the main guard of a module that others import, to try the module out."""

from __future__ import annotations

import re

from lintpickle.analyses.at_import.import_time import guard_of
from lintpickle.interpreter.abstract_values import Site
from lintpickle.payload.imported_modules import imports_module
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_IMPORTS = r"(?m)^[ \t]*(?:from|import)\b[^\n]*\b{0}\b|^[ \t]*from\b[^\n]*\("
_RUN_ITSELF = re.compile(r"(?:^|_)(?:app|bot|cli|eval|evaluate|main|run|server|start|test|train)(?:_|$)|^__main__$")
"""Names of scripts, of which others borrow a function."""


def is_self_test(place: Site, linker: Linker) -> bool:
    """Whether a place stands under the main guard of a module that is there for other modules of the library, which
    import it: nobody but its author runs that."""
    module = place.module
    if guard_of(place.span.start, module) is None or _RUN_ITSELF.search(_own_name(module)) is not None:
        return False
    return linker.remembered(("imported by the library", module.path), lambda: _is_imported(module, linker))


def _is_imported(module: Module, linker: Linker) -> bool:
    name = _own_name(module)
    named = linker.first_party.naming_in_text(Words({name}), module.path, re.compile(_IMPORTS.format(re.escape(name))))
    return any(
        other is not module and linker.purposes.is_library(other.path) and imports_module(other, module, linker.program)
        for other in named
    )


def _own_name(module: Module) -> str:
    return module.name.rpartition(".")[2]
