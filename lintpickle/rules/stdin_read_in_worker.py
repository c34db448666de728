from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.workers.stdin_reads import stdin_reads
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Linker, Rule, WorkerCode


class StdinReadInWorker(Rule):
    """A worker process asks the user, or reads the standard input, which is empty there."""

    code = "LP247"
    name = "stdin-read-in-worker"
    of_functions = True
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` runs in worker processes, where the standard input is empty, and reads `{written}`: {outcome}"
    )
    help = "read it in the main process, and pass on what was read: as an argument, or by a `Queue`"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in stdin_reads(code, linker):
            yield Hazard(
                site=found.site,
                noun="read in the worker",
                error=found.error,
                confidence=Confidence.LIKELY if found.is_sure else Confidence.POSSIBLE,
                data={
                    "function": found.function.facts.name,
                    "written": found.written,
                    "outcome": found.outcome,
                },
                hops=found.function.hops,
            )
