from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.lost_changes.rebound_storage import rebound_storage
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, WorkerCode


class SharedStorageRebound(Rule):
    """A shared tensor, or a parameter of a shared module, bound to new storage by one process: others keep the old."""

    code = "LP245"
    name = "shared-storage-rebound"
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` {runs} and binds `{target}` anew, which is in shared memory: the new storage is of this process "
        "alone, and {others} the old numbers"
    )
    help = "change the numbers in place: `{target}.copy_(…)`, `{target}[:] = …`, `sub_()`, an optimizer's `step()`"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in rebound_storage(code, linker):
            in_worker = found.worker is not None
            hops = found.worker.hops if found.worker is not None else ()
            yield Hazard(
                site=found.site,
                noun="bound anew here",
                error=None,
                confidence=Confidence.LIKELY,
                data={
                    "function": found.function,
                    "runs": "runs in workers" if in_worker else "runs behind the start of workers",
                    "target": found.target,
                    "others": "the main process keeps" if in_worker else "the workers keep",
                },
                hops=(*hops, Hop("it is moved to shared memory here", found.shared_at)),
                help=SharedStorageRebound.help.format(target=_tensor(found.target)),
            )


def _tensor(target: str) -> str:
    return target if target.endswith((".data", "]")) else f"{target}.data"
