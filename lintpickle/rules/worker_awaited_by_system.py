from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.awaited_children import children_awaited
from lintpickle.analyses.worker_functions import is_forked
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import Hazard, Hop, Linker, Rule, WorkerCode
from lintpickle.rules.base import excerpt_at

_NO_CHILD = "ChildProcessError: [Errno 10] No child processes"
_FOR_EVER = "it waits for ever"


class WorkerAwaitedBySystem(Rule):
    """A call of the operating system that waits for a process which is a child of the fork server."""

    code = "LP226"
    name = "worker-awaited-by-system"
    start_methods = (StartMethod.FORKSERVER,)
    message = "`{call}` waits for a worker, which under forkserver is a child of the server: {error}"
    help = "wait by `process.join()`, or for several by `multiprocessing.connection.wait()` with their `sentinel`"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        if is_forked(code.root, linker):
            return
        for awaited in children_awaited(code, linker):
            yield Hazard(
                site=awaited.site,
                noun="waits here",
                error=_FOR_EVER if awaited.is_any else _NO_CHILD,
                confidence=Confidence.LIKELY,
                data={"call": excerpt_at(awaited.site, 40)},
                hops=(Hop("the process is made here", code.root.site),),
            )
