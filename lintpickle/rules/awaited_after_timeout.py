from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.timeouts_given_up import given_up
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, WorkerCode
from lintpickle.rules.base import excerpt_at


class AwaitedAfterTimeout(Rule):
    """A task that the main process gives up waiting for, and waits for all the same as it leaves the executor."""

    code = "LP316"
    name = "awaited-after-timeout"
    start_methods = ALL_START_METHODS
    message = (
        "`{call}` gives up after its timeout, but `{function}` runs on in its worker, and to leave the `with` of the "
        "executor waits for it{how_long}"
    )
    help = "end the worker (a `Process` of its own, which can be killed), or limit the time in the task itself"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in given_up(code, linker):
            is_endless = found.endless is not None
            yield Hazard(
                site=found.site,
                noun="gives up here",
                error=None,
                confidence=Confidence.LIKELY if is_endless else Confidence.POSSIBLE,
                data={
                    "call": excerpt_at(found.site, 40),
                    "function": found.function,
                    "how_long": ": for ever, if that never ends" if is_endless else "",
                },
                hops=(
                    Hop("the executor is entered here", found.executor),
                    *((Hop("this may take for ever", found.endless),) if found.endless is not None else ()),
                ),
            )
