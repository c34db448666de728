from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.loaders.loader_arguments import literal
from lintpickle.analyses.process_state.cuda_before_fork import cuda_on_both_sides
from lintpickle.analyses.process_state.cuda_uses import moves_to_gpu
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import Called, Hazard, Hop, Linker, Rule, Site, WorkerCode, WorkerFunction
from lintpickle.rules.base import excerpt_at

_ERROR = (
    "RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the "
    "'spawn' start method"
)
_SPAWN = "start the workers by `spawn`, or let the main process neither use CUDA nor ask for it before it forks them"


class CudaInWorker(Rule):
    """CUDA in a DataLoader worker, or in a worker that is forked after the main process has used CUDA."""

    code = "LP307"
    name = "cuda-in-worker"
    start_methods = (StartMethod.FORK,)
    message = "`{text}` runs in {where}: {error}"
    help = "return CPU tensors from the dataset, set `pin_memory=True`, and move the batch in the training loop"
    words = frozenset({"cuda"})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        call = code.boundary
        if call is None or call.spec.kind != "dataloader":
            yield from _after_use(code, linker)
            return
        workers = literal(call, "num_workers", linker)
        methods = linker.boundaries.starting.start_methods(call)
        if type(workers) is not int or workers < 1 or methods != call.spec.start_methods:
            return
        for function in code.functions:
            if function.entered_by is not None:
                yield from _moves(function, linker)


def _moves(function: WorkerFunction, linker: Linker) -> Iterator[Hazard]:
    for event in function.facts.events:
        if isinstance(event, Called) and not event.conditional and moves_to_gpu(event.call, function.frame, linker):
            yield _hazard(Site(function.module, event.call.span), "DataLoader workers", function.hops)


def _after_use(code: WorkerCode, linker: Linker) -> Iterator[Hazard]:
    for found in cuda_on_both_sides(code, linker):
        where = f"forked workers, before whose start the main process runs `{excerpt_at(found.before, 40)}`"
        hops = (*found.function.hops, Hop("the main process runs this before the fork", found.before))
        sure = Confidence.LIKELY if found.is_sure else Confidence.POSSIBLE
        yield _hazard(found.behind, where, hops, sure, _SPAWN)


def _hazard(
    site: Site, where: str, hops: tuple[Hop, ...], confidence: Confidence | None = None, help: str | None = None
) -> Hazard:
    text = excerpt_at(site, 60)
    return Hazard(site, "CUDA is used", _ERROR, {"text": text, "where": where}, hops, confidence=confidence, help=help)
