"""Functions and classes that a function defines as globals of its module."""

from __future__ import annotations

from lintpickle.analyses.functions import MAIN, name_at_run
from lintpickle.analyses.global_setters import setters_of
from lintpickle.analyses.import_time import runs_on_import
from lintpickle.analyses.main_setters import runs_elsewhere
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import Site
from lintpickle.payload.linker import Linker


def made_by_main_alone(name: str, site: Site, linker: Linker, asker: str) -> FunctionFacts | None:
    """The function that defines a global at a place, or gives it a class there that a call makes, if no worker runs it
    and the module has nothing else of that name at import; None of all other definitions. `asker` is as for
    `OwnModules.search`.

    In the main script of a worker, it does not help that the worker runs it: `multiprocessing.spawn` copies what the
    script has once it is imported, and pickle looks names up in the copy.
    """
    module, place = site.module, site.span
    if "global " not in module.code or module.outline.binding(name):
        return None
    if name in module.outline.imports:
        return None
    setters = setters_of(name, module)
    maker = next((each for each in setters if each.span.start < place.start < each.span.end), None)
    if maker is None or any(runs_on_import(each, module) for each in setters):
        return None
    is_script = module.path == asker and name_at_run(module) == MAIN
    return None if not is_script and any(runs_elsewhere(each, module, linker, asker) for each in setters) else maker
