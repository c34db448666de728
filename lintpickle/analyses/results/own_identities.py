"""Objects that stand for themselves (`MISSING = object()`): which they are, where they are made, and in which class."""

from __future__ import annotations

import re

from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.interpreter.abstract_values import AbstractValue, ExternalResult, InstanceValue, Site
from lintpickle.payload.linker import Linker

_PLAIN = "builtins.object"
_SAME = ("__reduce__", "__reduce_ex__", "__new__", "__getnewargs__", "__eq__")
"""Methods by which a class may see to it that its object comes back as the same, or as good as that."""
_ENUM = "Enum"
_PICKLED_BY_NAME = re.compile(r"\b(?:__reduce(?:_ex)?__|_missing_|pickle_by_enum_name|pickle_by_global_name)\b")
"""What stands in a class of members that see to it themselves that they come back."""


def stands_for_itself(value: AbstractValue, linker: Linker) -> bool:
    """Whether an object is told from others by its identity alone, which it loses when it is pickled."""
    match value:
        case ExternalResult(path=path):
            return path == _PLAIN
        case InstanceValue(class_=class_):
            has_own = any(linker.classes.find_method(value, name) is not None for name in _SAME)
            return not has_own and not class_.facts.decorators and not class_.facts.bases
        case _:
            return False


def made_at(owner: Owner) -> Site:
    """Where an object is made: in the body of a class, the call."""
    match owner.value:
        case (ExternalResult() | InstanceValue()) as made if made.call is not None and not owner.text:
            return Site(owner.module, made.call.span)
        case _:
            return owner.place


def enum_of(owner: Owner) -> str | None:
    """The class in the body of which an object is made, if that makes it a member of an `Enum`."""
    is_member = any(base.endswith(_ENUM) for header in owner.block.classes for base in header.bases)
    return owner.block.names[0] if is_member and not owner.text else None


def comes_back(owner: Owner) -> bool:
    """Whether an object is a member of an `Enum` that is pickled in another way than by its value."""
    text = owner.module.facts.text(owner.block)
    return enum_of(owner) is not None and _PICKLED_BY_NAME.search(text) is not None
