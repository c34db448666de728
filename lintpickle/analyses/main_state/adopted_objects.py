"""Objects of modules that workers are given another one for, under the same name: by a function that declares it global
(`global stop; stop = event`), or as an attribute of the module (`control.stop = event`).

Measured with CPython 3.11 under spawn and forkserver: from then on the worker uses the one that it was given, which it
shares with the main process, and no more its own."""

from __future__ import annotations

from lintpickle.analyses.main_state.global_setters import setters_of, value_set
from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.analyses.workers.runs_elsewhere import runs_beside_main
from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import Call, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import ModuleValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction


def is_adopted_by_workers(owner: Owner, code: WorkerCode, linker: Linker) -> bool:
    """Whether a function that workers run stores another object under the name of an owner, other than one that a call
    in the function makes, of which each worker would have its own, too."""
    return any(
        _stores_given(owner.name, setter) and runs_beside_main(setter, owner.module, code, linker)
        for setter in setters_of(owner.name, owner.module)
    ) or any(_stores_in_module(owner, function, linker) for function in code.functions)


def _stores_given(name: str, setter: FunctionFacts) -> bool:
    """Whether a function gives a global anything but what a call there makes."""
    given = value_set(name, setter)
    return given is None or not all(isinstance(each, Call) for each in options_of(without_narrowing(given)))


def _stores_in_module(owner: Owner, function: WorkerFunction, linker: Linker) -> bool:
    """Whether a function stores an object as an attribute of the module of the owner."""
    for event in function.facts.events:
        if isinstance(event, Store) and event.attribute == owner.name and not isinstance(event.value, Call):
            holders = (each.value for each in linker.evaluate(event.target, function.frame))
            if any(isinstance(each, ModuleValue) and each.name == owner.module.name for each in holders):
                return True
    return False
