"""Functions and classes that a function defines as globals of its module."""

from __future__ import annotations

from lintpickle.analyses.global_setters import setters_of
from lintpickle.analyses.main_setters import runs_elsewhere
from lintpickle.facts.records import ClassFacts, FunctionFacts
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module


def made_by_main_alone(
    made: FunctionFacts | ClassFacts, module: Module, linker: Linker, asker: str
) -> FunctionFacts | None:
    """The function that defines a global, if no worker runs it and the module has nothing else of that name at import;
    None of all other definitions. `asker` is as for `OwnModules.search`."""
    if "global " not in module.code or made.is_local or module.outline.binding(made.name):
        return None
    if made.name in module.outline.imports:
        return None
    setters = setters_of(made.name, module)
    maker = next((each for each in setters if each.span.start < made.span.start < each.span.end), None)
    if maker is None or any(runs_elsewhere(each, module, linker, asker) for each in setters):
        return None
    return maker
