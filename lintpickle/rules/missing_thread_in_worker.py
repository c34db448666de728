from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.threads_missed import threads_missed
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import Hazard, Hop, Linker, Rule, Site, WorkerCode

_WAITS = "waits at `{owner}` for a thread of the main process, which it does not have"
_LEAVES = (
    "puts into `{owner}`, which only a thread of the main process empties: that thread is not in the worker, and "
    "what is put there is lost"
)


class MissingThreadInWorker(Rule):
    """A queue or event at which forked workers meet a thread that only the main process has."""

    code = "LP311"
    name = "missing-thread-in-worker"
    of_absence = True
    start_methods = (StartMethod.FORK,)
    message = "`{function}` runs in forked workers and {what}{error}"
    help = "start the thread in the worker (in the initializer of the pool, or by `os.register_at_fork`)"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in threads_missed(code, linker):
            what = (_WAITS if found.waits else _LEAVES).format(owner=found.owner)
            yield Hazard(
                site=Site(found.function.module, found.span),
                noun="in the worker",
                error="the worker waits for ever" if found.waits else None,
                confidence=Confidence.LIKELY,
                data={"function": found.function.facts.qualname, "what": f"{what}: " if found.waits else what},
                hops=(
                    *found.function.hops,
                    Hop("the thread is made here", found.thread),
                    Hop("the thread does its part here", found.part),
                ),
            )
