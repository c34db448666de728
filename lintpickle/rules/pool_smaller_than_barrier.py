from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.pool_barriers import PoolBarrier, pool_barriers
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, WorkerCode


class PoolSmallerThanBarrier(Rule):
    """A barrier at which tasks of a pool wait, and that counts more than the pool has workers."""

    code = "LP319"
    name = "pool-smaller-than-barrier"
    start_methods = ALL_START_METHODS
    message = (
        "this barrier counts `{parties}`, and tasks that run `{function}` wait there in a pool of {workers}{unless}: "
        "no further task is begun while these wait, and the program waits for ever"
    )
    help = "make the pool as large as the barrier, or start one process for each that it counts"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in pool_barriers(code, linker):
            yield Hazard(
                site=found.made,
                noun="counts more than there are workers",
                error=None,
                confidence=Confidence.LIKELY,
                data={
                    "parties": found.parties,
                    "function": found.function.facts.name,
                    "workers": str(found.workers),
                    "unless": _unless(found),
                },
                hops=(
                    *found.function.hops,
                    Hop("the task waits here", found.waits),
                    Hop(f"the pool has {found.workers} workers", found.pool),
                ),
            )


def _unless(found: PoolBarrier) -> str:
    return ", which are too few for more tasks than that" if found.counts_tasks else ""
