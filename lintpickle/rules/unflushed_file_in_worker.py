from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.process_state.unflushed_files import unflushed
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode

_TERMINATED = "leaving the `with` of a pool terminates its workers"
_EXITED = "workers of `fork` and `forkserver` end by `os._exit()`, which flushes nothing"


class UnflushedFileInWorker(Rule):
    """A file that the workers of a pool keep open for their tasks, and that nobody flushes or closes."""

    code = "LP229"
    name = "unflushed-file-in-worker"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` runs in workers and writes to `{file}`, which nothing flushes or closes: {why}, and what is "
        "still in the buffer is lost"
    )
    help = "open it with `buffering=1`, flush it at the end of each task, or open it there by `with`"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in unflushed(code, linker):
            yield Hazard(
                site=Site(found.function.module, found.span),
                noun="written in the worker",
                error=None,
                confidence=Confidence.LIKELY,
                start_methods=found.methods,
                data={
                    "function": found.function.facts.qualname,
                    "file": found.file,
                    "why": _TERMINATED if found.is_terminated else _EXITED,
                },
                hops=(*found.function.hops, Hop("opened here", found.opened)),
            )
