from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from lintpickle.analyses.waiting.awaited_children import children_awaited
from lintpickle.analyses.waiting.children_counted import children_counted
from lintpickle.analyses.workers.worker_functions import is_forked, may_be_started_by
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import Hazard, Hop, Linker, Rule, Site, WorkerCode
from lintpickle.rules.base import excerpt_at

_NO_CHILD = "ChildProcessError: [Errno 10] No child processes"
_FOR_EVER = "it waits for ever"
_NO_TIMES = "it is not counted"
_NOT_THERE = "it is left out"
_ASK_WORKERS = "let workers send `resource.getrusage(resource.RUSAGE_SELF)` when they are done"
_ASK_MULTIPROCESSING = "ask `multiprocessing.active_children()`, or for `children(recursive=True)`"


class WorkerAwaitedBySystem(Rule):
    """A call of the operating system that waits for a process which is a child of the fork server, or counts on it."""

    code = "LP226"
    name = "worker-awaited-by-system"
    start_methods = (StartMethod.FORKSERVER,)
    message = "`{call}` {does} a worker, which under forkserver is a child of the server: {outcome}"
    help = "wait by `process.join()`, or for several by `multiprocessing.connection.wait()` with their `sentinel`"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        if is_forked(code.root, linker) or not may_be_started_by(StartMethod.FORKSERVER, code, linker):
            return
        for awaited in children_awaited(code, linker):
            error = _FOR_EVER if awaited.is_any else _NO_CHILD
            found = _hazard(awaited.site, "waits here", "waits for", error, code, error)
            yield replace(found, confidence=Confidence.POSSIBLE) if awaited.is_expected else found
        for asked in children_counted(code, linker):
            if asked.is_for_times:
                found = _hazard(asked.site, "asked for here", "asks for what is used by", _NO_TIMES, code)
                found = replace(found, help=_ASK_WORKERS)
            else:
                found = _hazard(asked.site, "asked for here", "asks for", _NOT_THERE, code)
                found = replace(found, help=_ASK_MULTIPROCESSING)
            yield replace(found, confidence=Confidence.POSSIBLE) if asked.is_elsewhere else found


def _hazard(site: Site, noun: str, does: str, outcome: str, code: WorkerCode, error: str | None = None) -> Hazard:
    return Hazard(
        site=site,
        noun=noun,
        error=error,
        confidence=Confidence.LIKELY,
        data={"call": excerpt_at(site, 40), "does": does, "outcome": outcome},
        hops=(Hop("the process is made here", code.root.site),),
    )
