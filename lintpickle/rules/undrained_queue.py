from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.undrained_queues import undrained
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode
from lintpickle.rules.base import excerpt_at


class UndrainedQueue(Rule):
    """A process is joined before what it has put into a queue is read: it waits for the reader, who waits for it."""

    code = "LP223"
    name = "undrained-queue"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = (
        "`{join}` comes before what the process puts into `{queue}` is read: the process does not end while that waits "
        "for room in the queue's pipe, so both wait for ever as soon as it is more than the pipe holds"
    )
    help = "read the queue first, as often as something is put into it, and join the process afterwards"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in undrained(code, linker):
            yield Hazard(
                site=found.join,
                noun="joined here",
                error=None,
                confidence=Confidence.LIKELY if found.is_large else Confidence.POSSIBLE,
                data={"join": excerpt_at(found.join, 40), "queue": found.queue},
                hops=(
                    *found.function.hops,
                    Hop("put into the queue", Site(found.function.module, found.put)),
                    Hop("read only here", found.read),
                ),
            )
