from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.too_few_end_marks import too_few_end_marks
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode
from lintpickle.rules.base import excerpt_at


class TooFewEndMarks(Rule):
    """One end mark (`None`) in a queue that several workers read until each of them finds one."""

    code = "LP317"
    name = "too-few-end-marks"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = (
        "`{put}` ends {ended} of the workers that run `{function}` and take items from one queue until they find such "
        "an end mark: {error}"
    )
    help = "put one for each worker (`for _ in workers: …`); or let the worker that finds it put it back"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in too_few_end_marks(code, linker):
            yield Hazard(
                site=found.put,
                noun="put once",
                error="the others wait for ever",
                confidence=Confidence.LIKELY,
                data={
                    "put": excerpt_at(found.put, 40),
                    "ended": "one" if found.marks == 1 else f"the last of {found.marks}",
                    "function": found.function.facts.qualname,
                },
                hops=(*found.function.hops, Hop("each takes items here", Site(found.function.module, found.taken))),
                cause=f"{found.put.module.path}:{found.put.span.start}",
            )
