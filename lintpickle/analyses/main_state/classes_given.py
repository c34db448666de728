"""Classes that the functions of workers get as objects, and read attributes of: `self.settings.penalty`, where main
made `Trial(settings=Settings)`. A class crosses by its name, so that workers have it as it is at import."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.stored_by_methods import held_at_import
from lintpickle.analyses.main_state.read_objects import Owner, Reading, names_read_by, owner_of, place_read
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Parameter, chained
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction
from lintpickle.prefilter.words import Words

_SETS = re.compile(r"\bsetattr\s*\(\s*[\w.]+\s*,\s*(?![\"'])")
_LONGEST = 2
"""How many attributes stand between a parameter and what is read of the class, at most: `self.run.settings.penalty`."""


class ClassGiven(Struct, frozen=True):
    """A class, what it is held in as the function writes it, and the attribute that is read there."""

    owner: Owner
    holder: str
    attribute: str
    span: Span

    @property
    def reading(self) -> Reading:
        """The place where the function reads it."""
        return Reading(self.holder, self.span, False)


def attributes_of_classes_given(function: WorkerFunction, linker: Linker, asker: str) -> Iterator[ClassGiven]:
    """The first-party classes that parameters of a function are, or hold, and of which it reads what their bodies give
    them and code of the program may change."""
    question = ("classes given", id(function), asker)
    yield from linker.remembered(question, lambda: (function, tuple(_attributes(function, linker, asker))))[1]


def _attributes(function: WorkerFunction, linker: Linker, asker: str) -> Iterator[ClassGiven]:
    parameters = {each.name for each in function.facts.parameters}
    for written in names_read_by(function, linker) if parameters else ():
        head, *parts = written.split(".")
        if head not in parameters:
            continue
        for count in range(min(len(parts) - 1, _LONGEST) + 1):
            attribute = parts[count] if count < len(parts) else None
            if attribute is None or not _may_be_set(attribute, linker, asker):
                continue
            holder = ".".join((head, *parts[:count]))
            owner = _class_of(holder, attribute, function, linker)
            place = place_read(f"{holder}.{attribute}", function) if owner is not None else None
            if owner is not None and place is not None:
                yield ClassGiven(owner, holder, attribute, place)
                break


def _may_be_set(attribute: str, linker: Linker, asker: str) -> bool:
    """Whether a body of a class may bind the attribute, and code set it or any: asked of texts alone."""
    word = re.escape(attribute)
    if not linker.first_party.is_anywhere(
        Words({attribute}), asker, re.compile(rf"(?m)^[ \t]+{word}\s*(?::[^=\n]+)?=")
    ):
        return False
    set_by_name = re.compile(rf"\b(?:cls|[A-Z]\w*)\.{word}\s*=(?!=)")
    return linker.first_party.is_anywhere(Words({"setattr"}), asker, _SETS) or linker.first_party.is_anywhere(
        Words({attribute}), asker, set_by_name
    )


def _class_of(holder: str, attribute: str, function: WorkerFunction, linker: Linker) -> Owner | None:
    head, *parts = holder.split(".")
    span = function.facts.header
    value = chained(Parameter(span, head, function.facts.qualname), parts, span)
    found = [traced.value for traced in linker.evaluate(value, function.frame)]
    classes = [each for each in found if isinstance(each, ClassValue)]
    if not classes or len(classes) < len(found) or any(each.facts is not classes[0].facts for each in classes):
        return None
    class_ = classes[0]
    if not class_.module.first_party or class_.facts.is_local or attribute not in held_at_import(class_, linker):
        return None
    return owner_of(class_.facts.name, class_.module, linker)
