"""Objects of modules that a worker's function is given as an argument and changes, and that other code of the workers
reads by their names: `Process(target=run, args=(physics.WORLD,))`. Under fork, both are one object; where the argument
is pickled, the worker changes a copy of it.

Measured with CPython 3.11 under fork, spawn and forkserver."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.changed_arguments import parameters_given
from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS
from lintpickle.analyses.lost_changes.container_methods import CHANGING, FILLABLE
from lintpickle.analyses.main_state.adopted_objects import is_adopted_by_workers
from lintpickle.analyses.main_state.main_setters import Met, Setting, is_mentioned
from lintpickle.analyses.main_state.read_objects import Owner, Reading, owner_of, things_read
from lintpickle.analyses.workers.parts_given import GivenPart, parts_given
from lintpickle.facts.records import Called, Event, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Expr, Name, Parameter, parameter_name, rooted, whole_of
from lintpickle.interpreter.abstract_values import Bound, ContainerValue, Frame, FunctionValue, InstanceValue, Site
from lintpickle.interpreter.frames import passed_first
from lintpickle.interpreter.own_items import kind_of_items
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_AUGMENTED = re.compile(r"(?:[-+*/%@&|^]|<<|>>)=")
_MOST_STEPS = 3
"""How many calls are followed that hand on what a function is given."""
OTHER_OBJECT = Met("where that is pickled, it is another object, and this one is as at import", "changed")


def given_globals(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Reading, Setting]]:
    """The reads of such objects, each with where the worker changes its copy."""
    for given in parts_given(code, linker):
        owner = _named(given.value, given.frame, linker)
        change = _change(given, owner, code, linker) if owner is not None else None
        if change is None or owner is None or is_adopted_by_workers(owner, code, linker):
            continue
        where = f"by `{given.function.facts.name}()` as its argument `{given.written}`"
        setting = Setting(OTHER_OBJECT, where, Site(given.function.module, change.span))
        for reader, reading in _reads(owner, code, linker):
            yield reader, reading, setting


def _change(given: GivenPart, owner: Owner, code: WorkerCode, linker: Linker) -> Event | None:
    """The first place where a function changes what it is given: an attribute that workers read, or an item."""
    for event in given.function.facts.events:
        match event:
            case ItemStore(target=target) if _is_it(whole_of(target), given):
                return event
            case ItemStore(target=Attribute(base=base, name=attribute)) if given.is_named_by(base):
                is_augmented = _AUGMENTED.search(given.function.module.code, event.span.start, event.span.end)
                if is_augmented is not None and is_mentioned(attribute, code, linker):
                    return event
            case Store(target=target, attribute=attribute) if _is_it(target, given):
                if is_mentioned(attribute, code, linker):
                    return event
            case Called(call=Call(function=Attribute(base=base, name=method))) if given.is_named_by(base):
                if _changes(method, owner, code, linker):
                    return event
            case Called(call=call) if _hands_to_changing(call, given, owner, code, linker):
                return event
            case _:
                pass
    return None


def _hands_to_changing(call: Call, given: GivenPart, owner: Owner, code: WorkerCode, linker: Linker) -> bool:
    """Whether a call gives the object to a function of the workers that changes it, or hands it on to one that does."""
    if given.steps == _MOST_STEPS or not any(given.is_named_by(each.value) for each in call.arguments):
        return False
    called = [each.value for each in linker.evaluate(call.function, given.function.frame)]
    return any(
        _change(part, owner, code, linker) is not None
        for function in called
        if isinstance(function, FunctionValue)
        for name in parameters_given(call, function, given.is_named_by)
        for part in _handed_on(name, function, given, code)
    )


def _handed_on(name: str, function: FunctionValue, given: GivenPart, code: WorkerCode) -> Iterator[GivenPart]:
    """What is given, as a parameter of another function that workers run."""
    for each in code.functions:
        if each.facts is function.facts and each.facts.parameter(name) is not None:
            yield replace(given, function=each, parameter=name, path=(), steps=given.steps + 1)
            return


def _is_it(target: Expr, given: GivenPart) -> bool:
    return given.is_named_by(target) or (not given.path and parameter_name(target) == given.parameter)


def _changes(method: str, owner: Owner, code: WorkerCode, linker: Linker) -> bool:
    """Whether a method changes an attribute of its object that workers read, or puts something into a container."""
    value = owner.value
    own = linker.classes.find_method(value, method) if isinstance(value, InstanceValue) else None
    if own is not None:
        return any(is_mentioned(each, code, linker) for each in _surely_kept_by(own[1]))
    return method in CHANGING and (
        isinstance(value, ContainerValue) or kind_of_items(value, linker.classes) is not None
    )


def _surely_kept_by(method: FunctionFacts) -> Iterator[str]:
    """The attributes that a method stores on its object, or puts something into, whatever they are by then: what it
    does on a condition may be to fill a cache."""
    for event in method.events:
        if isinstance(event, Store | ItemStore) and not event.conditional:
            root, names = rooted(event.target)
            path = (*names, event.attribute) if isinstance(event, Store) else names
            if path and isinstance(root, Parameter) and root.name == method.parameters[0].name:
                yield path[0]


def _named(given: Expr, frame: Frame, linker: Linker) -> Owner | None:
    """The object of a module that something given names, also by variables of callers, if it is pickled by its
    state."""
    first = passed_first(Bound(expr=given, frame=frame))
    if first is None or first.expr is None or first.frame is None:
        return None
    root, names = rooted(first.expr)
    written = ".".join((root.name, *names)) if isinstance(root, Name) and len(names) < 2 else ""
    owner = owner_of(written, first.frame.module, linker) if written else None
    match owner.value if owner is not None else None:
        case ContainerValue(kind=kind) if kind in FILLABLE:
            return owner
        case InstanceValue() as found if not any(linker.classes.find_method(found, each) for each in REDUCERS):
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
