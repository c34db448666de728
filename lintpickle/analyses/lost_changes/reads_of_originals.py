"""Which code of the main process reads an attribute of the object of which workers change a copy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from lintpickle.analyses.calls_and_values.function_objects import is_for_another, is_same_function
from lintpickle.analyses.loaders.loader_uses import is_dataset_of_loader, is_used_before
from lintpickle.analyses.lost_changes.attribute_changes import AttributeChange
from lintpickle.analyses.lost_changes.caches import asks_for_all
from lintpickle.analyses.lost_changes.held_at_first import CopiedOwner, values_at_first
from lintpickle.analyses.lost_changes.reads_by_methods import (
    calls_of_methods,
    methods_beside,
    methods_named,
    methods_reading,
    object_of_method,
)
from lintpickle.analyses.lost_changes.worker_changes import reader_of
from lintpickle.analyses.workers.reads_after_start import after_start, naming, reading_functions, reads_of
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, ItemStore
from lintpickle.facts.values import Attribute, Call, Expr
from lintpickle.interpreter.abstract_values import ClassValue, ContainerValue, Frame, FunctionValue, InstanceValue, Site
from lintpickle.payload.linker import Linker

_LOADER, _DATASET = "dataloader", "dataset"
_LIST, _SORT = "list", "sort"
_COUNTED = re.compile(r"\blen\(\s*(?:\w+\.)*$")
_SIZE = re.compile(r"\s*\.\s*(?:dtype|nbytes|ndim|shape|size)\b")


def read_of_original(
    owner: CopiedOwner, attribute: str, is_cached: bool, keeps_size: bool, boundary: BoundaryCall, linker: Linker
) -> tuple[str, Site] | None:
    """The code behind the start of the workers that reads the attribute of the same object, and where; of a cache, that
    asks for all that is in it; of what keeps its size, that asks for more than that."""
    for frame, behind in after_start(boundary):
        for home, start, end, place in reading_functions(frame, behind, naming(attribute), linker):
            for base, span in reads_of(attribute, home, start, end):
                if is_cached and not asks_for_all(home.module.code, span):
                    continue
                if keeps_size and _asks_for_size(home.module.code, span):
                    continue
                at = place if place is not None else span.start
                if not _is_of(owner, base, home, boundary, linker) or frame.paths.exclude_each_other(behind - 1, at):
                    continue
                if boundary.spec.kind != _LOADER or is_used_before(boundary, frame, at, linker):
                    return reader_of(home.function), Site(home.module, span)
    if isinstance(owner, InstanceValue) and boundary.spec.kind != _LOADER and not is_cached and not keeps_size:
        return _read_by_methods(owner, attribute, boundary, linker)
    return None


def _read_by_methods(
    owner: InstanceValue, attribute: str, boundary: BoundaryCall, linker: Linker
) -> tuple[str, Site] | None:
    """The code that calls a method behind the start which reads the attribute of the same object, or does either in
    another method of the object that keeps it."""
    names = methods_reading(owner, attribute, linker)
    form = methods_named(names)
    for frame, behind in after_start(boundary) if names else ():
        for home, start, end, place in reading_functions(frame, behind, form, linker):
            for base, span in calls_of_methods(names, home, start, end):
                at = place if place is not None else span.start
                if _is_of(owner, base, home, boundary, linker) and not frame.paths.exclude_each_other(behind - 1, at):
                    return reader_of(home.function), Site(home.module, span)
    me = object_of_method(boundary.frame)
    if me is None or is_same_owner(owner, me, linker):
        return None
    forms = (naming(attribute), form) if names else (naming(attribute),)
    for home in methods_beside(boundary, re.compile("|".join(each.pattern for each in forms)), linker):
        around = home.function.span
        reads = reads_of(attribute, home, around.start, around.end)
        for base, span in chain(reads, calls_of_methods(names, home, around.start, around.end)):
            if _is_of(owner, base, home, boundary, linker):
                return reader_of(home.function), Site(home.module, span)
    return None


def leaves_size(change: AttributeChange, owner: CopiedOwner, linker: Linker) -> bool:
    """Whether a change leaves a container as long as it is: it sorts that, or changes an item of a list or an array."""
    match change.event:
        case Called(call=Call(function=Attribute(name=name))):
            return name == _SORT
        case ItemStore(key=key) if key is not None or change.is_of_part:
            values = [traced.value for traced in values_at_first(owner, change.attribute, linker)]
            return all(not isinstance(each, ContainerValue) or each.kind == _LIST for each in values)
        case _:
            return False


def _asks_for_size(code: str, name: Span) -> bool:
    line = code[code.rfind("\n", 0, name.start) + 1 : name.start]
    return _COUNTED.search(line) is not None or _SIZE.match(code, name.end) is not None


def _is_of(owner: CopiedOwner, base: Expr, frame: Frame, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether what code reads an attribute of is the object of which workers change a copy."""
    if any(is_same_owner(owner, each, linker) for each in owners(base, frame, linker)):
        return True
    if not isinstance(owner, InstanceValue) or boundary.spec.kind != _LOADER:
        return False
    if not is_dataset_of_loader(base, frame, boundary, linker):
        return False
    given = (traced.value for traced in boundary.value(_DATASET, linker.evaluator))
    return any(is_same_owner(owner, each, linker) for each in given if isinstance(each, InstanceValue))


def owners(target: Expr, frame: Frame, linker: Linker) -> Iterator[CopiedOwner]:
    """The objects, functions and classes that an expression may be."""
    for traced in linker.evaluate(target, frame):
        if isinstance(traced.value, (InstanceValue, FunctionValue, ClassValue)):
            yield traced.value


def is_same_owner(changed: CopiedOwner, found: CopiedOwner, linker: Linker) -> bool:
    """Whether two values are one object: made by the same call, for the same function; of those whose making is not
    seen, of one class."""
    match changed, found:
        case InstanceValue(class_=of, call=call), InstanceValue(class_=other, call=other_call):
            is_one = call is other_call and of.facts is other.facts and not found.copies
            return is_one and not is_for_another(changed.frame, found.frame, linker)
        case FunctionValue(), FunctionValue():
            return is_same_function(changed, found, linker)
        case ClassValue(facts=of), ClassValue(facts=other) | InstanceValue(class_=ClassValue(facts=other)):
            return of is other
        case _:
            return False
