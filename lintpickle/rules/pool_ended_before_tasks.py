from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.ended_pools import ended_with
from lintpickle.analyses.waiting.lazy_results import LAZY
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, BoundaryCall, Hazard, Hop, Linker, Rule

_OF_TASKS = (
    "waits for the task of",
    "no callback is called, and a result that is asked for later never comes",
    "`get()` of what `{method}` returns",
)
_OF_RESULTS = (
    "reads the results of",
    "and who reads them later waits for ever",
    "read all results before the pool ends: `list(…)` of them, or `yield from` inside of the `with`",
)


class PoolEndedBeforeTasks(Rule):
    """A task of a pool that is terminated before anybody has waited for the task: it is lost, and so is its result."""

    code = "LP235"
    name = "pool-ended-before-tasks"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = "nothing {waits} `{method}` before its pool is terminated: what is not done by then is lost, {so}"
    help = "call `close()` and `join()` of the pool first, or {ask}"

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        ended = ended_with(call, linker)
        if ended is not None:
            method = call.spec.name
            waits, so, ask = _OF_RESULTS if method in LAZY else _OF_TASKS
            yield Hazard(
                site=call.site,
                noun="given to the pool here",
                error=None,
                confidence=Confidence.LIKELY,
                data={"method": method, "waits": waits, "so": so},
                hops=(*call.hops, Hop("the pool is terminated here, or when this `with` is left", ended)),
                help=PoolEndedBeforeTasks.help.format(ask=ask.format(method=method)),
            )
