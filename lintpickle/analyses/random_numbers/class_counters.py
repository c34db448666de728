"""Counters and other iterators that a class keeps for its objects (`_serial = itertools.count(1)`), as its methods and
others name them."""

from __future__ import annotations

import re

from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Attribute, Name, chained
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ContainerValue,
    Frame,
    GeneratorValue,
    ProductValue,
)
from lintpickle.interpreter.held import Held
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words

_OWN_CLASS = re.compile(r"type\(\s*(\w+)\s*\)|(\w+)\.__class__|(\w+)")
_SET = r"\.{name}\s*(?::[^=\n]+)?=(?!=)|setattr\([^,\n]+,\s*[\"']{name}[\"']"
_KEYED = (
    r"\[\s*(?:\w+\.)*\w+\.{name}\s*\]|\.{name}\s*(?:[=!]=|\b(?:not\s+)?in\b)|(?:[=!]=\s*|\bin\s+)(?:\w+\.)*\w+\.{name}\b"
    r"|[{{,]\s*(?:\w+\.)*\w+\.{name}\s*:|\.(?:add|get|pop|setdefault|discard)\(\s*(?:\w+\.)*\w+\.{name}\b"
    r"|\{{\s*(?:\w+\.)*\w+\.{name}\s+for\b|attrgetter\(\s*[\"']{name}[\"']"
)
"""Where code looks up, compares, or gathers objects by an attribute."""


def keeper_named(owner: str, function: FunctionFacts) -> str:
    """The class by whose name code in a function can be written that says `owner`: of a method's own object, or class,
    the one that defines the method."""
    found = _OWN_CLASS.fullmatch(owner)
    classes = function.qualname.rpartition(".")[0]
    me = function.parameters[0].name if function.parameters and classes else None
    return classes if found is not None and me in found.groups() else owner


def iterator_of_class(owner: str, name: str, frame: Frame, linker: Linker) -> AbstractValue | None:
    """The iterator that a class has under a name, if nothing else is stored there."""
    asker, function = frame.module.path, frame.function
    first, *others = keeper_named(owner, function).split(".")
    named = chained(Name(function.header, first), others, function.header)
    classes = [traced.value for traced in linker.evaluate(named, frame)]
    if len(classes) != 1 or not isinstance(classes[0], ClassValue) or classes[0].facts.is_local:
        return None
    held = linker.evaluate(Attribute(function.header, named, name), frame)
    form = re.compile(_SET.format(name=re.escape(name)))
    made = [traced.value for traced in held if _is_iterator(traced.value)]
    if not made or linker.first_party.is_anywhere(Words({name}), asker, form):
        return None
    return made[0]


def maker_of(iterator: AbstractValue | None) -> str:
    """The function that was called to make an iterator: `itertools.count`."""
    match iterator:
        case ProductValue(path=path) | ContainerValue(made_by=path):
            return path
        case _:
            return ""


def _is_iterator(value: AbstractValue) -> bool:
    """Whether a value is an iterator. Those of `itertools` pickle before Python 3.14."""
    return isinstance(value, (ProductValue, GeneratorValue)) or (
        isinstance(value, ContainerValue) and value.kind == "iterator"
    )


def is_key(held: Held | None, asker: str, linker: Linker) -> bool:
    """Whether code looks objects up by an attribute, or compares it; so for what is in none."""
    if held is None:
        return True
    form = re.compile(_KEYED.format(name=re.escape(held.attribute)))
    return linker.first_party.is_anywhere(Words({held.attribute}), asker, form)
