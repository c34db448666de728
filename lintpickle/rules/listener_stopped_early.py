from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.log_records.listeners_stopped import listeners_stopped_early
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, WorkerCode


class ListenerStoppedEarly(Rule):
    """A `QueueListener` that is stopped before the processes are joined that log to its queue."""

    code = "LP246"
    name = "listener-stopped-early"
    start_methods = ALL_START_METHODS
    message = (
        "the `QueueListener` is stopped before the process is joined that logs to its queue in `{function}`: what is "
        "logged in between is lost"
    )
    help = "join the processes first; of contexts, enter the listener's first: the last one entered is left first"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in listeners_stopped_early(code, linker):
            yield Hazard(
                site=found.stop,
                noun="stopped as this is done or left",
                error=None,
                confidence=Confidence.LIKELY,
                data={"function": found.sender.facts.qualname},
                hops=(*found.sender.hops, Hop("the process is joined later, as this is done or left", found.join)),
            )
