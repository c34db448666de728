from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.emptied_at_once import emptied_at_once
from lintpickle.analyses.waiting.taken_after_empty import taken_after_empty
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode
from lintpickle.rules.base import excerpt_at

_LOST = (
    "ends the reading as soon as the queue is empty, and it is so until `{function}` has put something there: nothing "
    "waits for that behind the start, so results are lost without an error"
)
_TAKEN = (
    "is asked by each of the workers that run `{function}`, and another one may take the last item before `{taken}`: "
    "that waits for ever, and so does what waits for the worker"
)
_WITHOUT_WAITING = "take an item by `get_nowait()` until `queue.Empty`, or put an end mark for each worker"


class EmptyQueueTakenForEnd(Rule):
    """A queue that is read until it is empty, right behind the start of what fills it, or by several workers."""

    code = "LP261"
    name = "empty-queue-taken-for-end"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = "`{asked}` {outcome}"
    help = (
        "wait for as many results as there are to come (`for _ in …: queue.get()`), or for an end mark of each process"
    )

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in emptied_at_once(code, linker):
            yield Hazard(
                site=found.asked,
                noun="read here",
                error=None,
                confidence=Confidence.LIKELY if found.is_lost else Confidence.POSSIBLE,
                data={
                    "asked": excerpt_at(found.asked, 40),
                    "outcome": _LOST.format(function=found.function.facts.qualname),
                },
                hops=(
                    *found.function.hops,
                    Hop("puts into the queue", Site(found.function.module, found.put)),
                    Hop("started here", found.begun),
                ),
                cause=f"{found.asked.module.path}:{found.asked.span.start}",
            )
        for each in taken_after_empty(code, linker):
            yield Hazard(
                site=each.asked,
                noun="asked in the worker",
                error=None,
                confidence=Confidence.LIKELY,
                data={
                    "asked": excerpt_at(each.asked, 40),
                    "outcome": _TAKEN.format(function=each.function.facts.qualname, taken=excerpt_at(each.taken, 40)),
                },
                hops=(*each.function.hops, Hop("waits here", each.taken), Hop("several are started here", each.begun)),
                help=_WITHOUT_WAITING,
                cause=f"{each.asked.module.path}:{each.asked.span.start}",
            )
