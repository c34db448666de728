"""Caches that workers fill as they need it (`if key not in _cache: _cache[key] = …`), and into which the main process
puts something by other code: what a worker makes there may be another value. For `migrate`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting, of_the_program, set_by
from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.facts.records import FunctionFacts, ItemStore
from lintpickle.facts.values import Call, Expr, Name, chain, without_narrowing
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_MADE_ANEW = Met("there it has only what workers put into it", "filled")


def cached_otherwise(
    owner: Owner, setters: Iterable[Setter], code: WorkerCode, linker: Linker, asker: str
) -> Setting | None:
    """How the main process alone fills such a container. `setters` are all the places that change it. Not where it
    stores what the same function gives: workers get the same."""
    running = {id(each.facts) for each in code.functions}
    filling = (each.facts for each in code.functions if each.module is owner.module)
    making = {_maker(event.value) for facts in filling for event in _stores(facts, owner)}
    if not making or _comes_along(owner, code):
        return None
    others = [
        each
        for each in setters
        if id(each.facts) not in running and not each.facts.is_module_body and not _stores_the_same(each, making)
    ]
    return set_by(of_the_program(others, code, linker), _MADE_ANEW, linker, asker)


def _comes_along(owner: Owner, code: WorkerCode) -> bool:
    """Whether objects put themselves into the container as they arrive in a worker, which asks for nothing but single
    items of it."""
    arriving = [each for each in code.functions if each.entered_by is None and each.module is owner.module]
    if not any(next(_stores(each.facts, owner), None) is not None for each in arriving):
        return False
    name = re.escape(owner.name)
    otherwise = re.compile(rf"(?<!in )\b{name}\b(?!\s*(?:\[|\.get\())")
    return not any(
        otherwise.search(each.module.code, each.facts.header.end, each.facts.span.end)
        for each in code.functions
        if each.entered_by is not None
    )


def _stores(function: FunctionFacts, owner: Owner) -> Iterator[ItemStore]:
    """The places where a function gives a container an item under a key."""
    for event in function.events:
        target = without_narrowing(event.target) if isinstance(event, ItemStore) else None
        if isinstance(event, ItemStore) and isinstance(target, Name) and target.name == owner.name and event.key:
            yield event


def _stores_the_same(setter: Setter, making: set[str | None]) -> bool:
    """Whether a place stores what a function gives by which workers fill the container, too."""
    here = (event for event in setter.facts.events if isinstance(event, ItemStore) and event.span == setter.span)
    return any((maker := _maker(event.value)) is not None and maker in making for event in here)


def _maker(value: Expr) -> str | None:
    """The name of the function of which an expression is a call."""
    inner = without_narrowing(value)
    parts = chain(inner.function) if isinstance(inner, Call) else None
    return parts[-1] if parts else None
