from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from lintpickle.analyses.lost_changes.lost_attributes import lost_attributes, seen_by_main
from lintpickle.analyses.lost_changes.lost_in_modules import lost_in_modules
from lintpickle.analyses.lost_changes.worker_changes import lost_changes
from lintpickle.analyses.random_numbers.repeated_draws import RepeatedDraw, repeated_draws
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode, WorkerFunction


class WorkerChangeLost(Rule):
    """A global or an attribute that a function changes in a worker, and that the main process reads afterwards."""

    code = "LP207"
    name = "worker-change-lost"
    of_absence = True
    of_fresh_workers = True
    start_methods = ALL_START_METHODS
    message = "`{function}` runs in workers and {outcome}"
    help = "return the result, or send it through a `Queue` or a `Manager` object"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        boundary = code.boundary
        if boundary is None:
            return
        for drawn in repeated_draws(code, linker):
            yield _drawn_again(drawn)
        for function in (*code.functions, *code.by_value):
            for lost in lost_changes(function, boundary, linker):
                name, reader = lost.name, lost.reader
                read = Hop(f"{reader} reads `{name}` after the start of the workers", lost.read)
                value = seen_by_main(lost.value, function, code, linker)
                yield _hazard(function, lost.place, f"the global `{name}`", reader, value, read)
            for item in lost_in_modules(function, code, linker):
                read = Hop(f"{item.reader} reads it", item.read)
                lost_there = _hazard(function, item.place, f"`{item.written}`", item.reader, item.value, read)
                yield replace(lost_there, is_sure_of_absence=True)  # What else workers run changes nothing in main.
            for each in lost_attributes(function, code, linker):
                what = f"`{each.written}` of its copy of {each.owner}"
                read = Hop(f"{each.reader} reads `{each.attribute}` of the original", each.read)
                value = seen_by_main(each.value, function, code, linker)
                yield _hazard(function, each.place, what, each.reader, value, read)


def _drawn_again(drawn: RepeatedDraw) -> Hazard:
    outcome = (
        f"sends back what it draws from the counter `{drawn.counter}`, of which each worker has its own: several "
        "workers give the same numbers"
    )
    return Hazard(
        site=drawn.place,
        noun="drawn in the worker",
        error=None,
        data={"function": drawn.function.facts.name, "outcome": outcome},
        hops=(*drawn.function.hops, *drawn.crossing.hops),
        help="count in the main process, or use `uuid.uuid4()`, or put the number of the task into the name",
        confidence=Confidence.LIKELY,
    )


def _hazard(function: WorkerFunction, place: Site, what: str, reader: str, value: str, read: Hop) -> Hazard:
    outcome = (
        f"changes {what}, which {reader} reads: the change is lost with the worker, and {reader} still sees {value}"
    )
    return Hazard(
        site=place,
        noun="changed in the worker",
        error=None,
        data={"function": function.facts.name, "outcome": outcome},
        hops=(*function.hops, read),
        confidence=Confidence.LIKELY,
    )
