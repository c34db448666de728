"""Members of enumerations whose attributes only the main process sets: `Severity[name].limit = limit`. pickle writes a
member by its name: a worker finds the one that its own import has made, also where it is given it as an argument.

Measured with CPython 3.11 under spawn and forkserver."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_time import outside_comments
from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting, of_the_program, set_by, setter_at
from lintpickle.analyses.main_state.read_objects import Owner, Reading, owner_of
from lintpickle.analyses.workers.parts_given import parts_given
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Event, ItemStore, Store
from lintpickle.facts.values import Attribute, Expr, holder_of, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, Frame, InstanceValue
from lintpickle.interpreter.made_classes import makes_members
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_ENUMERATION = re.compile(r"(?:Enum|Flag)\b")
_WORDS = Words({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_STORED = re.compile(r"\.[\s\\]*(\w+)[ \t]*(?:\[[^\n]*\][ \t]*)?(?::[^=\n]+|[-+*/|&%@^]|//|\*\*)?=(?!=)")
_MAKING = ("__init__", "__new__")
_AS_MADE = Met("a member is found by its name, and there it is as its class makes it", "changed")


def members_set(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Reading, Setting]]:
    """The attributes of members that code of the workers reads, each once, with where the main process sets them."""
    asker = code.root.site.module.path
    owners = linker.remembered(("enumerations", asker), lambda: tuple(_enumerations(asker, linker)))
    for owner in owners:
        for attribute, setters in _setters(owner, linker, asker).items():
            reading = _reading(attribute, owner, code, linker)
            found = of_the_program(setters, code, linker) if reading is not None else []
            setting = set_by(found, _AS_MADE, linker, asker) if found else None
            if reading is not None and setting is not None:
                yield (*reading, setting)


def _enumerations(asker: str, linker: Linker) -> Iterator[Owner]:
    """The enumerations of the program that one may set attributes of."""
    for module in linker.first_party.naming(_WORDS, asker, _ENUMERATION):
        for block in module.outline.blocks:
            if block.is_class and _ENUMERATION.search(module.facts.text(block).partition(":")[0]):
                owner = owner_of(block.names[0], module, linker)
                class_ = owner.value if owner is not None else None
                if owner is not None and isinstance(class_, ClassValue) and makes_members(linker.classes.mro(class_)):
                    yield owner


def _setters(owner: Owner, linker: Linker, asker: str) -> dict[str, list[Setter]]:
    """What sets attributes of members, or items of what these hold, by the names of the attributes."""

    def find() -> dict[str, list[Setter]]:
        found: dict[str, list[Setter]] = {}
        for root, span, attribute in _places_set(owner, linker, asker):
            found.setdefault(attribute, []).append(setter_at(root.frame.module, root.function, span, linker, asker))
        return found

    return linker.remembered(("members set", owner.module.path, owner.name, asker), find)


def _places_set(owner: Owner, linker: Linker, asker: str) -> tuple[tuple[RootFrame, Span, str], ...]:
    """The places of the program that set one, each with its function and the attribute; sought once, whoever asks."""
    roots = linker.activations_with({owner.name}, _STORED, asker)

    def find() -> Iterator[tuple[RootFrame, Span, str]]:
        for root in roots:
            for event in root.function.events if not _is_making(root, owner) else ():
                attribute = _attribute_set(event, owner, root.frame, linker)
                if attribute is not None:
                    yield root, event.span, attribute

    return linker.remembered(("places of members", owner.module.path, owner.name), lambda: tuple(find()))


def _is_making(root: RootFrame, owner: Owner) -> bool:
    return root.function.name in _MAKING and root.frame.module is owner.module


def _attribute_set(event: Event, owner: Owner, frame: Frame, linker: Linker) -> str | None:
    match event:
        case Store(target=target, attribute=attribute) if _is_member(target, owner, frame, linker):
            return attribute
        case ItemStore(target=target):
            held = holder_of(target)
            is_its = isinstance(held, Attribute) and _is_member(held.base, owner, frame, linker)
            return held.name if is_its and isinstance(held, Attribute) else None
        case _:
            return None


def _is_member(value: Expr, owner: Owner, frame: Frame, linker: Linker) -> bool:
    """Whether an expression is a member of the enumeration, and nothing else."""
    inner = without_narrowing(value)
    if isinstance(inner, Attribute):
        classes = [traced.value for traced in linker.evaluate(inner.base, frame)]
        if classes and all(isinstance(each, ClassValue) and _is_same(each, owner) for each in classes):
            return isinstance(owner.value, ClassValue) and inner.name in owner.value.facts.body
    found = [traced.value for traced in linker.evaluate(inner, frame)]
    return bool(found) and all(isinstance(each, InstanceValue) and _is_same(each.class_, owner) for each in found)


def _is_same(class_: ClassValue, owner: Owner) -> bool:
    return isinstance(owner.value, ClassValue) and class_.facts is owner.value.facts


def _reading(attribute: str, owner: Owner, code: WorkerCode, linker: Linker) -> tuple[WorkerFunction, Reading] | None:
    """Where code of the workers reads the attribute: a function which names the enumeration, or which has a member as
    a parameter, as methods of the enumeration have."""
    for function in code.functions:
        if function.facts.name not in _MAKING and function.module.first_party:
            of = r"[\w)\]]" if owner.name in function.facts.reads else _members_had(function, owner, linker)
            place = _read(of, attribute, function) if of else None
            if place is not None:
                return function, Reading(f"{owner.name}.{attribute}", place, False)
    for given in parts_given(code, linker):
        place = _read(_alone(given.written), attribute, given.function)
        if place is not None and _is_member(given.value, owner, given.frame, linker):
            return given.function, Reading(f"{owner.name}.{attribute}", place, False)
    return None


def _members_had(function: WorkerFunction, owner: Owner, linker: Linker) -> str:
    """The parameters of a function that are members, as a pattern; "" for none."""
    given = (
        name
        for name, bound in function.frame.bindings.items()
        if (isinstance(bound.value, InstanceValue) and _is_same(bound.value.class_, owner))
        or (bound.expr is not None and bound.frame is not None and _is_member(bound.expr, owner, bound.frame, linker))
    )
    return "|".join(map(_alone, given))


def _alone(written: str) -> str:
    return rf"(?<![\w.]){re.escape(written)}"


def _read(of: str, attribute: str, function: WorkerFunction) -> Span | None:
    form = re.compile(rf"(?:{of})[\s\\]*\.[\s\\]*{re.escape(attribute)}\b(?![ \t]*=(?!=))")
    return outside_comments(form, function.module.code, function.facts.header.end, function.facts.span.end)
