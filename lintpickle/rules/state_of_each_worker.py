from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.workers.state_asked_for import state_asked_for
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode
from lintpickle.rules.base import excerpt_at


class StateOfEachWorker(Rule):
    """Tasks of a pool, one for each worker, that are to give what each of them keeps in a global."""

    code = "LP255"
    name = "state-of-each-worker"
    start_methods = ALL_START_METHODS
    message = (
        "`{call}` asks the workers for what they keep in `{name}`, but tasks go to whichever worker is free: one may "
        "take several of them, and another one none, whose `{name}` is missed then"
    )
    help = "return what each task has found with its result; or let the tasks wait for each other at a `Barrier`"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in state_asked_for(code, linker):
            yield Hazard(
                site=code.root.site,
                noun="asked for here",
                error=None,
                confidence=Confidence.POSSIBLE if found.is_oversized else Confidence.LIKELY,
                data={"call": excerpt_at(code.root.site, 50), "name": found.name},
                hops=(
                    *found.function.hops,
                    Hop("gives what this worker has", Site(found.function.module, found.returned)),
                    Hop("other tasks fill it here", found.filled),
                ),
            )
