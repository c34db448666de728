from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.ended_pools import ended_with
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, BoundaryCall, Hazard, Hop, Linker, Rule


class PoolEndedBeforeTasks(Rule):
    """A task of a pool that is terminated before anybody has waited for the task: it is lost, and so is its result."""

    code = "LP235"
    name = "pool-ended-before-tasks"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = (
        "nothing waits for the task of `{method}` before its pool is terminated: what is not done by then is lost, no "
        "callback is called, and a result that is asked for later never comes"
    )
    help = "call `close()` and `join()` of the pool first, or `get()` of what `{method}` returns"

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        ended = ended_with(call, linker)
        if ended is not None:
            method = call.spec.path.rpartition(".")[2]
            yield Hazard(
                site=call.site,
                noun="given to the pool here",
                error=None,
                confidence=Confidence.LIKELY,
                data={"method": method},
                hops=(*call.hops, Hop("the pool is terminated here, or when this `with` is left", ended)),
                help=PoolEndedBeforeTasks.help.format(method=method),
            )
