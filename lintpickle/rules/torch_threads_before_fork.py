from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.process_state.torch_pools_at_fork import threaded_on_both_sides
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import Hazard, Hop, Linker, Rule, Site, WorkerCode
from lintpickle.rules.base import excerpt_at


class TorchThreadsBeforeFork(Rule):
    """A torch module that the main process runs before it forks workers, which run one, too: they wait for ever."""

    code = "LP320"
    name = "torch-threads-before-fork"
    of_absence = True
    start_methods = (StartMethod.FORK,)
    message = (
        "`{operation}` runs in forked workers, and the main process has run `{before}` before the fork, which starts "
        "torch's threads: {error}"
    )
    help = "start the workers by `spawn` or `forkserver`, or call `torch.set_num_threads(1)` before the first operation"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in threaded_on_both_sides(code, linker):
            site = Site(found.function.module, found.behind)
            yield Hazard(
                site=site,
                noun="waits for threads that the worker does not have",
                error="the worker waits for ever",
                confidence=Confidence.LIKELY if found.is_large else Confidence.POSSIBLE,
                data={"operation": excerpt_at(site, 40), "before": excerpt_at(found.before, 40)},
                hops=(*found.function.hops, Hop("the main process runs this before the fork", found.before)),
            )
