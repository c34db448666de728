"""Whether functions run in workers, too, or as modules are imported: what they set, not only the main process has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_callers import calling_as_kept, runs_on_another_import
from lintpickle.analyses.at_import.import_runs import runs_on_import
from lintpickle.analyses.at_import.import_time import is_given_back, outer_function
from lintpickle.analyses.at_import.naming_modules import imported_by
from lintpickle.analyses.main_state.calls_of_main import calls_by_others
from lintpickle.analyses.workers.called_on_arrival import is_called_on_arrival
from lintpickle.analyses.workers.initializers_named import beginning_with, is_called_by_initializer
from lintpickle.analyses.workers.seen_workers import (
    RunInWorkers,
    all_run_in_workers,
    run_in,
    run_in_workers_of,
)
from lintpickle.analyses.workers.task_workers import task_codes
from lintpickle.facts.records import FunctionFacts
from lintpickle.payload.components import WORKER_KINDS
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module


def runs_elsewhere(setter: FunctionFacts, module: Module, linker: Linker, asker: str) -> bool:
    """Whether a function runs in workers as well, or when its module is imported, or another one that calls it."""
    return runs_in_workers(setter, module, linker, asker) or runs_on_any_import(setter, module, linker, asker)


def is_of_other_workers(setter: FunctionFacts, home: Module, code: WorkerCode, linker: Linker) -> bool:
    """Whether only workers of other boundaries run a function that workers run, as the initializer of another pool.
    That is asked for `migrate` alone."""
    own = run_in_workers_of(code, linker) if linker.moving_to is not None else None
    if own is None or setter.is_module_body:
        return False
    asker = code.root.site.module.path
    if _is_run(setter, home, own, linker, asker) or is_called_on_arrival(setter, home):
        return False
    return runs_in_workers(setter, home, linker, asker)


def runs_beside_main(setter: FunctionFacts, module: Module, code: WorkerCode, linker: Linker) -> bool:
    """Whether a function runs in the workers of a boundary, or as modules are imported. Without `migrate`, and if they
    may run more than is seen, what workers of other boundaries run counts, too."""
    asker = code.root.site.module.path
    if is_of_other_workers(setter, module, code, linker):
        return runs_on_any_import(setter, module, linker, asker)
    return runs_elsewhere(setter, module, linker, asker)


def is_of_main_too(setter: FunctionFacts, linker: Linker, asker: str) -> bool:
    """Whether the main process is seen to call a function that workers run."""
    return next(calls_by_others(setter, None, all_run_in_workers(linker), linker, asker), None) is not None


def runs_on_any_import(setter: FunctionFacts, module: Module, linker: Linker, asker: str) -> bool:
    """Whether a function runs when its module is imported, or another one that calls it."""
    return runs_on_import(setter, module, linker) or runs_on_another_import(setter, module, linker, asker)


def runs_in_workers(setter: FunctionFacts, home: Module, linker: Linker, asker: str) -> bool:
    """Whether workers run it that the asker's own boundaries start, or something names it as what workers begin with:
    its own module, or one that names that; or names what calls it. (What other modules' workers run is not asked: in a
    run that judges some modules alone, it is not known.)"""
    question = ("runs in workers", home.path, setter.qualname, setter.span, asker)
    return linker.remembered(question, lambda: _runs_in_workers(setter, home, linker, asker))


def _runs_in_workers(setter: FunctionFacts, home: Module, linker: Linker, asker: str) -> bool:
    run = linker.remembered(("runs in workers of", asker), lambda: run_in(_worker_functions(asker, linker), linker))
    if _is_run(setter, home, run, linker, asker):
        return True
    if setter.is_module_body:
        return False
    is_method = "." in setter.qualname and not setter.is_local
    owner = r"(?:\w+\.)+" if is_method else r"(?:\w+\.)*"
    begins = beginning_with(re.escape(setter.name), owner)
    naming = linker.first_party.naming_in_text(Words({setter.name}), asker, begins)
    own_name = imported_by(home)
    if any(module is home or own_name.search(module.code) is not None for module in naming):
        return True
    return is_called_on_arrival(setter, home) or is_called_by_initializer(setter, home, asker, linker)


def _is_run(setter: FunctionFacts, home: Module, run: RunInWorkers, linker: Linker, asker: str) -> bool:
    """Whether a function is one of those that workers run, or what these call or apply by other names."""
    ids = run.functions
    if id(setter) in ids or any(id(each) in ids for each in calling_as_kept(setter, home, linker, asker)):
        return True
    if setter.is_module_body:
        return False
    return (is_given_back(setter, home) and id(outer_function(setter, home)) in ids) or setter.name in run.applied


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
