"""Classes that calls make, and whether pickle finds them by the name that they are given."""

from __future__ import annotations

import re

from lintpickle.analyses.at_import.import_runs import runs_on_import
from lintpickle.analyses.calls_and_values.functions import name_at_run
from lintpickle.analyses.main_state.unpublished_classes import is_never_published
from lintpickle.analyses.pickle_hooks.modules_of_classes import module_of_class
from lintpickle.catalog import VersionedError
from lintpickle.facts.values import Attribute, Call, Collection, Comprehension, Data, Mapping, mentions_parameter
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ConstantValue,
    ContainerValue,
    Hop,
    Site,
    Slot,
)
from lintpickle.interpreter.made_classes import name_of
from lintpickle.interpreter.slots import excerpt
from lintpickle.parsing.outline import Block
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module
from lintpickle.resolution.module_bindings import ModuleBinding

_DECLARES_GLOBAL = re.compile(r"^[ \t]+global\s", re.MULTILINE)
_MADE_BY_NAME_ALONE = frozenset({"namedtuple", "dataclass"})
SOME_NAME = "…"
"""Stands for a name that only running tells."""
_ENUMERATIONS = {"enum": "enum '{name}'", "flag": "flag '{name}'"}


def named_by_call(value: AbstractValue, linker: Linker) -> tuple[Module, str] | None:
    """The module and the name by which pickle writes a class that a call makes, and all that it makes; None for other
    values."""
    first = name_of(value) if isinstance(value, ContainerValue) and value.call is not None else None
    names = _typenames(first, linker) if first is not None else ()
    return (first.frame.module, names[0]) if first is not None and len(names) == 1 else None


def misnamed(value: AbstractValue, linker: Linker) -> tuple[str, str | VersionedError] | None:
    """The name that does not lead to a class which a call makes, and pickle's error for the class and all that it makes
    (CPython 3.10 to 3.14); None for classes that are found by their names, and for other values."""
    if not isinstance(value, ContainerValue) or value.call is None:
        return None
    made, first = value.call, name_of(value)
    if first is None or made.keyword("module") is not None or made.keyword("qualname") is not None:
        return None
    names = _typenames(first, linker)
    is_known_later = _is_made_later(value, first, linker) or _is_only_in_tables(value, first)
    if not names and (is_known_later or (value.kind.startswith("type") and is_never_published(made, first, linker))):
        names = (SOME_NAME,)
    home = module_of_class(made, first, linker) if names else None
    if home is None:
        return None
    found = [_misnamed_as(name, value, made, first, home, linker) for name in names]
    return found[0] if all(found) else None


def _misnamed_as(
    name: str, value: ContainerValue, made: Call, first: Slot, module: Module, linker: Linker
) -> tuple[str, str | VersionedError] | None:
    module_name = name_at_run(module)
    path = f"{module_name}.{name}"
    definitions = list(linker.evaluator.names.lookup(module, name))
    is_found = any(each.module is module and _leads_to(each, made, first, name, linker) for each in definitions)
    reason = (
        f"it's not the same object as {path}"
        if any(each.module is module for each in definitions)
        else f"attribute lookup {name} on {module_name} failed"
    )
    kind = value.kind.removesuffix("()")
    shown = _ENUMERATIONS.get(kind, "class '{path}'").format(name=name, path=path)
    error = f"_pickle.PicklingError: Can't pickle <{shown}>: {reason}"
    if kind == "dataclass":
        return _misnamed_dataclass(name, error, is_found, linker)
    return None if is_found else (name, error)


def place_of_class(value: AbstractValue, used: Site) -> tuple[Site, tuple[Hop, ...]]:
    """Where the call stands that makes such a class, or the class of such an object, and the step that leads there from
    the place where it is used; that place itself for other values."""
    first = name_of(value) if isinstance(value, ContainerValue) else None
    if not isinstance(value, ContainerValue) or value.call is None or first is None:
        return used, ()
    made = Site(first.frame.module, value.call.span)
    if made.contains(used):
        return made, ()
    return made, (Hop("an object of the class crosses" if value.kind.endswith("()") else "the class crosses", used),)


def _typenames(first: Slot, linker: Linker) -> tuple[str, ...]:
    """The names that a call may give to the class that it makes; none if that is not known. A text that a function
    computes for a class of its own stands for itself: no global of the module has that class."""
    match first.value:
        case Attribute(base=base, name="__name__"):
            named = [each.value for each in linker.evaluate(base, first.frame)]
            return (named[0].facts.name,) if len(named) == 1 and isinstance(named[0], ClassValue) else ()
        case _:
            pass
    found = [each.value for each in linker.evaluate(first.value, first.frame)]
    names = tuple(each.value for each in found if isinstance(each, ConstantValue) and isinstance(each.value, str))
    if len(names) == len(found):
        return names
    is_computed = isinstance(first.value, Data) and not first.frame.function.is_module_body
    parts = first.value.parts if isinstance(first.value, Data) else ()
    if not is_computed or any(mentions_parameter(part, None, linker.evaluator.cuts.note) for part in parts):
        return ()
    return (excerpt(first.frame.module, first.value).lstrip("f").strip("\"'"),)


def _is_made_later(value: ContainerValue, first: Slot, linker: Linker) -> bool:
    """Whether a function makes such a class that no import runs: whatever its name, the module does not get it, unless
    the function declares it global."""
    function, module = first.frame.function, first.frame.module
    is_plain = value.kind.removesuffix("()") in _MADE_BY_NAME_ALONE
    return (
        is_plain
        and not function.is_module_body
        and not module.has(_DECLARES_GLOBAL)
        and not runs_on_import(function, module, linker)
    )


def _is_only_in_tables(value: ContainerValue, first: Slot) -> bool:
    """Whether a function makes such a class whose results statements at module level only put into tables of the module
    (`ROWS = {kind: row_type(kind) for kind in KINDS}`), and never take out of these."""
    function, module = first.frame.function, first.frame.module
    if value.kind.removesuffix("()") not in _MADE_BY_NAME_ALONE or function.is_module_body or function.is_local:
        return False
    if module.has(_DECLARES_GLOBAL) or "." in function.qualname:
        return False
    statements = [each for each in module.outline.blocks if not each.is_class and not each.defines_function]
    calling = [each for each in statements if _names(function.name, each, module)]
    tables = {name for block in calling for name in block.names}
    return bool(calling) and all(
        _binds_tables(block, module) if block in calling else not any(_names(each, block, module) for each in tables)
        for block in statements
    )


def _names(name: str, block: Block, module: Module) -> bool:
    return re.compile(rf"\b{re.escape(name)}\b").search(module.code, block.span.start, block.span.end) is not None


def _binds_tables(block: Block, module: Module) -> bool:
    """Whether a statement binds one name to a display or comprehension of a container."""
    facts = module.facts_of(block)
    value = facts.values.get(block.names[0]) if facts is not None and len(block.names) == 1 else None
    return isinstance(value, (Collection, Comprehension, Mapping))


def _leads_to(definition: ModuleBinding, made: Call, first: Slot, name: str, linker: Linker) -> bool:
    """Whether a name of the module is given what a call makes, or something made of that; or is that of a class which
    a decorator replaces by it, or by something that is not known."""
    value, module = definition.value, first.frame.module
    if value is None:
        return _is_replaced(definition, name, linker)
    here = Site(module, made.span)
    if value is made or Site(module, value.span).contains(here):
        return True
    return any(
        isinstance(each.value, ContainerValue) and each.value.call is made
        for each in linker.evaluator.definition(definition, here)
    )


def _is_replaced(definition: ModuleBinding, name: str, linker: Linker) -> bool:
    home = definition.module
    block = next((each for each in home.outline.binding(name) if each.is_class), None) if home is not None else None
    facts = home.facts_of(block) if home is not None and block is not None else None
    class_ = facts.classes.get(name) if facts is not None else None
    if home is None or facts is None or class_ is None:
        return False
    frame = linker.evaluator.module_frame(home, facts.body)
    return linker.evaluator.decorators.may_replace(linker.classes.module_level(home, class_), frame)


def _misnamed_dataclass(
    name: str, error: str, is_found: bool, linker: Linker
) -> tuple[str, str | VersionedError] | None:
    """`make_dataclass` says before Python 3.12 that its classes are of the module `types`, where none is found."""
    before = f"_pickle.PicklingError: Can't pickle <class 'types.{name}'>: attribute lookup {name} on types failed"
    if not is_found:
        return name, VersionedError(before, (((3, 12), error),))
    return (name, before) if any(python < (3, 12) for python in linker.evaluator.pythons) else None
