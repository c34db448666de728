"""Objects of which each process keeps one, and that cross: what arrives overwrites the one that is there.

Measured with CPython 3.11 under fork, spawn and forkserver: unpickling calls `cls.__new__(cls)`, which returns the
object that the process has, and then sets the attributes that were pickled on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import guard_of
from lintpickle.analyses.calls_and_values.rounds import share_rounds
from lintpickle.analyses.calls_and_values.stored_by_methods import kept_by
from lintpickle.analyses.lost_changes.container_methods import CHANGING
from lintpickle.analyses.main_state.calls_of_main import calls_by_others
from lintpickle.analyses.main_state.main_setters import is_called
from lintpickle.analyses.pickle_hooks.kept_by_new import kept_by_new
from lintpickle.analyses.workers.several_workers import initializers, run_in_several
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called, Event, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Expr, Item, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, Frame, InstanceValue, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_results import results_sent
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_KINDS = frozenset({"pool", "executor"})
_POOL = "pool"
_NEW = "__new__"
_DEFINES_NEW = re.compile(rf"\bdef\s+{_NEW}\b")
_MAKING = frozenset({_NEW, "__init__"})


class SingletonSent(Struct, frozen=True):
    """An object of which each process keeps one, and that crosses; its class and the `__new__` that keeps it, what
    changes its attributes, and where the process that receives it makes its own. `function` sends it back; without
    one, tasks bring it. `differs_if_forked` says whether the two differ in forked workers, too."""

    crossing: Crossing
    class_: ClassValue
    new: Site
    changed: Site
    own: Site
    function: WorkerFunction | None
    differs_if_forked: bool = True


class _Change(Struct, frozen=True):
    """A place that changes attributes of the object, and whether it comes after the start of the workers."""

    site: Site
    is_behind_start: bool


def singletons_returned(code: WorkerCode, linker: Linker) -> Iterator[SingletonSent]:
    """The objects that workers send back to a main process which has its own, each class once: where one of the two is
    changed, so that they differ."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS or not _has_singletons(code, linker):
        return
    told = set[int]()
    for function, crossing in results_sent(code, linker):
        value = crossing.value
        if not isinstance(value, InstanceValue) or id(value.class_.facts) in told:
            continue
        told.add(id(value.class_.facts))
        new = kept_by_new(value.class_, linker)
        own = _made_by_main(value.class_, code, linker) if new is not None else None
        if new is None or own is None:
            continue
        there = next(_changes_of_workers(value.class_, code, linker), None)
        here = [] if there is not None else [*_changes_of_main(value.class_, code, boundary, linker)]
        if there is not None:
            yield SingletonSent(crossing, value.class_, new, there, own, function)
        elif here:
            first = next((each for each in here if each.is_behind_start), here[0])
            yield SingletonSent(crossing, value.class_, new, first.site, own, function, first.is_behind_start)


def singletons_given(code: WorkerCode, linker: Linker) -> Iterator[SingletonSent]:
    """The objects that tasks bring to workers which make and change their own, each class once."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS or not _has_singletons(code, linker):
        return
    if not run_in_several(code, linker):
        return
    told = set[int]()
    for crossing in linker.shipped_by(boundary):
        value = crossing.value
        if not isinstance(value, InstanceValue) or id(value.class_.facts) in told:
            continue
        told.add(id(value.class_.facts))
        new = kept_by_new(value.class_, linker)
        made = (_made_in(each.facts, each.frame, value.class_, linker) for each in code.functions) if new else ()
        own = next((each for each in made if each is not None), None)
        changed = next(_changes_of_workers(value.class_, code, linker), None) if own is not None else None
        if new is not None and own is not None and changed is not None:
            yield SingletonSent(crossing, value.class_, new, changed, own, None)


def _has_singletons(code: WorkerCode, linker: Linker) -> bool:
    """Whether the program has a `__new__` at all: the cheap question."""
    return linker.first_party.is_anywhere(Words({_NEW}), code.root.site.module.path, _DEFINES_NEW)


def _made_by_main(class_: ClassValue, code: WorkerCode, linker: Linker) -> Site | None:
    """Where code that no worker runs asks for the object."""
    running, asker = _running(code), code.root.site.module.path
    form = re.compile(rf"\b{re.escape(class_.facts.name)}\s*\(")
    for root in linker.activations_with({class_.facts.name}, form, asker):
        is_own = root.owner is not None and root.owner.facts is class_.facts
        if id(root.function) in running or is_own:
            continue
        made = _made_in(root.function, root.frame, class_, linker)
        if made is not None and is_called(root.function, root.frame.module, linker, asker):
            return made
    return None


def _made_in(function: FunctionFacts, frame: Frame, class_: ClassValue, linker: Linker) -> Site | None:
    for event in function.events:
        if isinstance(event, Called):
            made = (each.value for each in linker.evaluate(event.call.function, frame))
            if any(isinstance(each, ClassValue) and each.facts is class_.facts for each in made):
                return Site(frame.module, event.span)
    return None


def _changes_of_workers(class_: ClassValue, code: WorkerCode, linker: Linker) -> Iterator[Site]:
    """Where workers change attributes of the object once it is made."""
    methods = {id(each) for each in _changing_methods(class_, linker)}
    for function in code.functions:
        if id(function.facts) in methods:
            yield Site(function.module, function.facts.header)
        elif function.facts.name not in _MAKING:
            yield from _changed_in(function.facts.events, function.frame, class_, linker)


def _changes_of_main(class_: ClassValue, code: WorkerCode, boundary: BoundaryCall, linker: Linker) -> Iterator[_Change]:
    """Where the main process does so; not in functions that workers begin with, which do the same there."""
    beginning = {id(each.facts) for each in initializers(code, linker)}
    running, asker = _running(code) | beginning, code.root.site.module.path
    for method in _changing_methods(class_, linker):
        if id(method) not in beginning:
            for root, span in calls_by_others(method, None, running, linker, asker):
                if is_called(root.function, root.frame.module, linker, asker):
                    yield from _change(root, Site(root.frame.module, span), boundary, linker)
    attributes = _attributes(class_, linker)
    form = re.compile(rf"\.\s*(?:{'|'.join(sorted(map(re.escape, attributes)))})\b")
    for root in linker.activations_with(attributes, form, asker) if attributes else ():
        is_own = root.owner is not None and root.owner.facts is class_.facts
        if id(root.function) not in running and not is_own:
            for site in _changed_in(root.function.events, root.frame, class_, linker):
                yield from _change(root, site, boundary, linker)


def _change(root: RootFrame, site: Site, boundary: BoundaryCall, linker: Linker) -> Iterator[_Change]:
    """A change by a function, or by the main guard: what a module does at import, all processes do."""
    if root.function.is_module_body and guard_of(site.span.start, site.module) is None:
        return
    makers = [each for each in linker.makers_of(boundary) if each.frame.function is boundary.frame.function]
    is_pool = boundary.spec.kind == _POOL
    started = min((each.site.span.start for each in makers if is_pool), default=boundary.site.span.start)
    is_here = root.function is boundary.frame.function
    yield _Change(site, is_here and (site.span.start > started or share_rounds(site, boundary.site)))


def _running(code: WorkerCode) -> set[int]:
    return {id(each.facts) for each in (*code.functions, *code.by_value)}


def _changing_methods(class_: ClassValue, linker: Linker) -> list[FunctionFacts]:
    return [each for each in _methods(class_, linker) if each.name not in _MAKING and any(kept_by(each))]


def _methods(class_: ClassValue, linker: Linker) -> Iterator[FunctionFacts]:
    for each in linker.classes.mro(class_):
        yield from each.facts.methods.values() if isinstance(each, ClassValue) else ()


def _attributes(class_: ClassValue, linker: Linker) -> frozenset[str]:
    """The attributes that the methods of a class store on its object."""
    stores = (event for each in _methods(class_, linker) for event in each.events if isinstance(event, Store))
    return frozenset(each.attribute for each in stores)


def _changed_in(events: tuple[Event, ...], frame: Frame, class_: ClassValue, linker: Linker) -> Iterator[Site]:
    """Where a function changes an attribute of the object, or what that holds."""
    for event in events:
        changed = _changed_by(event)
        values = (each.value for each in linker.evaluate(changed, frame)) if changed is not None else ()
        if any(isinstance(each, InstanceValue) and each.class_.facts is class_.facts for each in values):
            yield Site(frame.module, event.span)


def _changed_by(event: Event) -> Expr | None:
    """The object of which an event changes an attribute."""
    match event:
        case Store(target=target):
            return target
        case ItemStore(target=target):
            inner = without_narrowing(target)
            held = without_narrowing(inner.base) if isinstance(inner, Item) else inner
            return held.base if isinstance(held, Attribute) else None
        case Called(call=Call(function=Attribute(base=Attribute(base=holder), name=method))) if method in CHANGING:
            return holder
        case _:
            return None
