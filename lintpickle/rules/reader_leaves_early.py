from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from lintpickle.analyses.waiting.readers_leaving import left_early
from lintpickle.analyses.waiting.stopped_producers import stopped_producers
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode
from lintpickle.rules.base import excerpt_at


class ReaderLeavesEarly(Rule):
    """A reader that leaves a queue with a limit while a process still puts into it, which is joined then."""

    code = "LP318"
    name = "reader-leaves-early"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = (
        "`{left}` ends the reading of the queue while `{function}` still puts into it: the process waits for room in "
        "it, and `{join}` for the process, for ever"
    )
    help = "read on to the end, tell the process to stop (an `Event`), or `terminate()` it before the join"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in chain(left_early(code, linker), stopped_producers(code, linker)):
            yield Hazard(
                site=found.join,
                noun="joined here",
                error=None,
                confidence=Confidence.LIKELY,
                data={
                    "left": excerpt_at(found.left, 40),
                    "function": found.function.facts.qualname,
                    "join": excerpt_at(found.join, 40),
                },
                hops=(
                    *found.function.hops,
                    Hop("puts into the queue, and waits for room", Site(found.function.module, found.put)),
                    Hop("nobody reads after this", found.left),
                ),
            )
