from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.terminations_swallowed import terminations_swallowed
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import Hazard, Hop, Linker, Rule, Site, WorkerCode
from lintpickle.rules.base import excerpt_at


class SignalHandlerInherited(Rule):
    """A process that is terminated, and has inherited a handler of SIGTERM which only takes a note of that."""

    code = "LP322"
    name = "signal-handler-inherited"
    of_absence = True
    start_methods = (StartMethod.FORK,)
    message = (
        "`{ended}` sends SIGTERM to a process that has inherited its handler from the main process: `{handler}` runs "
        "there, and `{function}` goes on: {error}"
    )
    help = (
        "begin the function of the process with `signal.signal(signal.SIGTERM, signal.SIG_DFL)`, or set the handler "
        "when the processes have been started"
    )

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in terminations_swallowed(code, linker):
            yield Hazard(
                site=found.ended,
                noun="terminated here",
                error="the process never ends, and `join()` waits for ever",
                confidence=Confidence.LIKELY,
                data={
                    "ended": excerpt_at(found.ended, 40),
                    "handler": found.handler,
                    "function": found.function.facts.qualname,
                },
                hops=(
                    Hop("the main process sets the handler", found.handled),
                    *found.function.hops,
                    Hop("this goes on", Site(found.function.module, found.goes_on)),
                    Hop("it waits for the end of the process here", found.joined),
                ),
            )
