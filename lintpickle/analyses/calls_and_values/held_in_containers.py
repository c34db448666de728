"""What module-level containers hold, and functions of workers take out: `TALLIES[name].add()`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from msgspec.structs import replace

from lintpickle.analyses.at_import.import_time import outside_comments
from lintpickle.analyses.main_state.held_by_read_objects import held_by, read_as_own
from lintpickle.analyses.main_state.read_objects import Owner, Reading, class_objects_read, things_read
from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import AbstractValue, ContainerValue, InstanceValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_LEVELS = 2
"""Containers within each other that are looked into."""


def taken_out(code: WorkerCode, word: str, linker: Linker) -> Iterator[tuple[Owner, WorkerFunction, Reading]]:
    """What functions of workers take out of containers of modules, and what objects that they take out of these have in
    an attribute that workers read; each with the first function that does. Asked for are the containers whose module,
    or that of the class of what they hold, has a word in it."""
    functions = [each for each in code.functions if each.module.first_party and each.module.document.cells is None]
    told: set[tuple[str, str]] = set()
    for function in functions:
        for owner, reading in chain(things_read(function, linker), class_objects_read(function, linker)):
            key = (owner.module.path, owner.name)
            place = _place_taken(reading.written, function) if isinstance(owner.value, ContainerValue) else None
            if key in told or place is None:
                continue
            told.add(key)
            for value in _contents(owner.value, linker):
                if not isinstance(value, InstanceValue):
                    if word in owner.module.code:
                        yield replace(owner, value=value), function, replace(reading, span=place)
                elif word in owner.module.code or word in value.class_.module.code:
                    for attribute, held in held_by(value, linker):
                        found = read_as_own(value, attribute, functions) or _read_by_item(
                            reading.written, attribute, function
                        )
                        if found is not None:
                            yield replace(owner, value=held), *found


def _place_taken(written: str, function: WorkerFunction) -> Span | None:
    """Where a function takes something out of a container, or goes over what it holds."""
    name = re.escape(written)
    taking = rf"(?<![\w.]){name}\s*(?:\[|\.\s*(?:get|values|items|pop)\s*\()|\bfor\b[^\n]*\bin\s+{name}\s*[:)\]]"
    span = function.facts.span
    return outside_comments(re.compile(taking), function.module.code, function.facts.header.end, span.end)


def _read_by_item(written: str, attribute: str, function: WorkerFunction) -> tuple[WorkerFunction, Reading] | None:
    reading = re.compile(rf"(?<![\w.]){re.escape(written)}\s*\[[^\]\n]*\]\s*\.\s*{re.escape(attribute)}\b(?!\s*=[^=])")
    span = function.facts.span
    place = outside_comments(reading, function.module.code, function.facts.header.end, span.end)
    return (function, Reading(f"{written}[…].{attribute}", place, False)) if place is not None else None


def _contents(container: AbstractValue, linker: Linker, level: int = 1) -> Iterator[AbstractValue]:
    """What a container holds, also in containers that it holds."""
    for slot in container.slots if isinstance(container, ContainerValue) else ():
        for traced in linker.evaluate(slot.value, slot.frame):
            if isinstance(traced.value, ContainerValue) and level < _LEVELS:
                yield from _contents(traced.value, linker, level + 1)
            else:
                yield traced.value
