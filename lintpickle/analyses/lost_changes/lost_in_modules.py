"""What a function puts into containers of other modules in a worker (`tables.names[key] = value`), or gives their other
globals (`counts.total += 1`), and the code which starts the workers, or calls what does, reads there afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.values_at_import import EMPTY, at_import
from lintpickle.analyses.lost_changes.attribute_changes import changes_of
from lintpickle.analyses.lost_changes.changes_in_main import is_only_changed_by, is_read_by_workers
from lintpickle.analyses.lost_changes.container_methods import ADDING
from lintpickle.analyses.lost_changes.lost_attributes import is_changed_first
from lintpickle.analyses.lost_changes.worker_changes import reader_of
from lintpickle.analyses.main_state.global_setters import changing
from lintpickle.analyses.main_state.main_attributes import attribute_owner
from lintpickle.analyses.workers.reads_after_start import after_start, naming, reading_functions
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Store
from lintpickle.interpreter.abstract_values import Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_KINDS = frozenset({"process", "pool", "executor", "spawn", "joblib"})


class LostItem(Struct, frozen=True):
    """What a function changes at a place, as it is written there, and the code of the main process that reads it, and
    where, and what it finds."""

    written: str
    place: Site
    reader: str
    read: Site
    value: str


def lost_in_modules(function: WorkerFunction, code: WorkerCode, linker: Linker) -> Iterator[LostItem]:
    """The containers of other modules, empty at import, and their globals of which that is a constant, that only this
    function changes, in the workers that a boundary starts."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS or function.entered_by is None:
        return
    if not boundary.frame.module.first_party or not function.module.first_party:
        return
    told = set[str]()
    for change in changes_of(function.facts):
        written, name = change.written, change.attribute
        if written in told or not is_changed_first(written, function):
            continue
        told.add(written)
        home = _home(written, function.module, linker)
        value = at_import(name, home) if home is not None and home is not function.module else None
        if home is None or value is None or (isinstance(change.event, Store) and value == EMPTY):
            continue
        read = _read(name, home, boundary, linker)
        if read is None or any(True for _ in changing(name, home)):
            continue
        if isinstance(change.event, Store) and is_read_by_workers(name, boundary, linker):
            continue  # It is for them.
        if is_only_changed_by(function, name, boundary, linker):
            said = "it empty" if value == EMPTY else value
            yield LostItem(written, Site(function.module, change.event.span), *read, said)


def _home(written: str, module: Module, linker: Linker) -> Module | None:
    """The module whose global a dotted name is, by way of the module's own name."""
    owner, _, name = written.rpartition(".")
    places = linker.own_places.of_name(module, written) if owner else ()
    homes = {id(home): home for home, _ in places}
    home = next(iter(homes.values()), None)
    if home is None and owner.isidentifier():  # Constants are no places.
        named = attribute_owner(owner, module, linker)
        home = named.module if named is not None and named.block is None else None
    is_global = home is not None and bool(home.outline.binding(name))
    return home if len(homes) <= 1 and is_global else None


def _read(name: str, home: Module, boundary: BoundaryCall, linker: Linker) -> tuple[str, Site] | None:
    """The code behind the start of the workers that reads a global of a module by way of that, and where."""
    read = re.compile(rf"(?<![\w.])(\w+(?:\.\w+)*\.{re.escape(name)})\b(?!\s*=[^=])(?!\s*\.\s*(?:{ADDING})\()")
    for frame, behind in after_start(boundary):
        for inner, start, end, place in reading_functions(frame, behind, naming(name), linker):
            for found in read.finditer(inner.module.code, start, end):
                at = place if place is not None else found.start()
                if _home(found[1], inner.module, linker) is home and not frame.paths.exclude_each_other(behind - 1, at):
                    return reader_of(inner.function), Site(inner.module, Span(*found.span(1)))
    return None
