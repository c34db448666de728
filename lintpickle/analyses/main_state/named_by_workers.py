"""Attributes of classes that workers may store themselves, under names that come from elsewhere: they read a file of
settings that the main process has written, `setattr(cls, name, value)`, or have the class do so that they choose by
its name: `getattr(module, section).load(values)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.hierarchies import defines
from lintpickle.analyses.main_state.stores_by_name import functions_storing_on_class
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Constant, Name, without_narrowing
from lintpickle.parsing.outline import Block
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_CHOOSES = re.compile(r"\bgetattr\s*\(")


def is_stored_by_name_in_workers(
    attribute: str, block: Block, module: Module, code: WorkerCode, linker: Linker
) -> bool:
    """Whether functions that workers run may so store an attribute of the class that a block of a module defines."""
    if not block.is_class:
        return False
    running = {id(each.facts) for each in code.functions}
    if any(id(each) in running for each in functions_storing_on_class(attribute, block, module, linker)):
        return True
    chosen = _methods_of_chosen(code, linker)
    facts = module.facts_of(block) if chosen else None
    owners = [linker.classes.module_level(module, each) for each in facts.body.classes] if facts is not None else []
    return any(defines(linker.classes.mro(owner), *chosen) for owner in owners)


def _methods_of_chosen(code: WorkerCode, linker: Linker) -> frozenset[str]:
    """The names of the methods that workers call of what they choose by a name that is not written out."""
    question = ("methods of what workers choose by name", code)
    return linker.remembered(
        question, lambda: frozenset(name for function in code.functions for name in _called_of_chosen(function))
    )


def _called_of_chosen(function: WorkerFunction) -> Iterator[str]:
    span = function.facts.span
    if _CHOOSES.search(function.module.code, span.start, span.end) is None:
        return
    for event in function.facts.events:
        called = event.call.function if isinstance(event, Called) else None
        match without_narrowing(called.base) if isinstance(called, Attribute) else None:
            case Call(function=Name(name="getattr"), arguments=(_, name, *_)) if not isinstance(name.value, Constant):
                assert isinstance(called, Attribute)
                yield called.name
            case _:
                pass
