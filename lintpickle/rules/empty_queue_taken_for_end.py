from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.emptied_at_once import emptied_at_once
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode
from lintpickle.rules.base import excerpt_at


class EmptyQueueTakenForEnd(Rule):
    """A queue that is read until it is empty, right behind the start of the processes that are to fill it."""

    code = "LP261"
    name = "empty-queue-taken-for-end"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = (
        "`{asked}` ends the reading as soon as the queue is empty, and it is so until `{function}` has put something "
        "there: nothing waits for that behind the start, so results are lost without an error"
    )
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
                data={"asked": excerpt_at(found.asked, 40), "function": found.function.facts.qualname},
                hops=(
                    *found.function.hops,
                    Hop("puts into the queue", Site(found.function.module, found.put)),
                    Hop("started here", found.begun),
                ),
                cause=f"{found.asked.module.path}:{found.asked.span.start}",
            )
