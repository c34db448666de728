"""Globals that the main process sets only when it has come past the start of the workers that read them: forked ones
have the value of the start, too, and later ones are another boundary's. For `migrate`."""

from __future__ import annotations

from lintpickle.analyses.at_import.import_time import is_guard
from lintpickle.analyses.calls_and_values.ways_of_programs import (
    Order,
    ProgramWay,
    is_of_one_program,
    order,
    program_ways,
)
from lintpickle.analyses.main_state.global_setters import filling, places_set, setters_of
from lintpickle.analyses.main_state.main_setters import Setting
from lintpickle.analyses.workers.workers_started import started_at
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.program.module import Module

_KINDS = frozenset({"pool", "executor"})
"""Boundaries that give tasks to workers which run by then, or start with these."""
_RENEWED = "maxtasksperchild"
"""What makes a pool start other workers later."""
_BY_REFERENCE = ("threading", "asyncio", "atexit", "Thread")
"""What may run a function later or beside what calls it."""


def is_set_after_start(name: str, setting: Setting, module: Module, code: WorkerCode, linker: Linker) -> bool:
    """Whether all places that bind a global of a module anew come, in every program that is seen, after the start of
    the workers of a boundary."""
    boundary = code.boundary
    if linker.moving_to is None or boundary is None or setting.setter is None:
        return False
    home, setters = boundary.site.module, setters_of(name, module)
    is_plain = not any(word in each.code for word in (_RENEWED, *_BY_REFERENCE) for each in (home, module))
    is_guarded = any(is_guard(block, module) for block in module.outline.binding(name))
    if not setters or not is_plain or is_guarded or any(True for _ in filling(name, module)):
        return False
    spans = [boundary.site.span] if boundary.spec.kind in _KINDS else list(started_at(boundary))
    starts = [program_ways(span, boundary.frame.function, home, linker) for span in spans]
    sets = [program_ways(span, each, module, linker) for each in setters for span in places_set(name, each, module)]
    return _all_after(sets, starts)


def _all_after(sets: list[tuple[ProgramWay, ...] | None], starts: list[tuple[ProgramWay, ...] | None]) -> bool:
    """Whether each of some places comes after each of others in the programs that come to both; False if a way is not
    seen."""
    if None in sets or None in starts:
        return False
    pairs = [
        (one, other)
        for ways in sets
        for one in ways or ()
        for others in starts
        for other in others or ()
        if is_of_one_program(one, other)
    ]
    return bool(pairs) and all(order(one, other) is Order.AFTER for one, other in pairs)
