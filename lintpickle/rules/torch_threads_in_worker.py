from __future__ import annotations

from collections.abc import Iterable

from lintpickle.diagnostics import StartMethod
from lintpickle.facts.records import Called
from lintpickle.interpreter.abstract_values import ConstantValue, ExternalValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.rules.base import Hazard, Rule


class TorchThreadsInWorker(Rule):
    """`torch.set_num_threads(n)` with more than one thread in a forked DataLoader worker."""

    code = "LP306"
    name = "torch-threads-in-worker"
    start_methods = (StartMethod.FORK,)
    message = (
        "`torch.set_num_threads({threads})` runs in DataLoader workers: after a fork, torch's thread pool hangs if the "
        "main process has used it"
    )
    help = "leave the one thread that torch sets in a worker, or start workers by `spawn` or `forkserver`"
    words = frozenset({"set_num_threads"})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        if code.boundary is not None and code.boundary.spec.kind == "dataloader":
            methods = linker.boundaries.start_methods(code.boundary)
            if code.boundary.spec.context in code.boundary.arguments and methods != code.boundary.spec.start_methods:
                return
            for function in code.functions:
                if "set_num_threads" in function.module.code:
                    yield from _raised(function, linker)


def _raised(function: WorkerFunction, linker: Linker) -> Iterable[Hazard]:
    for event in function.facts.events:
        if not isinstance(event, Called) or len(event.call.arguments) != 1:
            continue
        callees = linker.evaluator.evaluate(event.call.function, function.frame)
        if not any(isinstance(r.value, ExternalValue) and r.value.path == "torch.set_num_threads" for r in callees):
            continue
        values = linker.evaluator.evaluate(event.call.arguments[0].value, function.frame)
        counts = [r.value.value for r in values if isinstance(r.value, ConstantValue)]
        if counts and len(counts) == len(values) and all(type(n) is int and n > 1 for n in counts):
            site = Site(function.module, event.call.span)
            yield Hazard(site, "torch starts threads", None, {"threads": str(counts[0])}, function.hops)
