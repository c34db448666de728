"""What objects of a class lack while they are unpickled: nothing but their state can hold it."""

from __future__ import annotations

import builtins
from types import NoneType

from lintpickle.analyses.calls_and_values.hierarchies import stores_of
from lintpickle.facts.records import Store
from lintpickle.facts.values import Call, Constant
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.parsing.syntax import is_special_name


def class_texts(line: tuple[ClassValue, ...]) -> dict[str, str]:
    """The attributes of a hierarchy that are texts, and that no object has for itself."""
    found: dict[str, str] = {}
    for owner in reversed(line):
        for name, value in owner.facts.body.items():
            if isinstance(value, Constant) and isinstance(value.value, str):
                found[name] = value.value
            else:
                found.pop(name, None)
    return {name: text for name, text in found.items() if not any(True for _ in stores_of(line, name))}


def has_state(line: tuple[ClassValue, ...]) -> bool:
    """Whether objects have attributes of their own, so that unpickling asks how to give them these."""
    stores = (each for owner in line for method in owner.facts.methods.values() for each in method.events)
    return any(isinstance(each, Store) for each in stores) or any(owner.facts.fields for owner in line)


def is_missing(name: str, line: tuple[ClassValue, ...], bases: tuple[str, ...]) -> bool:
    """Whether the class defines no attribute of that name, so that only the object's state can hold it."""
    if is_special_name(name):
        return name == "__setstate__"
    if any(hasattr(getattr(builtins, path.removeprefix("builtins."), None), name) for path in bases):
        return False
    return not any(
        name in each.facts.methods or name in each.facts.body or name in _with_default(each) for each in line
    )


def _with_default(class_: ClassValue) -> list[str]:
    """The fields of a dataclass whose defaults are written out: these are attributes of the class, too."""
    given = ((field.name, field.default) for field in class_.facts.fields)
    return [name for name, default in given if default is not None and not isinstance(default, Call)]


def is_field(name: str, line: tuple[ClassValue, ...]) -> bool:
    """Whether the attribute is a field that each object gets for itself."""
    fields = (field for each in line for field in each.facts.fields)
    return any(field.name == name and isinstance(field.default, (Call, NoneType)) for field in fields)
