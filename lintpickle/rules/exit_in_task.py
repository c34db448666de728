from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.workers.exits_in_tasks import exits_in_tasks
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Linker, Rule, Site, WorkerCode

_FOR_EVER = "the worker ends without a result, for which the main process waits for ever"
_IN_MAIN = "the SystemExit comes back with the result, and ends the main process"


class ExitInTask(Rule):
    """A task of a pool that ends its process (`sys.exit()`): the main process waits for ever for its result."""

    code = "LP239"
    name = "exit-in-task"
    start_methods = ALL_START_METHODS
    message = "`{function}` runs in a task and comes to `{written}`: {outcome}"
    help = "raise an error instead (`raise ValueError(...)`), which the main process gets with the result"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in exits_in_tasks(code, linker):
            yield Hazard(
                site=Site(found.function.module, found.span),
                noun="ends the worker",
                error=None,
                confidence=Confidence.LIKELY if found.waits and not found.is_seldom else Confidence.POSSIBLE,
                data={
                    "function": found.function.facts.name,
                    "written": found.written,
                    "outcome": _FOR_EVER if found.waits else _IN_MAIN,
                },
                hops=found.hops,
                cause=_task(code),
            )


def _task(code: WorkerCode) -> str | None:
    """The task that should catch what ends the process, wherever below it that is."""
    entry = next((each for each in code.functions if each.entry), None)
    return f"{entry.module.path}:{entry.facts.qualname}" if entry is not None else None
