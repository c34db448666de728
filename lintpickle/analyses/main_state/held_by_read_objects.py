"""What module-level objects hold in their attributes, and functions of workers read there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.at_import.import_time import functions_of, outside_comments
from lintpickle.analyses.main_state.read_objects import Owner, Reading, place_read, things_read
from lintpickle.analyses.workers.runs_elsewhere import runs_beside_main
from lintpickle.interpreter.abstract_values import AbstractValue, InstanceValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_MAKES = ("__init__", "__new__", "__post_init__", "__attrs_post_init__")


class HeldAndRead(Struct, frozen=True):
    """What a module-level object holds in an attribute, and a function that reads it."""

    held_by: Owner
    written: str
    """How the function's module writes the object."""
    attribute: str
    value: AbstractValue
    function: WorkerFunction
    reading: Reading

    @property
    def owner(self) -> Owner:
        """The value, as what the object's block binds."""
        return replace(self.held_by, name=f"{self.held_by.name}.{self.attribute}", value=self.value)

    def read_by(self, functions: Iterable[WorkerFunction]) -> tuple[WorkerFunction, Reading] | None:
        """The first of other functions that reads it, and where."""
        return _first_reading(self.held_by, self.written, self.attribute, functions)


def held_read(code: WorkerCode, word: str, linker: Linker) -> Iterator[HeldAndRead]:
    """What the constructors of module-level objects keep in an attribute that workers read, by the object's name
    (`meter.done.value`) or in its methods (`self.done`): for each a function that does. Asked for are the objects whose
    module, or that of their class, has a word in it. No worker gives them that attribute anew."""
    functions = [each for each in code.functions if each.module.first_party and each.module.document.cells is None]
    told: set[tuple[str, str]] = set()
    for function in functions:
        for owner, reading in things_read(function, linker):
            key, held = (owner.module.path, owner.name), owner.value
            if key in told or not isinstance(held, InstanceValue):
                continue
            told.add(key)
            if word in owner.module.code or word in held.class_.module.code:
                for attribute, value in held_by(held, linker):
                    found = _first_reading(owner, reading.written, attribute, functions)
                    if found is not None and not _is_stored_in_workers(attribute, code, linker):
                        yield HeldAndRead(owner, reading.written, attribute, value, *found)


def held_by(instance: InstanceValue, linker: Linker) -> Iterator[tuple[str, AbstractValue]]:
    """The attributes that a constructor gives one value only, each with that."""
    state = linker.classes.states.state(instance)
    for attribute in dict.fromkeys(held.attribute for held in state):
        stored = [held for held in state if held.attribute == attribute and held.direct]
        values = linker.evaluate(stored[0].value, stored[0].frame) if len(stored) == 1 else ()
        if len(values) == 1:
            yield attribute, values[0].value


def _first_reading(
    owner: Owner, written: str, attribute: str, functions: Iterable[WorkerFunction]
) -> tuple[WorkerFunction, Reading] | None:
    """The first function that reads an attribute of an object, by the object's name or as a method of it."""
    for function in functions:
        place = place_read(f"{written}.{attribute}", function)
        if place is not None and written.partition(".")[0] in function.facts.reads:
            return function, Reading(f"{written}.{attribute}", place, False)
        own = read_as_own(owner.value, attribute, (function,))
        if own is not None:
            return own
    return None


def read_as_own(
    value: AbstractValue, attribute: str, functions: Iterable[WorkerFunction]
) -> tuple[WorkerFunction, Reading] | None:
    """The first function that reads an attribute of an object as a method of it."""
    for function in functions:
        me = function.facts.parameters[0].name if function.facts.parameters else ""
        bound = function.frame.bindings.get(me)
        if bound is None or function.facts.name in _MAKES or not is_same_object(bound.value, value):
            continue
        reading = re.compile(rf"(?<![\w.]){re.escape(me)}\.{re.escape(attribute)}\b(?!\s*=[^=])")
        span = function.facts.span
        place = outside_comments(reading, function.module.code, function.facts.header.end, span.end)
        if place is not None:
            return function, Reading(f"{me}.{attribute}", place, False)
    return None


def is_same_object(value: AbstractValue | None, other: AbstractValue) -> bool:
    """Whether two values are the object that one call makes."""
    if not isinstance(value, InstanceValue) or not isinstance(other, InstanceValue):
        return False
    return value.call is not None and value.call is other.call


def _is_stored_in_workers(attribute: str, code: WorkerCode, linker: Linker) -> bool:
    """Whether a function that workers run gives an object an attribute of that name, as an initializer does."""
    asker = code.root.site.module.path
    storing = re.compile(rf"\.{re.escape(attribute)}\s*(?::[^=\n]+)?=(?!=)")
    return any(
        storing.search(module.code, facts.span.start, facts.span.end) and runs_beside_main(facts, module, code, linker)
        for module in linker.first_party.naming_in_text(Words({attribute}), asker, storing)
        for facts in functions_of(module, storing, lambda each: each.name not in _MAKES and not each.is_module_body)
    )
