from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.workers.daemonic import certainty, is_daemonic, started_inside
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Linker, Rule, Site, WorkerCode, excerpt

_WORKERS = {"pool": "a pool", "dataloader": "a DataLoader"}


class WorkersInDaemonicWorker(Rule):
    """A pool, process or loader that is started in a worker of a pool or loader, which may have no processes."""

    code = "LP218"
    name = "workers-in-daemonic-worker"
    start_methods = ALL_START_METHODS
    message = "`{excerpt}` starts processes in a worker of {workers}: {error}"
    help = (
        "make the outer workers those of a `ProcessPoolExecutor`, which are not daemonic, or use threads in the worker"
    )

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        boundary = code.boundary
        if boundary is None or not is_daemonic(code, linker):
            return
        for function, made in started_inside(code, linker):
            yield Hazard(
                site=Site(function.module, made.call.span),
                noun="it starts processes",
                error="AssertionError: daemonic processes are not allowed to have children",
                confidence=certainty(function, made, boundary, linker),
                data={
                    "excerpt": excerpt(function.module, made.call, 40),
                    "workers": _WORKERS.get(boundary.spec.kind, "a daemonic process"),
                },
                hops=function.hops,
            )
