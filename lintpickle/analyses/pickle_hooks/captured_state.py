"""Functions that an object keeps and that read, by the object that they capture, what its methods change later.

Measured with CPython 3.11 and 3.14: `copy.deepcopy` gives the copy the same function, in whose cell the original still
stands. Where nothing changes what it reads, both have the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from lintpickle.facts.methods import names_holding
from lintpickle.interpreter.abstract_values import (
    ClassValue,
    ConstantValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Site,
)
from lintpickle.payload.linker import Linker

_CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__"})
_BASES = frozenset({"torch.nn.Module", "torch.nn.modules.Module", "builtins.object"})
"""Classes whose instances have no state but what classes of the program's own give them."""
_TRAINING = re.compile(r"\.\s*training\b|\bregister_")
"""How a module asks for what `train()` and `eval()` set, or gets what is no attribute by its name."""
_FURTHER = 3
"""Calls of methods within each other that are followed from the function."""


def captured_object(function: FunctionValue, holder: InstanceValue) -> str | None:
    """The name under which a local function captures the object that keeps it, in whose method it was made."""
    around = function.frame.function if function.frame is not None else None
    me = around.parameters[0].name if around is not None and around.parameters else None
    if function.frame is None or me is None or me not in function.facts.captures:
        return None
    bound = function.frame.bindings.get(me)
    made = bound.value if bound is not None else None
    if not isinstance(made, InstanceValue) or made.class_.facts is not holder.class_.facts:
        return None
    is_it = made is holder or (made.call is holder.call and made.frame is holder.frame and made.call is not None)
    return me if is_it else None


def reads_what_changes(function: FunctionValue, me: str, holder: InstanceValue, linker: Linker) -> bool:
    """Whether a function reads an attribute of the object that it captures as `me`, itself or by methods of that, which
    a method other than the constructor stores or fills."""
    line = [each for each in linker.classes.mro(holder) if isinstance(each, ClassValue)]
    span = function.facts.span
    new, seen = {*_read(me, function.module.code[span.start : span.end])}, set[str]()
    for _ in range(_FURTHER):
        if any(_is_changed(name, line) for name in new):
            return True
        seen |= new
        new = {each for name in new for each in _read_by_method(name, holder, linker)} - seen
    return False


def reads_no_state(function: FunctionValue, me: str, holder: InstanceValue, linker: Linker) -> bool:
    """Whether all that a function of a torch module takes from the object that it captures as `me` are static methods,
    and modules of the program's own that hold nothing but constants: a copy has the same."""
    span = function.facts.span
    code = function.module.code[span.start : span.end]
    names = set(_read(me, code))
    site = Site(function.module, span)
    return len(re.findall(rf"\b{re.escape(me)}\b(?!\s*\.)", code)) == 0 and all(
        _is_static(name, holder, linker) or _is_without_state(name, holder, site, linker) for name in names
    )


def _is_static(name: str, holder: InstanceValue, linker: Linker) -> bool:
    found = linker.classes.find_method(holder, name)
    return found is not None and found[1].decorated_by("staticmethod")


def _is_without_state(name: str, holder: InstanceValue, site: Site, linker: Linker) -> bool:
    """Whether an attribute holds modules that have no state, and nothing else."""
    held = [each.value for each in linker.classes.instance_attribute(holder, name, site)]
    return bool(held) and all(isinstance(each, InstanceValue) and _has_no_state(each, linker) for each in held)


def _has_no_state(module: InstanceValue, linker: Linker) -> bool:
    """Whether a torch module holds nothing but constants, which no method changes, and does not ask whether it is being
    trained."""
    line = linker.classes.mro(module)
    own = [each for each in line if isinstance(each, ClassValue)]
    if any(isinstance(each, ExternalValue) and each.path not in _BASES for each in line):
        return False
    if any(_TRAINING.search(each.module.code, each.facts.span.start, each.facts.span.end) for each in own):
        return False
    state = linker.classes.states.state(module)
    return all(
        not _is_changed(held.attribute, own)
        and all(isinstance(each.value, ConstantValue) for each in linker.evaluate(held.value, held.frame))
        for held in state
    )


def _read_by_method(name: str, holder: InstanceValue, linker: Linker) -> Iterator[str]:
    found = linker.classes.find_method(holder, name)
    if found is not None and found[1].parameters:
        owner, facts, *_ = found
        yield from _read(facts.parameters[0].name, owner.module.code[facts.span.start : facts.span.end])


def _read(me: str, code: str) -> Iterator[str]:
    return (each[1] for each in _attribute(me).finditer(code))


def _is_changed(name: str, line: list[ClassValue]) -> bool:
    form = _change(name)
    return any(not _CONSTRUCTORS.issuperset(names_holding(each.facts.methods, form, each.module.code)) for each in line)


@lru_cache(maxsize=1024)
def _attribute(me: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(me)}\s*\.\s*([^\W\d]\w*)")


@lru_cache(maxsize=1024)
def _change(name: str) -> re.Pattern[str]:
    """How an attribute stands where it is stored, or something is stored in what it holds."""
    stores = r"(?:\[[^\]\n]*\]\s*)*(?:[-+*/@%&|^]|//|\*\*|<<|>>)?=(?!=)"
    return re.compile(
        rf"\.\s*{re.escape(name)}\s*(?:{stores}|\.(?:append|extend|insert|add|update|pop|clear|setdefault)\()"
    )
