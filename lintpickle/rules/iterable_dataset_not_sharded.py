from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.loaders.iterable_datasets import (
    asked_items,
    datasets_with_code,
    iterates_unknown,
    number_of_workers,
)
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, WorkerCode

_NOTHING = "nothing divides it between them"
_EARLY = "`get_worker_info()` is asked where the dataset is made, and is None there"


class IterableDatasetNotSharded(Rule):
    """An IterableDataset that yields all its items in each of several workers."""

    code = "LP404"
    name = "iterable-dataset-not-sharded"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = (
        "the IterableDataset `{dataset}` is loaded with {workers} workers, but {why}: every item "
        "comes {workers} times per epoch"
    )
    help = "in `__iter__`, take the part that `torch.utils.data.get_worker_info()` asks for"
    words = frozenset({"IterableDataset"})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        call = code.boundary
        if call is None or call.spec.kind != "dataloader" or "worker_init_fn" in call.arguments or call.open:
            return
        workers = number_of_workers(call, linker)
        if workers is None or workers < 2:
            return
        for dataset, run in datasets_with_code(code, linker):
            asked = asked_items(dataset, run, linker)
            if asked is None or asked.may_ask():
                continue
            if linker.classes.find_method(dataset, "__iter__") is None or iterates_unknown(run, linker):
                continue
            early = asked.asked_too_early()
            why = _NOTHING if early is None else _EARLY
            hops = () if early is None else (Hop("asked here, in the main process, where it is None", early),)
            yield Hazard(
                site=call.site,
                noun="the loader",
                error=None,
                data={"dataset": dataset.class_.facts.name, "workers": str(workers), "why": why},
                hops=(*call.hops, *hops),
            )
            return
