from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.calls_and_values.values import literals, resolves_to
from lintpickle.diagnostics import StartMethod
from lintpickle.rules.authoring import (
    Called,
    Hazard,
    Linker,
    Rule,
    Site,
    WorkerCode,
    WorkerFunction,
)


class TorchThreadsInWorker(Rule):
    """`torch.set_num_threads(n)` with more than one thread in a forked DataLoader worker."""

    code = "LP306"
    name = "torch-threads-in-worker"
    start_methods = (StartMethod.FORK,)
    message = (
        "`torch.set_num_threads({threads})` runs in DataLoader workers: after a fork, torch's thread pool hangs if the "
        "main process has used it"
    )
    help = "keep the one thread that torch sets in a worker, or start workers with `spawn` or `forkserver`"
    words = frozenset({"set_num_threads"})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        if code.boundary is not None and code.boundary.spec.kind == "dataloader":
            methods = linker.boundaries.starting.start_methods(code.boundary)
            if code.boundary.spec.context in code.boundary.arguments and methods != code.boundary.spec.start_methods:
                return
            for function in code.functions:
                if "set_num_threads" in function.module.code:
                    yield from _raised(function, linker)


def _raised(function: WorkerFunction, linker: Linker) -> Iterable[Hazard]:
    for event in function.facts.events:
        if not isinstance(event, Called) or len(event.call.arguments) != 1:
            continue
        if not resolves_to(event.call.function, function.frame, linker, ("torch.set_num_threads",)):
            continue
        counts = literals(event.call.arguments[0].value, function.frame, linker)
        if counts and all(type(n) is int and n > 1 for n in counts):
            site = Site(function.module, event.call.span)
            yield Hazard(site, "torch starts threads", None, {"threads": str(counts[0])}, function.hops)
