from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.failing_workers import Failure
from lintpickle.analyses.waiting.reads_while_alive import reads_while_alive
from lintpickle.analyses.waiting.unsent_results import UnsentResult, unsent_results
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, WorkerCode
from lintpickle.rules.base import excerpt_at

_HELP_WHILE_ALIVE = (
    "have the worker put something at its end that says so, and read until that comes; or read with a limit of time "
    "(`{queue}.get(timeout=…)`)"
)


class ResultNotSent(Rule):
    """A worker that puts no result for an item, or no more before it ends, while the main process waits for one."""

    code = "LP231"
    name = "result-not-sent"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` runs in a worker and {goes} without having put {result} into `{queue}`, while `{read}` is "
        "called {often}: {error}"
    )
    help = "put something into `{queue}` on this way, too, such as the error or None"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in unsent_results(code, linker):
            yield Hazard(
                site=found.site,
                noun="no result on this way",
                error="the main process waits for ever",
                confidence=Confidence.LIKELY if _is_said(found.failure) else Confidence.POSSIBLE,
                data={
                    "function": found.function.facts.qualname,
                    "goes": f"{_goes(found)} here",
                    "result": "a result",
                    "queue": found.queue,
                    "read": excerpt_at(found.read, 40),
                    "often": "once for each item",
                },
                help=ResultNotSent.help.format(queue=found.queue),
                hops=(*found.function.hops, Hop("one result for each item is taken here", found.read)),
            )
        for waiting in reads_while_alive(code, linker):
            yield Hazard(
                site=waiting.read,
                noun="waits for one more",
                error="the main process waits for ever",
                confidence=Confidence.LIKELY,
                data={
                    "function": waiting.function.facts.qualname,
                    "goes": "ends some time",
                    "result": "one more",
                    "queue": waiting.queue,
                    "read": excerpt_at(waiting.read, 40),
                    "often": "as long as the worker lives",
                },
                help=_HELP_WHILE_ALIVE.format(queue=waiting.queue),
                hops=(*waiting.function.hops, Hop("asked whether the worker lives here", waiting.loop)),
            )


def _is_said(failure: Failure | None) -> bool:
    """Whether the code says itself that there is such a way: only the data say whether a text is a number."""
    return failure is None or failure.is_raised


def _goes(found: UnsentResult) -> str:
    if found.failure is not None:
        return f"{'ends' if found.failure.is_raised else 'may end'} by {found.failure.error}"
    return "ends" if found.leaves else "goes on"
