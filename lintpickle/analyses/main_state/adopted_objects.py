"""Objects of modules that workers are given another one for, under the same name: by a function that declares it global
(`global stop; stop = event`), or as an attribute of the module (`control.stop = event`), or of the class in the body of
which it is made (`cls.stop = event`, in an initializer that is a classmethod).

Measured with CPython 3.11 under spawn and forkserver: from then on the worker uses the one that it was given, which it
shares with the main process, and no more its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.main_state.global_setters import setters_of, value_set
from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.analyses.workers.runs_elsewhere import runs_beside_main
from lintpickle.facts.records import Event, FunctionFacts, Store
from lintpickle.facts.values import Call, Expr, Name, Parameter, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, ModuleValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction


def is_adopted_by_workers(owner: Owner, code: WorkerCode, linker: Linker) -> bool:
    """Whether a function that workers run stores another object under the name of an owner, other than one that a call
    in the function makes, of which each worker would have its own, too."""
    if any(runs_beside_main(each, owner.module, code, linker) for each in _setters(owner)):
        return True
    return any(_stores_from_outside(owner, function, linker) for function in code.functions)


def _setters(owner: Owner) -> Iterator[FunctionFacts]:
    """The functions of the module of an owner that give its name another object."""
    if owner.block.is_class:
        yield from _setters_in_class(owner)
    else:
        yield from (each for each in setters_of(owner.name, owner.module) if _stores_given(owner.name, each))


def _stores_given(name: str, setter: FunctionFacts) -> bool:
    """Whether a function gives a global anything but what a call there makes."""
    given = value_set(name, setter)
    return given is None or _is_given(given)


def _setters_in_class(owner: Owner) -> Iterator[FunctionFacts]:
    """The functions of the module of a class that give it another object in the place of one that its body makes."""
    form = re.compile(rf"\b{re.escape(owner.name)}\b")
    return functions_of(
        owner.module, form, lambda facts: any(_gives_class(owner, each, facts) for each in facts.events)
    )


def _gives_class(owner: Owner, event: Event, facts: FunctionFacts) -> bool:
    """Whether what a function does is to store an object that it is given as the attribute of a class."""
    if facts.is_module_body or not isinstance(event, Store) or event.attribute != owner.name:
        return False
    class_name = owner.block.names[0]
    match event.target:
        case Name(name=name):
            return name == class_name and _is_given(event.value)
        case Parameter(name=name):
            is_own = facts.decorated_by("classmethod") and facts.qualname == f"{class_name}.{facts.name}"
            return is_own and name == facts.parameters[0].name and _is_given(event.value)
        case _:
            return False


def _is_given(value: Expr) -> bool:
    """Whether an expression may be anything but what a call there makes."""
    return not all(isinstance(each, Call) for each in options_of(without_narrowing(value)))


def _stores_from_outside(owner: Owner, function: WorkerFunction, linker: Linker) -> bool:
    """Whether a function stores an object as an attribute of the module of the owner, or of its class."""
    for event in function.facts.events:
        if isinstance(event, Store) and event.attribute == owner.name and not isinstance(event.value, Call):
            holders = (each.value for each in linker.evaluate(event.target, function.frame))
            if any(_is_home(each, owner) for each in holders):
                return True
    return False


def _is_home(holder: AbstractValue, owner: Owner) -> bool:
    """Whether something is that as an attribute of which the owner is looked up."""
    match holder:
        case ModuleValue(name=name):
            return name == owner.module.name and not owner.block.is_class
        case ClassValue(module=module, facts=facts):
            return module is owner.module and owner.block.is_class and facts.qualname == owner.block.names[0]
        case _:
            return False
