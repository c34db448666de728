"""Whether functions run in workers, too, or as modules are imported: what they set, not only the main process has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_callers import calling_as_kept, runs_on_another_import
from lintpickle.analyses.at_import.import_runs import runs_on_import
from lintpickle.analyses.at_import.import_time import outer_function
from lintpickle.analyses.at_import.naming_modules import imported_by
from lintpickle.analyses.calls_and_values.decorators_applied import decorators_applied
from lintpickle.analyses.workers.called_on_arrival import is_called_on_arrival
from lintpickle.analyses.workers.initializers_named import beginning_with, is_called_by_initializer
from lintpickle.analyses.workers.task_workers import task_codes
from lintpickle.facts.records import FunctionFacts
from lintpickle.payload.components import WORKER_KINDS
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module


def runs_elsewhere(setter: FunctionFacts, module: Module, linker: Linker, asker: str) -> bool:
    """Whether a function runs in workers as well, or when its module is imported, or another one that calls it."""
    return (
        runs_in_workers(setter, module, linker, asker)
        or runs_on_import(setter, module, linker)
        or runs_on_another_import(setter, module, linker, asker)
    )


def runs_in_workers(setter: FunctionFacts, home: Module, linker: Linker, asker: str) -> bool:
    """Whether workers run it that the asker's own boundaries start, or something names it as what workers begin with:
    its own module, or one that names that; or names what calls it. (What other modules' workers run is not asked: in a
    run that judges some modules alone, it is not known.)"""
    run = linker.remembered(("runs in workers of", asker), lambda: _run_by(asker, linker))
    if id(setter) in run or any(id(each) in run for each in calling_as_kept(setter, home, linker, asker)):
        return True
    if setter.is_module_body:
        return False
    if is_given_back(setter, home) and id(outer_function(setter, home)) in run:
        return True
    if setter.name in linker.remembered(("applied in workers of", asker), lambda: _applied_by(asker, linker)):
        return True
    is_method = "." in setter.qualname and not setter.is_local
    owner = r"(?:\w+\.)+" if is_method else r"(?:\w+\.)*"
    begins = beginning_with(re.escape(setter.name), owner)
    naming = linker.first_party.naming_in_text(Words({setter.name}), asker, begins)
    own_name = imported_by(home)
    if any(module is home or own_name.search(module.code) is not None for module in naming):
        return True
    return is_called_on_arrival(setter, home) or is_called_by_initializer(setter, home, asker, linker)


def is_given_back(setter: FunctionFacts, module: Module) -> bool:
    """Whether a function stands in one that returns it, as the maker of a decorator does."""
    if not setter.is_local:
        return False
    around = outer_function(setter, module).span
    giving = re.compile(rf"\breturn[ \t]+{re.escape(setter.name)}[ \t]*$", re.MULTILINE)
    return giving.search(module.code, setter.span.end, around.end) is not None


def _run_by(asker: str, linker: Linker) -> frozenset[int]:
    """The ids of the functions that run in the workers of the asker's boundaries."""
    return frozenset(id(each.facts) for each in _worker_functions(asker, linker))


def _applied_by(asker: str, linker: Linker) -> frozenset[str]:
    """The names of the decorators that these functions apply."""
    return frozenset(name for each in _worker_functions(asker, linker) for name in decorators_applied(each.facts))


def _worker_functions(asker: str, linker: Linker) -> Iterator[WorkerFunction]:
    """The functions that run in the workers of the asker's boundaries, also as the initializers of pools that other
    modules make for it."""
    own = [code for code in linker.worker_codes() if code.root.site.module.path == asker]
    of_pools = (
        code
        for each in linker.boundary_calls()
        if each.site.module.path == asker and each.spec.kind in WORKER_KINDS
        for code in linker.worker_codes_of_makers(each)
        if code.root.site.module.path != asker
    )
    own += [code for code in task_codes(linker) if code.root.site.module.path == asker]
    return (each for code in (*own, *of_pools) for each in (*code.functions, *code.by_value))
