"""Modules that each program imports only after it has set fork: no worker of these programs imports anything again."""

from __future__ import annotations

from lintpickle.analyses.at_import.import_time import runs_later
from lintpickle.analyses.at_import.imported_late import import_sites, is_named_by_others, may_be_script
from lintpickle.analyses.workers.worker_functions import places_setting_fork
from lintpickle.diagnostics import StartMethod
from lintpickle.interpreter.abstract_values import Site
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module


def is_imported_forked(module: Module, linker: Linker) -> bool:
    """Whether every module that imports a module has set fork above the import, or is imported so itself. One that may
    be a script, that is imported by its name in quotes, or with what is in it as a package, is not seen to be so."""
    if linker.moving_to is not None or linker.start_methods_at(module) != {StartMethod.FORK}:
        return False
    return linker.remembered(("imported forked", module.path), lambda: _is_forked(module, module.path, linker, set()))


def _is_forked(module: Module, asker: str, linker: Linker, seen: set[str]) -> bool:
    if module.path in seen:
        return True
    seen.add(module.path)
    if may_be_script(module) or module.file.is_package:
        return False
    sites = list(import_sites(module, asker, linker))
    if not sites or is_named_by_others(module, {site.module.path for site in sites}, asker, linker):
        return False
    return all(_is_below_fork(site) or _is_forked(site.module, asker, linker, seen) for site in sites)


def _is_below_fork(site: Site) -> bool:
    """Whether the module of an import statement sets fork above it, as it is imported itself."""
    module = site.module
    above = (place for place in places_setting_fork(module) if place < site.span.start)
    blocks = (module.outline.block_at(place) for place in above)
    return any(block is not None and not runs_later(block, module) for block in blocks)
