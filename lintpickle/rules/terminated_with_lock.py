from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.locks_left_locked import locks_left_locked
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode
from lintpickle.rules.base import excerpt_at


class TerminatedWithLock(Rule):
    """A process that takes too long is ended while it may hold a lock, for which the next process waits for ever."""

    code = "LP321"
    name = "terminated-with-lock"
    start_methods = ALL_START_METHODS
    message = (
        "`{ended}` may end the process while `{function}` holds `{lock}`: {error}, and other processes that are given "
        "it wait for ever"
    )
    help = (
        "ask the process to stop (an `Event`) rather than to end it, or lock a file (`fcntl.flock`), which the system "
        "releases; or do without the lock while something takes long"
    )

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in locks_left_locked(code, linker):
            lock = Site(found.function.module, found.held)
            yield Hazard(
                site=found.ended,
                noun="ended here",
                error="it stays locked",
                confidence=Confidence.LIKELY,
                data={
                    "ended": excerpt_at(found.ended, 40),
                    "function": found.function.facts.qualname,
                    "lock": excerpt_at(lock, 40).removesuffix(".acquire()"),
                },
                hops=(
                    *found.function.hops,
                    Hop("the lock is held from here on, for as long as this takes", lock),
                    Hop("another process is given the same lock", found.again),
                ),
            )
