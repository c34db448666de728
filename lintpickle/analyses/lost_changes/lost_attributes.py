"""Attributes of objects that a function changes in a worker, which has a copy of the object, and that the code which
starts the workers, or calls what does, reads of the original afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import is_me
from lintpickle.analyses.loaders.items_in_main import takes_items_in_main
from lintpickle.analyses.lost_changes.attribute_changes import AttributeChange, changes_by_calls, changes_of
from lintpickle.analyses.lost_changes.changes_in_main import (
    constructors_calling,
    is_called_in_main,
    is_changed_by_others,
    is_only_changed_by,
    is_read_by_workers,
)
from lintpickle.analyses.lost_changes.held_at_first import AS_BEFORE, HELD_NOTHING, CopiedOwner, held_at_first
from lintpickle.analyses.lost_changes.ignored_results import is_result_ignored
from lintpickle.analyses.lost_changes.reads_of_originals import is_same_owner, leaves_size, owners, read_of_original
from lintpickle.analyses.lost_changes.worker_changes import is_cache, is_changed_before_read, numbers_items
from lintpickle.analyses.pickle_hooks.own_state import CONSTRUCTION
from lintpickle.analyses.workers.reads_after_start import naming
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.values import Collection, Expr
from lintpickle.interpreter.abstract_values import ClassValue, ContainerValue, Frame, FunctionValue, InstanceValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_LOADER = "dataloader"
_KINDS = frozenset({_LOADER, "process", "pool", "executor", "spawn", "joblib"})
_PROPERTY_NAME = "property"
_PROPERTY = re.compile(r"@(?:\w+\.)?(?:cached_)?property\s+def\s+(\w+)\s*\(")
_NEXT = re.compile(r"^[ \t]*(?:@|(?:async\s+)?def\b|class\b)", re.MULTILINE)


class LostAttribute(Struct, frozen=True):
    """What a function changes at a place, as it is written there, the attribute, or a property made of it, by which the
    code of the main process reads it of the original, what has it ("a `Report`"), where that stands, and what it
    finds."""

    written: str
    attribute: str
    owner: str
    place: Site
    reader: str
    read: Site
    value: str


def lost_attributes(function: WorkerFunction, code: WorkerCode, linker: Linker) -> Iterator[LostAttribute]:
    """The attributes that only this function changes, in the workers that a boundary starts."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS or function.entered_by is None:
        return
    if not boundary.frame.module.first_party or not function.module.first_party:
        return
    found = set[str]()
    for change in (*changes_of(function.facts), *changes_by_calls(function.facts)):
        attribute, written = change.attribute, change.written
        names = [attribute, *_properties_reading(attribute, function.module)]
        if written in found or not any(_is_named(each, boundary, linker) for each in names):
            continue
        is_cached = not is_changed_first(written, function)
        if is_cached and not is_cache(tuple(written.split(".")), function.module, function.facts.span):
            continue
        if not change.is_of_part:
            found.add(written)
        for owner in owners(change.target, function.frame, linker):
            value = held_at_first(owner, change, linker) if not _is_constructed(owner, change, function) else None
            if value is None:
                continue
            keeps_size = leaves_size(change, owner, linker)
            reads = ((each, read_of_original(owner, each, is_cached, keeps_size, boundary, linker)) for each in names)
            name, read = next(((each, read) for each, read in reads if read is not None), (attribute, None))
            if read is None or (_is_sent_back(owner, code, linker) and not is_result_ignored(boundary, linker)):
                continue
            if not is_only_changed_by(function, attribute, boundary, linker, is_cached):
                continue
            place = Site(function.module, change.event.span)
            if _is_set_anew(change, place) and is_done_in_main(function, code, linker):
                continue  # Each process sets up its own copy.
            if isinstance(owner, ClassValue) and _is_for_workers(change, place, function, boundary, linker):
                continue
            if boundary.spec.kind == _LOADER and _is_loaded_in_main(change, place, boundary, linker):
                continue
            if value == HELD_NOTHING and (
                (is_cached and is_changed_by_others(function, attribute, boundary, linker))
                or any(constructors_calling(function.facts.name, boundary, linker))
            ):
                value = AS_BEFORE
            found.add(written)
            yield LostAttribute(written, name, _named(owner), place, *read, value)
            break


def _is_constructed(owner: CopiedOwner, change: AttributeChange, function: WorkerFunction) -> bool:
    """Whether a constructor changes its own object: that is made in the worker, and no copy."""
    is_constructor = isinstance(owner, InstanceValue) and function.facts.name in CONSTRUCTION
    return is_constructor and is_me(change.target, function.facts)


def _is_set_anew(change: AttributeChange, place: Site) -> bool:
    """Whether a change gives the attribute a value that does not depend on what it held."""
    text = place.module.code[place.span.start : place.span.end]
    written = re.escape(change.written)
    stored = re.match(rf"{written}\s*(?::[^=\n]+)?=(?!=)", text)
    return stored is not None and re.search(rf"(?<![\w.]){written}\b", text[stored.end() :]) is None


def _is_for_workers(
    change: AttributeChange, place: Site, function: WorkerFunction, boundary: BoundaryCall, linker: Linker
) -> bool:
    """Whether a change of a class is made by a constructor, which any process may call, or gives workers what they
    read there."""
    if function.facts.name in CONSTRUCTION:
        return True
    return _is_set_anew(change, place) and is_read_by_workers(change.attribute, boundary, linker)


def _is_loaded_in_main(change: AttributeChange, place: Site, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether what a loader's workers change is for themselves (a file that each of them opens), or the main process
    takes the items, too."""
    if _is_set_anew(change, place) and is_read_by_workers(change.attribute, boundary, linker):
        return True
    return takes_items_in_main(boundary, linker)


def _is_named(attribute: str, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether code of the program reads an attribute of that name, in the module that starts the workers or another."""
    form, home = naming(attribute), boundary.frame.module
    return home.has(form) or linker.first_party.is_anywhere(Words({attribute}), home.path, form)


def _properties_reading(attribute: str, module: Module) -> tuple[str, ...]:
    """The properties in a module that read an attribute of their object."""
    return module.remembered(("properties reading", attribute), lambda: tuple(_find_properties(attribute, module)))


def _find_properties(attribute: str, module: Module) -> Iterator[str]:
    reads = re.compile(rf"\b\w+\.{re.escape(attribute)}\b")
    for found in _PROPERTY.finditer(module.code) if _PROPERTY_NAME in module.code else ():
        end = _NEXT.search(module.code, found.end())
        if reads.search(module.code, found.end(), end.start() if end is not None else len(module.code)):
            yield found[1]


def seen_by_main(value: str, function: WorkerFunction, code: WorkerCode, linker: Linker) -> str:
    """What the main process sees, in words, of what a function changes in workers: what it began with, unless it calls
    a function, too, by which they come there."""
    return "only what the main process changes itself" if is_done_in_main(function, code, linker) else value


def is_done_in_main(function: WorkerFunction, code: WorkerCode, linker: Linker) -> bool:
    """Whether the main process calls a function, too, by which workers come to another one."""
    if code.boundary is None:
        return False
    running, steps = [*code.functions, *code.by_value], [hop.site for hop in function.hops]
    callers = [each for each in running if any(map(Site(each.module, each.facts.span).contains, steps))]
    return any(is_called_in_main(each, code.boundary, running, linker) for each in callers)


def is_changed_first(written: str, function: WorkerFunction) -> bool:
    """Whether a function changes an attribute before it asks what that is, or numbers what it puts there."""
    if "." not in written:
        return False
    names, module, span = tuple(written.split(".")), function.module, function.facts.span
    return is_changed_before_read(names, module, span, is_taking=True) or numbers_items(written, function)


def _named(owner: CopiedOwner) -> str:
    return f"a `{owner.class_.facts.name}`" if isinstance(owner, InstanceValue) else f"`{owner.facts.name}`"


def _is_sent_back(owner: CopiedOwner, code: WorkerCode, linker: Linker) -> bool:
    """Whether what a worker gives back has the object in it."""
    for function in (*code.functions, *code.by_value):
        for value in function.facts.returns if function.is_begun_with else ():
            parts = value.elements if isinstance(value, Collection) else (value,)
            given = (each for part in parts for each in _objects_within(part, function.frame, linker))
            if any(is_same_owner(owner, each, linker) for each in given):
                return True
    return False


def _objects_within(value: Expr, frame: Frame, linker: Linker) -> Iterator[CopiedOwner]:
    """What a value is, or what a container holds that it is."""
    for traced in linker.evaluate(value, frame):
        match traced.value:
            case InstanceValue() | FunctionValue() | ClassValue() as found:
                yield found
            case ContainerValue(slots=slots):
                for slot in slots:
                    yield from owners(slot.value, slot.frame, linker)
            case _:
                pass
