"""Objects that stand for themselves (`MISSING = object()`): which they are, where they are made, and in which class."""

from __future__ import annotations

import re

from msgspec import Struct

from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.facts.records import ClassFacts
from lintpickle.facts.values import Call, Item, ending_name
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ExternalResult,
    ExternalValue,
    Frame,
    InstanceValue,
    Site,
)
from lintpickle.interpreter.plain_bases import BARE_BASES
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_PLAIN = "builtins.object"
_FINAL = "final"
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
            return not has_own and id(class_.facts) not in linker.classes.registered and _is_plain(class_, linker)
        case _:
            return False


def _is_plain(class_: ClassValue, linker: Linker, deepest: int = 4) -> bool:
    """Whether a class has no decorators and base classes of which more would have to be known."""
    if not deepest or any(ending_name(each) != _FINAL for each in class_.facts.decorators):
        return False
    for base in class_.facts.bases:
        named = base.base if isinstance(base, Item) else base
        for traced in linker.evaluate(named, linker.classes.body_frame(class_)):
            match traced.value:
                case ExternalValue(path=path) if path in BARE_BASES:
                    pass
                case ClassValue() as inner if _is_plain(inner, linker, deepest - 1):
                    pass
                case _:
                    return False
    return True


class MadeOnce(Struct, frozen=True, eq=False):
    """An object that a module makes once, when it is imported: the call that makes it, and the module."""

    call: Call
    module: Module

    @property
    def site(self) -> Site:
        """Where it is made."""
        return Site(self.module, self.call.span)


def made_once(value: AbstractValue, linker: Linker) -> MadeOnce | None:
    """How an object is made, if it stands for itself and a module, or the body of a class, makes it."""
    match value:
        case (
            ExternalResult(call=Call() as call, frame=Frame() as frame)
            | InstanceValue(call=Call() as call, frame=Frame() as frame)
        ) if stands_for_itself(value, linker):
            class_ = class_with(call, frame.module)
            is_once = not _is_enum(class_) if class_ is not None else frame.function.is_module_body
            return MadeOnce(call, frame.module) if is_once else None
        case _:
            return None


def made_at(owner: Owner) -> Site:
    """Where an object is made: in the body of a class, the call."""
    match owner.value:
        case (ExternalResult() | InstanceValue()) as made if made.call is not None and not owner.text:
            return Site(owner.module, made.call.span)
        case _:
            return owner.place


def class_with(call: Call, module: Module) -> ClassFacts | None:
    """The class of which the body binds what a call makes to a name; None if there is none."""
    block = module.outline.block_at(call.span.start)
    facts = module.facts_of(block) if block is not None and block.is_class else None
    found = facts.classes.values() if facts is not None else ()
    return next((class_ for class_ in found if any(made is call for made in class_.body.values())), None)


def _is_enum(class_: ClassFacts) -> bool:
    """Whether a class makes members of what its body binds to names."""
    return any((ending_name(base) or "").endswith(_ENUM) for base in class_.bases)


def enum_of(owner: Owner) -> str | None:
    """The class in the body of which an object is made, if that makes it a member of an `Enum`."""
    is_member = any(base.endswith(_ENUM) for header in owner.block.classes for base in header.bases)
    return owner.block.names[0] if is_member and not owner.text else None


def comes_back(owner: Owner) -> bool:
    """Whether an object is a member of an `Enum` that is pickled in another way than by its value."""
    text = owner.module.facts.text(owner.block)
    return enum_of(owner) is not None and _PICKLED_BY_NAME.search(text) is not None
