from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.process_state.copied_buffers import copied_buffers
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import Hazard, Hop, Linker, Rule, WorkerCode


class BufferCopiedByFork(Rule):
    """A file that the main process has written to without a flush, before it forks workers that flush or close it."""

    code = "LP251"
    name = "buffer-copied-by-fork"
    of_absence = True
    start_methods = (StartMethod.FORK,)
    message = (
        "`{function}` runs in forked workers and flushes or closes `{file}`, in whose buffer the main process has left "
        "something: each worker writes its copy of that to the file"
    )
    help = "call `flush()` on the file before the workers start, or open it there"
    words = frozenset({"open"})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in copied_buffers(code, linker):
            yield Hazard(
                site=found.site,
                noun="flushed in the worker",
                error=None,
                confidence=Confidence.LIKELY,
                data={"function": found.function.facts.qualname, "file": found.file},
                hops=(
                    *found.function.hops,
                    Hop("opened here", found.opened),
                    Hop("the main process writes here, and flushes nothing", found.written),
                ),
            )
