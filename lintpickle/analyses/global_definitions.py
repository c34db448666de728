"""Functions and classes that a function defines as globals of its module."""

from __future__ import annotations

from lintpickle.analyses.functions import MAIN, name_at_run
from lintpickle.analyses.global_setters import setters_of
from lintpickle.analyses.import_time import runs_on_import
from lintpickle.analyses.main_setters import runs_elsewhere
from lintpickle.facts.records import ClassFacts, FunctionFacts
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module


def made_by_main_alone(
    made: FunctionFacts | ClassFacts, module: Module, linker: Linker, asker: str
) -> FunctionFacts | None:
    """The function that defines a global, if no worker runs it and the module has nothing else of that name at import;
    None of all other definitions. `asker` is as for `OwnModules.search`.

    In the main script of a worker, it does not help that the worker runs it: `multiprocessing.spawn` copies what the
    script has once it is imported, and pickle looks names up in the copy.
    """
    if "global " not in module.code or made.is_local or module.outline.binding(made.name):
        return None
    if made.name in module.outline.imports:
        return None
    setters = setters_of(made.name, module)
    maker = next((each for each in setters if each.span.start < made.span.start < each.span.end), None)
    if maker is None or any(runs_on_import(each, module) for each in setters):
        return None
    is_script = module.path == asker and name_at_run(module) == MAIN
    return None if not is_script and any(runs_elsewhere(each, module, linker, asker) for each in setters) else maker
