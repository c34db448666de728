from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.first_end_marks import ended_by_first
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode
from lintpickle.rules.base import excerpt_at


class FirstOfEndMarks(Rule):
    """A reader that leaves a queue at the first end mark, though several processes put one each."""

    code = "LP254"
    name = "first-of-end-marks"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = (
        "the loop that takes items by `{taken}` ends with the first end mark, but each of the workers that run "
        "`{function}` puts one (`{put}`): what the others still put is lost"
    )
    help = "count the marks, and leave with the last one; or put one mark after all the processes are joined"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in ended_by_first(code, linker):
            put = Site(found.function.module, found.put)
            yield Hazard(
                site=found.taken,
                noun="read here",
                error=None,
                confidence=Confidence.LIKELY,
                data={
                    "taken": excerpt_at(found.taken, 40),
                    "function": found.function.facts.qualname,
                    "put": excerpt_at(put, 40),
                },
                hops=(*found.function.hops, Hop("each puts an end mark here", put)),
                cause=f"{found.taken.module.path}:{found.taken.span.start}",
            )
