"""Classes whose objects cross to workers, and whose methods the main process replaces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.import_time import outside_comments
from lintpickle.analyses.main_setters import Met, Setter, Setting, of_the_program, set_by, setter_at
from lintpickle.analyses.object_changes import changes_in
from lintpickle.analyses.read_objects import Owner, Reading, owner_of
from lintpickle.analyses.sure_failures import only_raised
from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_AS_DEFINED = Met("there it is as the class defines it", "replaced")


def classes_patched(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Reading, Setting]]:
    """The methods of objects that cross which code of the workers calls, each once, with how the main process replaces
    them in the class. Classes that a function of the workers names are the concern of `main_objects`."""
    asker = code.root.site.module.path
    for owner in _owners(code, linker):
        setters: dict[str, list[Setter]] = {}
        for attribute, setter in _replaced(owner, linker, asker):
            setters.setdefault(attribute, []).append(setter)
        for attribute, found in setters.items():
            called = _called(attribute, code)
            met = _met(attribute, owner, linker)
            setting = set_by(of_the_program(found, code, linker), met, linker, asker) if called else None
            if called is not None and setting is not None:
                yield called[0], Reading(f"{owner.name}.{attribute}", called[1], False), setting


def _met(attribute: str, owner: Owner, linker: Linker) -> Met:
    """What a worker meets of a method that main replaces: perhaps nothing but an error."""
    found = linker.classes.find_method(owner.value, attribute) if isinstance(owner.value, ClassValue) else None
    error = only_raised(found[1], found[0].module) if found is not None else None
    return Met(_AS_DEFINED.outcome, _AS_DEFINED.how, error)


def _owners(code: WorkerCode, linker: Linker) -> Iterator[Owner]:
    """The classes of the objects that cross, and their bases, each once."""
    shipped = linker.shipped_by(code.boundary) if code.boundary is not None and linker.moving_to is not None else ()
    seen: set[int] = set()
    for crossing in shipped:
        bases = linker.classes.mro(crossing.value.class_) if isinstance(crossing.value, InstanceValue) else ()
        for class_ in bases:
            if not isinstance(class_, ClassValue) or id(class_.facts) in seen or class_.facts.is_local:
                continue
            seen.add(id(class_.facts))
            if class_.module.first_party and not _is_named(class_, code):
                owner = owner_of(class_.facts.name, class_.module, linker)
                if owner is not None and isinstance(owner.value, ClassValue):
                    yield owner


def _is_named(class_: ClassValue, code: WorkerCode) -> bool:
    return any(class_.facts.name in each.facts.reads for each in code.functions)


def _replaced(owner: Owner, linker: Linker, asker: str) -> Iterator[tuple[str, Setter]]:
    class_ = owner.value
    stored = re.compile(rf"\b{re.escape(owner.name)}\.\w+\s*=(?!=)")
    for root in linker.activations_with({owner.name}, stored, asker):
        for span, attribute in changes_in(root, owner, linker):
            if attribute is not None and isinstance(class_, ClassValue) and attribute in class_.facts.methods:
                yield attribute, setter_at(root.frame.module, root.function, span, linker, asker)


def _called(attribute: str, code: WorkerCode) -> tuple[WorkerFunction, Span] | None:
    """Where code of the workers reads an attribute of that name."""
    reading = re.compile(rf"\.\s*{re.escape(attribute)}\b(?!\s*=[^=])")
    for function in code.functions:
        found = outside_comments(reading, function.module.code, function.facts.header.end, function.facts.span.end)
        if found is not None and function.module.first_party:
            return function, found
    return None
