"""Numbers that a function counts up which both the main process and workers call: `last += 1`, `Job.made += 1`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.main_state.calls_before_workers import calls_before_workers
from lintpickle.analyses.main_state.global_setters import setters_of
from lintpickle.analyses.main_state.main_attributes import Mention, attribute_at_import, class_named
from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting, of_the_program, set_by
from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.facts.records import ItemStore
from lintpickle.facts.values import Attribute, without_narrowing
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_COUNTING = re.compile(r"\.\w+\s*[-+*]=")
_NUMBER = re.compile(r"[\d.]+")


def begins_with(owner: Owner) -> Met:
    """What a worker has of such a number."""
    return Met(f"there it begins with `{owner.text}`", "changed before")


def counted_by_both(owner: Owner, code: WorkerCode, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where code of the main process calls, before it starts the workers, a function that they call, too, and that
    counts up a global and uses it."""
    name = re.escape(owner.name)
    counting = re.compile(rf"(?<![\w.]){name}\s*[-+*]=|(?<![\w.]){name}\s*=\s*{name}\s*[-+*]")
    used = re.compile(rf"(?<![\w.]){name}\b(?!\s*[-+*]?=[^=])(?!\s*[-+*]\s*\d)")
    setters = setters_of(owner.name, owner.module)
    for function in code.functions:
        text = function.text
        if function.facts not in setters or counting.search(text) is None:
            continue
        uses = (each for each in used.finditer(text) if not _is_declared(text, each.start()))
        if next(uses, None) is None:
            continue
        yield from calls_before_workers(function.facts, code, linker, asker)


def attributes_counted(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Mention, Setting]]:
    """The attributes of classes that workers count up and use, each once, with how the main process does so before it
    starts them, as a rule because it makes objects. For `migrate`."""
    asker, told = code.root.site.module.path, set[tuple[str, str]]()
    for function in code.functions if linker.moving_to is not None else ():
        module, facts = function.module, function.facts
        if not module.first_party or _COUNTING.search(module.code, facts.header.end, facts.span.end) is None:
            continue
        for event in facts.events:
            place = without_narrowing(event.target) if isinstance(event, ItemStore) and event.key is None else None
            owner = class_named(place.base, function, linker) if isinstance(place, Attribute) else None
            if not isinstance(place, Attribute) or owner is None or (owner.name, place.name) in told:
                continue
            constant = attribute_at_import(place.name, owner, linker)
            if constant is None or not _NUMBER.fullmatch(constant) or not _is_used(place.name, code):
                continue
            setters = calls_before_workers(facts, code, linker, asker)
            met = Met(f"there it begins with `{constant}`", "changed before")
            setting = set_by(of_the_program(setters, code, linker), met, linker, asker)
            if setting is not None:
                told.add((owner.name, place.name))
                yield function, Mention(owner.name, place.name, event.span), setting


def _is_used(attribute: str, code: WorkerCode) -> bool:
    """Whether code of the workers does more with an attribute than to count it up."""
    used = re.compile(rf"\.{re.escape(attribute)}\b(?!\s*[-+*]?=[^=])")
    return any(used.search(each.module.code, each.facts.header.end, each.facts.span.end) for each in code.functions)


def _is_declared(text: str, offset: int) -> bool:
    return text[text.rfind("\n", 0, offset) + 1 : offset].lstrip().startswith("global ")
