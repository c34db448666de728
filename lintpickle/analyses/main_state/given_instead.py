"""Attributes that objects are given in place of what their class has under the same name (`unit = None` in its body,
`Quantity(values, "km")`), and that code reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.calls_and_values.written_elsewhere import stands_outside
from lintpickle.analyses.main_state.main_setters import changes_written
from lintpickle.facts.records import Called, FunctionFacts, Store
from lintpickle.facts.values import Attribute, Call, Name, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words

_MAKING = frozenset({"__new__", "__init__", "__array_finalize__", "__getstate__", "__reduce__", "__repr__", "__str__"})
"""Methods whose reads say nothing of what is needed."""


def is_given_instead(store: Store, method: FunctionFacts, class_: ClassValue, linker: Linker) -> bool:
    """Whether a method that makes objects of a class stores an attribute that differs from what the class has: by what
    it stores itself, or by what some call in the program gives it."""
    own = class_.facts.body[store.attribute]
    written = class_.module.code[own.span.start : own.span.end]
    value = without_narrowing(store.value)
    if not isinstance(value, Parameter):
        return changes_written(value, written, class_.module) and not _hands_on(value)
    place = next((at for at, each in enumerate(method.parameters) if each.name == value.name), None)
    if place is None:
        return False
    default = method.parameters[place].default
    if default is not None and changes_written(default, written, class_.module):
        return True
    given = (call.argument(value.name, place - 1) for call in calls_of_class(class_, linker))
    return any(each is not None and changes_written(each, written, class_.module) for each in given)


def is_read_elsewhere(attribute: str, class_: ClassValue, linker: Linker) -> bool:
    """Whether code of the program reads an attribute of that name: other than what makes and shows objects."""
    read = re.compile(_read(attribute))
    return stands_outside(_making(class_), read, attribute, class_.module.path, linker)


def is_asked_with_default(attribute: str, class_: ClassValue, linker: Linker) -> bool:
    """Whether code of the program asks for an attribute by `getattr` with a default alone: other than what makes and
    shows objects."""
    asked = rf"\bgetattr\(\s*[^(),]+,\s*[\"']{re.escape(attribute)}[\"']\s*"
    making, asker = _making(class_), class_.module.path
    certain = re.compile(rf"{_read(attribute)}|{asked}\)")
    has_default = re.compile(rf"{asked},\s*[^\s)]")
    is_asked = stands_outside(making, has_default, attribute, asker, linker)
    return is_asked and not stands_outside(making, certain, attribute, asker, linker)


def _read(attribute: str) -> str:
    return rf"\.\s*{re.escape(attribute)}\b(?!\s*=[^=])"


def _making(class_: ClassValue) -> list[Site]:
    return [Site(class_.module, each.span) for name, each in class_.facts.methods.items() if name in _MAKING]


def _hands_on(value: object) -> bool:
    """Whether a value is what another object has: `getattr(source, "unit", None)`, `source.unit`."""
    match value:
        case Call(function=Name(name="getattr")) | Attribute():
            return True
        case _:
            return False


def calls_of_class(class_: ClassValue, linker: Linker) -> Iterator[Call]:
    """The calls of a class by its name."""
    name = class_.facts.name
    form = re.compile(rf"\b{re.escape(name)}\s*\(")
    for module in linker.first_party.naming_in_text(Words({name}), class_.module.path, form):
        for facts in functions_of(module, form, lambda facts: True):
            for event in facts.events:
                if isinstance(event, Called) and _name(event.call) == name:
                    yield event.call


def _name(call: Call) -> str | None:
    match call.function:
        case Name(name=name) | Attribute(name=name):
            return name
        case _:
            return None
