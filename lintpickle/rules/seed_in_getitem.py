from __future__ import annotations

import re
from collections.abc import Iterable

from lintpickle.analyses.random_numbers.seeds import SEEDERS, origins, seed_of, written
from lintpickle.analyses.random_numbers.seeds_asked_for import is_asked_for, is_surely_none
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    Attribute,
    Called,
    ExternalValue,
    Hazard,
    InstanceValue,
    ItemStore,
    Linker,
    Rule,
    Site,
    Store,
    WorkerCode,
    WorkerFunction,
)

_PER_ITEM = ("__getitem__", "__getitems__")
_RESTORES = re.compile(r"set_state|setstate|set_rng_state|fork_rng|temp_seed|isolate_rng")


class SeedInGetitem(Rule):
    """A global generator that `__getitem__` seeds with the same number for every item."""

    code = "LP304"
    name = "seed-in-getitem"
    start_methods = ALL_START_METHODS
    message = "`{call}` runs for every item: all items get the same random numbers, in every worker and every epoch"
    help = "drop it: torch seeds NumPy, `random` and itself in each worker; for items that repeat, seed with the index"
    words = frozenset({"seed"})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        if code.boundary is not None and code.boundary.spec.kind != "dataloader":
            return
        changed = {
            event.attribute if isinstance(event, Store) else _attribute(event)
            for function in code.functions
            for event in function.facts.events
            if isinstance(event, Store | ItemStore)
        }
        for function in code.functions:
            if "seed" in function.module.code and _runs_per_item(function):
                yield from _seeded(function, changed, linker)


def _seeded(function: WorkerFunction, changed: set[str], linker: Linker) -> Iterable[Hazard]:
    module, facts = function.module, function.facts
    is_seeding = module.code.find("seed", facts.span.start, facts.span.end) >= 0
    if not is_seeding or _RESTORES.search(module.code, facts.span.start, facts.span.end):
        return
    me = next((name for name, bound in function.frame.bindings.items() if isinstance(bound.value, InstanceValue)), None)
    for event in facts.events:
        seed = seed_of(event.call) if isinstance(event, Called) and not event.conditional else None
        if seed is None or not isinstance(event, Called):
            continue
        text = " ".join(module.code[seed.span.start : seed.span.end].split())
        if origins(seed, facts, module) - {me} or changed & set(text.split(".")):
            continue
        if is_surely_none(seed, function.frame, linker):
            continue
        for traced in linker.evaluate(event.call.function, function.frame):
            if isinstance(traced.value, ExternalValue) and traced.value.path in SEEDERS:
                site = Site(module, event.call.span)
                confidence = Confidence.POSSIBLE if is_asked_for(seed, function.frame, linker) else None
                yield Hazard(site, "the seed", None, {"call": written(site)}, function.hops, confidence=confidence)


def _runs_per_item(function: WorkerFunction) -> bool:
    return function.facts.name in _PER_ITEM or function.entered_by in _PER_ITEM


def _attribute(event: ItemStore) -> str:
    return event.target.name if isinstance(event.target, Attribute) else ""
