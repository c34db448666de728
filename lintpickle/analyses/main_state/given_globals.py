"""Objects of modules that a worker's function is given as an argument and changes, and that other code of the workers
reads by their names: `Process(target=run, args=(physics.WORLD,))`. Under fork, both are one object; where the argument
is pickled, the worker changes a copy of it.

Measured with CPython 3.11 under fork, spawn and forkserver."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS
from lintpickle.analyses.lost_changes.container_methods import FILLABLE
from lintpickle.analyses.main_state.adopted_objects import is_adopted_by_workers
from lintpickle.analyses.main_state.main_setters import Met, Setting, is_mentioned
from lintpickle.analyses.main_state.read_objects import Owner, Reading, owner_of, things_read
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Collection, Expr, chain, parameter_name, without_narrowing
from lintpickle.interpreter.abstract_values import ContainerValue, InstanceValue, Site
from lintpickle.payload.entry_arguments import parameter_at
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

OTHER_OBJECT = Met("where that is pickled, it is another object, and this one is as at import", "changed")


def given_globals(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Reading, Setting]]:
    """The reads of such objects, each with where the worker changes its copy."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or not boundary.frame.module.first_party:
        return
    for function in code.functions:
        for place, given in enumerate(_arguments(boundary) if function.entry else ()):
            parameter = parameter_at(place, function.facts, boundary.spec)
            change = _change(parameter, function.facts, code, linker) if parameter is not None else None
            owner = _named(given, boundary, linker) if change is not None else None
            if change is None or owner is None or is_adopted_by_workers(owner, code, linker):
                continue
            where = f"by `{function.facts.name}()` as its argument `{parameter}`"
            setting = Setting(OTHER_OBJECT, where, Site(function.module, change.span))
            for reader, reading in _reads(owner, code, linker):
                yield reader, reading, setting


def _arguments(boundary: BoundaryCall) -> tuple[Expr, ...]:
    given = boundary.call.keyword("args")
    inner = without_narrowing(given) if given is not None else None
    return inner.elements if isinstance(inner, Collection) else ()


def _change(name: str, facts: FunctionFacts, code: WorkerCode, linker: Linker) -> Store | ItemStore | None:
    """The first place where a function changes what a parameter is: an attribute that workers read, or an item."""
    for event in facts.events:
        match event:
            case ItemStore(target=target) if parameter_name(target) == name:
                return event
            case Store(target=target, attribute=attribute) if parameter_name(target) == name:
                if is_mentioned(attribute, code, linker):
                    return event
            case _:
                pass
    return None


def _named(given: Expr, boundary: BoundaryCall, linker: Linker) -> Owner | None:
    """The object of a module that an argument names, if it is pickled by its state."""
    parts = chain(without_narrowing(given))
    owner = owner_of(".".join(parts), boundary.frame.module, linker) if parts is not None and len(parts) < 3 else None
    match owner.value if owner is not None else None:
        case ContainerValue(kind=kind) if kind in FILLABLE:
            return owner
        case InstanceValue() as value if not any(linker.classes.find_method(value, each) for each in REDUCERS):
            return owner
        case _:
            return None


def _reads(owner: Owner, code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Reading]]:
    for function in code.functions:
        if function.module.first_party:
            for read, reading in things_read(function, linker):
                if read.module is owner.module and read.name == owner.name:
                    yield function, reading
                    return
