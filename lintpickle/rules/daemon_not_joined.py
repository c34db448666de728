from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.unjoined_daemons import unjoined_daemon
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode
from lintpickle.rules.base import excerpt_at


class DaemonNotJoined(Rule):
    """A daemon process that is told to end by a sentinel, and for which nobody waits: it is terminated."""

    code = "LP236"
    name = "daemon-not-joined"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = (
        "`{sent}` tells the daemon process that runs `{function}` to end, but nothing waits until it has: the main "
        "process terminates it when it ends, and what is still in the {channel} is lost"
    )
    help = "call `join()` of the process behind that"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        found = unjoined_daemon(code, linker)
        if found is not None:
            sent = excerpt_at(found.sent, 40)
            yield Hazard(
                site=code.root.site,
                noun="made a daemon here",
                error=None,
                confidence=Confidence.LIKELY,
                data={
                    "sent": sent,
                    "function": found.function.facts.qualname,
                    "channel": "pipe" if ".send(" in sent else "queue",
                },
                hops=(
                    *found.function.hops,
                    Hop(f"reads until {found.sentinel} comes", Site(found.function.module, found.test)),
                    Hop("that is sent here", found.sent),
                ),
            )
