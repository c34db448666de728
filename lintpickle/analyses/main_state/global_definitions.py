"""Functions and classes that a function defines as globals of its module."""

from __future__ import annotations

import re

from lintpickle.analyses.at_import.import_runs import runs_on_import
from lintpickle.analyses.calls_and_values.functions import MAIN, name_at_run
from lintpickle.analyses.main_state.global_setters import setters_of
from lintpickle.analyses.main_state.globals_stored import may_store_without_declaring
from lintpickle.analyses.workers.runs_elsewhere import runs_elsewhere
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import says_none
from lintpickle.interpreter.abstract_values import Site
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_DECLARES = re.compile(r"\bglobal\s")


def made_by_main_alone(name: str, site: Site, linker: Linker, asker: str) -> FunctionFacts | None:
    """The function that defines a global at a place, or gives it a class there that a call makes, if no worker runs it
    and the module has nothing but None of that name at import; None of all other definitions. `asker` is as for
    `OwnModules.search`.

    In the main script of a worker, it does not help that the worker runs it: `multiprocessing.spawn` copies what the
    script has once it is imported, and pickle looks names up in the copy.
    """
    module, place = site.module, site.span
    if not (module.has(_DECLARES) or may_store_without_declaring(module)) or is_given_at_import(name, module):
        return None
    setters = setters_of(name, module)
    maker = next((each for each in setters if each.span.start < place.start < each.span.end), None)
    if maker is None or any(runs_on_import(each, module, linker) for each in setters):
        return None
    is_script = module.path == asker and name_at_run(module) == MAIN
    return None if not is_script and any(runs_elsewhere(each, module, linker, asker) for each in setters) else maker


def is_given_at_import(name: str, module: Module) -> bool:
    """Whether the import of a module may give a global something other than None."""
    if name in module.outline.imports:
        return True
    if not module.outline.binding(name):
        return False
    values = [facts.values.get(name) for facts in module.blocks_binding(name)]
    return not values or not all(map(says_none, values))
