"""Objects that cross with a hash which they took of a text in the main process, and equal ones that workers make: in a
worker that is not forked these have another hash, so that they do not find one another in sets and dictionaries."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.seen_texts import is_seen_text
from lintpickle.analyses.calls_and_values.texts_given import argument_or_element, is_given_text
from lintpickle.analyses.pickle_hooks.hashed_objects_made import HashedObjectMade, hashed_objects_made
from lintpickle.analyses.pickle_hooks.kept_hashes import KeptHash, kept_hashes
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called, Event, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Expr, ending_name, first_part_of, rooted, without_narrowing
from lintpickle.interpreter.abstract_values import (
    ClassValue,
    ConstantValue,
    ContainerValue,
    Frame,
    FunctionValue,
    Hop,
    InstanceValue,
    Site,
)
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.syntax import last_name
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.imported_modules import imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_results import results_sent
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction


class StaleHash(Struct, frozen=True):
    """A hash that is kept by objects that cross, and the place at which workers make others of the class."""

    kept: KeptHash
    crossing: Crossing
    made: Site
    hops: tuple[Hop, ...]
    """How workers come to that place."""
    is_sure: bool
    """Whether it is seen to be the hash of a text, and to be taken before the object crosses."""
    is_sent_back: bool = False
    """Whether workers make the object that crosses, and the main process others."""


def stale_hashes(code: WorkerCode, linker: Linker) -> Iterator[StaleHash]:
    """The kept hashes that objects at a boundary have from the main process, where workers make objects of the class
    themselves."""
    boundary, asker = code.boundary, code.root.site.module.path
    for kept in kept_hashes(linker, asker) if boundary is not None else ():
        makings = hashed_objects_made(kept.class_, linker, asker)
        if boundary is None or _are_of_numbers(kept, makings, linker):
            continue
        found = _crossing(kept, makings, boundary, linker)
        made = _made_in_workers(makings, found[0], code, linker) if found is not None else None
        if found is not None and made is not None:
            crossing, is_hashed = found
            yield StaleHash(
                kept, crossing, *made, (is_hashed or kept.is_at_once) and _is_of_text(kept, makings, code, linker)
            )
        elif kept.is_at_once:
            yield from _sent_back(kept, makings, code, linker)


def _is_of_text(kept: KeptHash, makings: tuple[HashedObjectMade, ...], code: WorkerCode, linker: Linker) -> bool:
    ends = tuple(each for each in makings if not each.is_given_back)
    return kept.is_of_text or any(
        is_given_text(name, method, code, linker)
        or any(is_seen_text(value, frame, linker) for value, frame in _given(name, method, ends))
        for method, name in kept.parameters
    )


def _sent_back(
    kept: KeptHash, makings: tuple[HashedObjectMade, ...], code: WorkerCode, linker: Linker
) -> Iterator[StaleHash]:
    """An object that workers make and send back, if the main process makes others: it may look them up together."""
    running = {id(each.facts) for each in code.functions}
    here = [each for each in makings if id(each.root.function) not in running]
    if not here or len(here) == len(makings):
        return
    for function, crossing in results_sent(code, linker):
        match crossing.value:
            case InstanceValue(class_=class_) if linker.classes.derives(class_, kept.class_):
                yield StaleHash(kept, crossing, here[0].site, function.hops, False, is_sent_back=True)
                return
            case _:
                pass


def _are_of_numbers(kept: KeptHash, makings: tuple[HashedObjectMade, ...], linker: Linker) -> bool:
    """Whether all that the hash is taken of are parameters, for which numbers are given wherever that is seen."""
    return (
        not kept.is_of_text
        and bool(kept.parameters)
        and all(_is_given_numbers(name, method, makings, linker) for method, name in kept.parameters)
    )


def _is_given_numbers(name: str, method: FunctionFacts, makings: tuple[HashedObjectMade, ...], linker: Linker) -> bool:
    given = _given(name, method, makings)
    values = [each.value for value, frame in given for each in linker.evaluate(value, frame)]
    seen = [each.value for each in values if isinstance(each, ConstantValue)]
    return bool(seen) and all(isinstance(each, (int, float)) for each in seen)


def _given(name: str, method: FunctionFacts, makings: tuple[HashedObjectMade, ...]) -> Iterator[tuple[Expr, Frame]]:
    """What is given for a parameter of the constructor, each with its frame."""
    place = next((at for at, each in enumerate(method.parameters) if each.name == name), 0) - 1
    for each in makings:
        value = argument_or_element(each.making, name, place)
        if value is not None:
            yield value, each.frame


def _crossing(
    kept: KeptHash, makings: tuple[HashedObjectMade, ...], boundary: BoundaryCall, linker: Linker
) -> tuple[Crossing, bool] | None:
    """What brings objects of the class to the workers, and whether they were hashed before: these themselves, an object
    that keeps some, or a dictionary or set with some in it."""
    for crossing in linker.shipped_by(boundary):
        match crossing.value:
            case InstanceValue(class_=class_) if linker.classes.derives(class_, kept.class_):
                return crossing, False
            case InstanceValue(class_=holder):
                for making in makings:
                    event = _keeping(making, holder, linker)
                    if event is not None:
                        return crossing, isinstance(event, ItemStore) and event.key is not None
            case ContainerValue() if _has_keys(crossing, makings):
                return crossing, True
            case _:
                pass
    return None


def _has_keys(crossing: Crossing, makings: tuple[HashedObjectMade, ...]) -> bool:
    """Whether objects of the class are keys of a dictionary, or elements of a set, as it is written, or put there."""
    site = crossing.site
    names = {ending_name(making.call.function) for making in makings if site.contains(making.site)}
    if names:
        written = site.module.expression(site.span)
        hashed = (part for each in ast.walk(written) for part in _hashed_in(each)) if written is not None else ()
        return any(isinstance(each, ast.Call) and last_name(each.func) in names for each in hashed)
    return any(
        isinstance(event, ItemStore)
        and Site(making.root.frame.module, first_part_of(event.target).span) == site
        and event.key is not None
        and _is_or_holds(event.key, making.call)
        for making in makings
        for event in making.root.function.events
    )


def _hashed_in(node: ast.AST) -> Iterable[ast.AST | None]:
    match node:
        case ast.Dict(keys=keys):
            return keys
        case ast.Set(elts=elements):
            return elements
        case ast.DictComp(key=element) | ast.SetComp(elt=element):
            return (element,)
        case _:
            return ()


def _keeping(making: HashedObjectMade, holder: ClassValue, linker: Linker) -> Event | None:
    """Where an object that is made is put into what an object of another class holds."""
    root = making.root
    if root.owner is not None and linker.classes.derives(holder, root.owner):
        for event in root.function.events:
            match event:
                case ItemStore(target=target, key=key, value=value) if _is_mine(target, root):
                    if any(each is not None and _is_or_holds(each, making.call) for each in (key, value)):
                        return event
                case Store(target=target, value=value) if _is_mine(target, root) and _is_or_holds(value, making.call):
                    return event
                case _:
                    pass
    for event in root.function.events:
        if not isinstance(event, Called) or not isinstance(event.call.function, Attribute):
            continue
        is_given = any(_is_or_holds(each.value, making.call) for each in event.call.arguments)
        for traced in linker.evaluate(event.call.function, root.frame) if is_given else ():
            match traced.value:
                case FunctionValue(bound=InstanceValue(class_=class_)) if linker.classes.derives(class_, holder):
                    return event
                case _:
                    pass
    return None


def _is_mine(target: Expr, root: RootFrame) -> bool:
    base = rooted(target)[0]
    return getattr(base, "name", None) == root.instance_name is not None


def _is_or_holds(value: Expr, made: Call) -> bool:
    return without_narrowing(value).span.contains(made.span)


def _made_in_workers(
    makings: tuple[HashedObjectMade, ...], crossing: Crossing, code: WorkerCode, linker: Linker
) -> tuple[Site, tuple[Hop, ...]] | None:
    """Where workers make objects of the class: in a function that they run, by a method of the object that crosses
    which they call, or as they import a module."""
    asker = code.root.site.module.path
    running = {
        id(each.facts): each
        for other in linker.worker_codes()
        for each in other.functions
        if other.root.site.module.path == asker
    }
    for making in makings:
        function = making.root.function
        worker = running.get(id(function)) or _calling(making, crossing, running.values(), linker)
        if worker is not None:
            return making.site, worker.hops
    imported = {each.path for each in imported_with((site.module for site in code.way), linker)}
    for making in makings:
        is_at_import = making.root.function.is_module_body and not making.event.main_guard
        if is_at_import and making.root.frame.module.path in imported:
            return making.site, ()
    return None


def _calling(
    making: HashedObjectMade, crossing: Crossing, functions: Iterable[WorkerFunction], linker: Linker
) -> WorkerFunction | None:
    """The function of workers that calls, by its name, the method of what crosses in which an object is made."""
    method, owner = making.root.function, making.root.owner
    holder = crossing.value.class_ if isinstance(crossing.value, InstanceValue) else None
    if owner is None or holder is None or not linker.classes.derives(holder, owner):
        return None
    for function in functions:
        for event in function.facts.events:
            match event:
                case Called(call=Call(function=Attribute(name=name))) if name == method.name:
                    return function
                case _:
                    pass
    return None
