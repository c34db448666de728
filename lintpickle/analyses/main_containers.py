"""Containers that a module fills at import, and that only the main process changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lintpickle.analyses.import_time import functions_of
from lintpickle.analyses.main_setters import Met, Setter, Setting, guard_of, is_called, set_by
from lintpickle.facts.records import FunctionFacts, ItemStore
from lintpickle.facts.values import Call, Collection, Expr, Item, Mapping, Name
from lintpickle.parsing.outline import Block
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

CHANGED = Met("there it holds what the import puts into it", "changed")
_MAKERS = frozenset({"dict", "list", "set", "OrderedDict", "defaultdict", "Counter", "deque"})


def is_filled_at_import(name: str, bound: Sequence[Block], module: Module) -> bool:
    """Whether one block binds the name, to a list, dictionary or set with something in it."""
    facts = module.facts_of(bound[0]) if len(bound) == 1 else None
    match facts.values.get(name) if facts is not None else None:
        case Collection(kind="list" | "set", elements=elements):
            return bool(elements)
        case Mapping(items=items):
            return bool(items)
        case Call(function=Name(name=maker), arguments=arguments):
            return maker in _MAKERS and bool(arguments)
        case _:
            return False


def changed_container(name: str, module: Module, linker: Linker, asker: str) -> Setting | None:
    """How only the main process changes what a container of a module holds: in a function that the program calls and no
    worker, before that starts workers itself, or under the main guard. None if workers or an import change it too."""
    setters: list[Setter] = []
    for facts in _changing(name, module):
        if facts.is_local:
            return None  # What a function in a function does is not followed so far.
        started = [each.site.span.start for each in linker.boundary_calls() if each.frame.function is facts]
        for event in facts.events:
            if not isinstance(event, ItemStore) or _holder(event.target) != name:
                continue
            if facts.is_module_body and guard_of(event.span.start, module) is None:
                continue  # A part of the import.
            is_before = not started or event.span.start < max(started)
            setters.append(Setter(module, facts, event.span, is_before and is_called(facts, linker, asker)))
    return set_by(setters, CHANGED, linker, asker)


def _changing(name: str, module: Module) -> Iterator[FunctionFacts]:
    def changes(facts: FunctionFacts) -> bool:
        return any(isinstance(event, ItemStore) and _holder(event.target) == name for event in facts.events)

    yield from functions_of(module, re.compile(rf"(?<![\w.]){re.escape(name)}\s*[.\[]"), changes)


def _holder(target: Expr) -> str | None:
    """The name of the module's level into whose container something is put."""
    while isinstance(target, Item):
        target = target.base
    return target.name if isinstance(target, Name) else None
