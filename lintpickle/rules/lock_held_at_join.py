from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.locks_held_at_join import locks_held_at_join
from lintpickle.analyses.waiting.locks_held_at_tasks import locks_held_at_tasks
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode
from lintpickle.rules.base import excerpt_at


class LockHeldAtJoin(Rule):
    """A process is joined, or tasks of a pool are awaited, while the main process holds the lock that it waits for."""

    code = "LP315"
    name = "lock-held-at-join"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = (
        "`{join}` waits for the end of {what} while `{held}` is held, and `{function}` waits for that lock in {place}: "
        "{error}"
    )
    help = "release the lock before that, or take it only in the processes"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        joined = [(each, "a process", "the process") for each in locks_held_at_join(code, linker)]
        awaited = [(each, "its tasks", "a worker") for each in locks_held_at_tasks(code, linker)]
        for found, what, place in (*joined, *awaited):
            yield Hazard(
                site=found.join,
                noun="waits here",
                error="both wait for ever",
                confidence=Confidence.LIKELY,
                data={
                    "what": what,
                    "place": place,
                    "join": excerpt_at(found.join, 40),
                    "held": excerpt_at(found.held, 40).removesuffix(".acquire()"),
                    "function": found.function.facts.qualname,
                },
                hops=(
                    *found.function.hops,
                    Hop(f"{place} takes the lock here", Site(found.function.module, found.taken)),
                    Hop("it is held from here on", found.held),
                ),
            )
