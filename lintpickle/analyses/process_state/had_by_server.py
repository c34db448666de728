"""Whether the fork server has what the main process sets, as workers need it: it takes the environment along when it
starts, with the first process that needs it, and keeps that.

Measured with CPython 3.11: what is set before the first `start()` of a process or a manager, the making of a
pool or the first task of an executor is there in all workers; what is set later in none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum

from lintpickle.analyses.calls_and_values.given_on_ways import traced_back
from lintpickle.analyses.calls_and_values.ways_of_programs import (
    Order,
    ProgramWay,
    is_of_one_program,
    order,
    program_ways,
    surely_comes_first,
)
from lintpickle.analyses.main_state.main_setters import Setter, constant_in
from lintpickle.analyses.workers.ways_to_workers import surely_begins, ways_to_workers
from lintpickle.diagnostics import Span, StartMethod
from lintpickle.facts.records import Called, ItemStore
from lintpickle.facts.values import Argument, Call, Expr, without_narrowing
from lintpickle.payload.components import STARTING_KINDS
from lintpickle.payload.imported_modules import imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_NAMED = re.compile(r"""["'](\w+)["']""")
_POOL, _EXECUTOR, _MADE = "pool", "executor", ("Executor", ".Pool")


class Had(Enum):
    """What the server has of what the main process sets."""

    ALL = "all that forked ones have"
    EARLIER = "what was set before"
    UNKNOWN = "unknown"


def had_by_server(setters: Sequence[Setter], span: Span, code: WorkerCode, linker: Linker) -> Had:
    """What the workers of a boundary have of what some places set, as far as these set the same variable as the one at
    `span`. `EARLIER` if some process has surely started before they come to such a place, and they come to their own
    start after it. For `migrate`, which judges all modules together."""
    boundary = code.boundary
    if linker.moving_to is None or boundary is None:
        return Had.UNKNOWN
    setting: list[ProgramWay] = []
    for each in _of_one_variable(setters, span):
        found = program_ways(each.span, each.facts, each.module, linker)
        if found is None:
            return Had.UNKNOWN
        setting += found
    starts = ways_to_workers(boundary, linker)
    asked = [_had_at(way, setting, linker) for way in starts]
    if Had.EARLIER in asked:
        return Had.EARLIER
    return Had.ALL if asked and all(each is Had.ALL for each in asked) else Had.UNKNOWN


def _had_at(start: ProgramWay, setting: Sequence[ProgramWay], linker: Linker) -> Had:
    """What workers have that start at the end of a way. What is set only later no worker has, a forked one neither."""
    here = [way for way in setting if is_of_one_program(way, start)]
    relevant = [way for way in here if order(way, start) is not Order.AFTER]
    if not relevant:
        return Had.ALL if here else Had.UNKNOWN
    before = list(_ways_of_starts(start, linker))
    if None in before:
        return Had.UNKNOWN
    changing = [way for way in relevant if not _is_set_alike_before(way, relevant)]
    if all(order(way, other) is Order.BEFORE for way in changing for other in before if other is not None):
        return Had.ALL
    for way in changing:
        is_late = any(surely_comes_first(other, way) for other in before if other is not None)
        if is_late and order(way, start) is Order.BEFORE:
            return Had.EARLIER
    return Had.UNKNOWN


def _is_set_alike_before(way: ProgramWay, ways: Sequence[ProgramWay]) -> bool:
    """Whether a program has set the same constant by the time that it comes to the end of a way, and nothing else."""
    earlier = [each for each in ways if each is not way and order(each, way) is not Order.AFTER]
    return any(surely_comes_first(each, way) for each in earlier) and {_value_set(each) for each in earlier} == {
        constant_in(_value_set(way))
    }


def _ways_of_starts(start: ProgramWay, linker: Linker) -> Iterator[ProgramWay | None]:
    """The ways of a program to where it starts processes that need the server; None for one that is not seen."""
    module = start[0].module
    imported = imported_with([module], linker)
    boundaries = [each for each in linker.boundary_calls() if each.spec.kind in STARTING_KINDS]
    gives_tasks = any(each.spec.kind == _EXECUTOR and not each.spec.path.endswith(_MADE) for each in boundaries)
    makes_pool = any(each.spec.kind == _POOL and each.spec.path.endswith(_MADE) for each in boundaries)
    for each in boundaries:
        is_making = each.spec.path.endswith(_MADE)
        if StartMethod.FORKSERVER not in linker.boundaries.starting.start_methods(each):
            continue
        if (each.spec.kind == _POOL and makes_pool and not is_making) or (
            each.spec.kind == _EXECUTOR and gives_tasks and is_making
        ):
            continue
        if each.site.module is not module and each.site.module not in imported:
            continue
        for span in surely_begins(each) or (each.site.span,):
            found = program_ways(span, each.frame.function, each.site.module, linker)
            if found is None:
                yield None
            yield from (way for way in found or () if is_of_one_program(way, start))


def _of_one_variable(setters: Sequence[Setter], span: Span) -> list[Setter]:
    """Those of some places that set the variable which the one at `span` sets, or any."""
    names = {each.span: _NAMED.search(each.module.code, each.span.start, each.span.end) for each in setters}
    meant = names.get(span)
    if meant is None:
        return list(setters)
    return [each for each in setters if (name := names[each.span]) is None or name[1] == meant[1]]


def _value_set(way: ProgramWay) -> str:
    """The text of what is set at the end of a way: what the calls on it are given for a parameter."""
    last = way[-1]
    value: Expr | None = None
    for event in last.function.events:
        if event.span.start != last.span.start:
            continue
        match event:
            case ItemStore():
                value = event.value
            case Called(call=Call(arguments=(Argument(value=only, star=""),))):
                value = only
            case _:
                pass
    if value is None:
        return last.module.code[last.span.start : last.span.end]
    value, way = traced_back(value, way)
    span = without_narrowing(value).span
    return way[-1].module.code[span.start : span.end]
