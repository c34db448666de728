"""Containers into which a function puts something and takes from it what it has, which both the main process and
workers call: `_store[key] = value; return _store`. One that only remembers results (`if key not in _store`) is left
out: workers get the same results. For `migrate`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.main_state.calls_before_workers import calls_before_workers
from lintpickle.analyses.main_state.main_setters import Met, Setting, of_the_program, set_by
from lintpickle.analyses.main_state.read_objects import Owner, Reading
from lintpickle.facts.records import FunctionFacts, ItemStore
from lintpickle.facts.values import Collection, Mapping, Name, Parameter, holder_of
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_KEPT = Met("there it has nothing of what main put into it", "filled before")


def kept_by_both(owner: Owner, code: WorkerCode, linker: Linker, asker: str) -> Setting | None:
    """How the main process fills a container by a function that workers call, too."""
    for function in code.functions:
        is_read = function.module is owner.module and owner.name in function.facts.reads
        if is_read and _keeps(owner.name, function, Name, function.facts.header.end):
            setting = _called_before(function.facts, code, linker, asker)
            if setting is not None:
                return setting
    return None


def defaults_kept(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Reading, Setting]]:
    """The same of containers that are defaults of parameters: `def remember(key, value, _store={})`."""
    asker = code.root.site.module.path
    for function in code.functions if linker.moving_to is not None else ():
        if not function.module.first_party or function.module.document.cells is not None:
            continue
        for parameter in function.facts.parameters:
            default = parameter.default
            if not isinstance(default, (Collection, Mapping)) or parameter.name in function.frame.bindings:
                continue
            if _keeps(parameter.name, function, Parameter, default.span.end):
                setting = _called_before(function.facts, code, linker, asker)
                if setting is not None:
                    yield function, Reading(parameter.name, default.span, True), setting


def _called_before(function: FunctionFacts, code: WorkerCode, linker: Linker, asker: str) -> Setting | None:
    setters = calls_before_workers(function, code, linker, asker)
    return set_by(of_the_program(setters, code, linker), _KEPT, linker, asker)


def _keeps(name: str, function: WorkerFunction, kind: type[Name] | type[Parameter], begin: int) -> bool:
    """Whether a function, from an offset on, puts something into a container before it reads it, and then reads it."""
    facts, code = function.facts, function.module.code
    stores = [event.span for event in facts.events if isinstance(event, ItemStore) and _is_on(event, name, kind)]
    if not stores:
        return False
    mentioned = re.compile(rf"(?<![\w.]){re.escape(name)}\b")
    places = [found.start() for found in mentioned.finditer(code, begin, facts.span.end)]
    places = [each for each in places if not code[code.rfind("\n", 0, each) + 1 : each].lstrip().startswith("global ")]
    is_read = any(not any(span.start <= each < span.end for span in stores) for each in places)
    return is_read and min(places) >= min(span.start for span in stores)


def _is_on(event: ItemStore, name: str, kind: type[Name] | type[Parameter]) -> bool:
    target = holder_of(event.target)
    return isinstance(target, kind) and target.name == name
