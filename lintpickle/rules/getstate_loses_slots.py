from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lintpickle.analyses.hierarchies import REDUCERS, defines, known_ancestors, stores_of
from lintpickle.rules.authoring import (
    ClassValue,
    Collection,
    Constant,
    ExternalValue,
    Hazard,
    Linker,
    Rule,
    Site,
)

_FROM_DICT = r"\b{me}\.__dict__|\bvars\({me}\)"
_MENTIONS_SLOTS = re.compile(r"__slots__|getattr\(|super\(\)|copyreg")
"""What may bring the slots into the state."""
_WITHOUT_DICT = frozenset({"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol"})
"""Bases whose objects have no `__dict__`, if no class below gives them one."""


class GetstateLosesSlots(Rule):
    """A `__getstate__` that returns `self.__dict__`, where the class keeps attributes in `__slots__` too."""

    code = "LP610"
    name = "getstate-loses-slots"
    message = "`{class_}.__getstate__` returns what is in `__dict__`, and `{slot}` is in `__slots__`: {error}"
    help = "put the slots into the state too, or leave `__getstate__` out: without it, pickle sends both"
    words = frozenset({"__getstate__"})

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        method = class_.facts.methods.get("__getstate__")
        line = known_ancestors(class_, linker.classes)
        if method is None or method.decorators or not method.parameters or line is None or defines(line, *REDUCERS):
            return
        text = class_.module.code[method.span.start : method.span.end]
        me = re.escape(method.parameters[0].name)
        if not re.search(_FROM_DICT.format(me=me), text) or _MENTIONS_SLOTS.search(text):
            return
        classes = tuple(each for each in line if isinstance(each, ClassValue))
        restoring = "".join(
            each.module.code[found.span.start : found.span.end]
            for each in classes
            if (found := each.facts.methods.get("__setstate__")) is not None
        )
        for slot in _slots(classes):
            is_stored = any(function.name == "__init__" for function, _ in stores_of(classes, slot))
            if is_stored and not re.search(rf"\b{re.escape(slot)}\b", text + restoring):
                has_dict = _has_dict(line)
                lost = slot if has_dict else "__dict__"
                yield Hazard(
                    site=Site(class_.module, method.header),
                    noun=f"it leaves `{slot}` out",
                    error=f"AttributeError: '{class_.facts.name}' object has no attribute '{lost}'",
                    data={"class_": class_.facts.name, "slot": slot},
                )
                return


def _slots(line: tuple[ClassValue, ...]) -> Iterator[str]:
    """The literal names of the slots of a hierarchy, without `__dict__` and `__weakref__`."""
    for each in line:
        value = each.facts.body.get("__slots__")
        elements = value.elements if isinstance(value, Collection) else (value,)
        for element in elements:
            if isinstance(element, Constant) and isinstance(element.value, str) and not element.value.startswith("__"):
                yield from element.value.replace(",", " ").split()


def _has_dict(line: tuple[ClassValue | ExternalValue, ...]) -> bool:
    """Whether objects have a `__dict__` beside their slots: a class of the hierarchy has no slots, or names it."""
    for each in line:
        if isinstance(each, ExternalValue):
            if each.path not in _WITHOUT_DICT:
                return True
            continue
        value = each.facts.body.get("__slots__")
        if value is None or "__dict__" in each.module.code[value.span.start : value.span.end]:
            return True
    return False
