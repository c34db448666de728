from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.process_state.locks_at_fork import LOCKS, locks_at_fork
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import Hazard, Hop, Linker, Rule, Site, WorkerCode


class LockHeldAtFork(Rule):
    """A lock that a forked worker waits for, and that a thread of the main process may hold at the fork."""

    code = "LP310"
    name = "lock-held-at-fork"
    start_methods = (StartMethod.FORK,)
    message = (
        "`{function}` runs in forked workers and takes `{lock}`, which a thread of the main process may hold at the "
        "fork: {error}"
    )
    help = (
        "start the workers before the thread, or start them by `forkserver` or `spawn`, where each makes its own lock"
    )
    words = LOCKS

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for lock in locks_at_fork(code, linker):
            yield Hazard(
                site=Site(lock.function.module, lock.reading.span),
                noun="taken in the worker",
                error="the worker waits for ever",
                confidence=Confidence.LIKELY,
                data={"function": lock.function.facts.name, "lock": lock.reading.written},
                hops=(
                    *lock.function.hops,
                    Hop("the thread is made here", lock.thread),
                    Hop("the thread takes the lock here", lock.taken),
                ),
            )
