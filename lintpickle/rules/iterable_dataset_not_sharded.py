from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.iterable_datasets import (
    iterable_dataset,
    iterates_unknown,
    may_divide_items,
    number_of_workers,
)
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Linker, Rule, WorkerCode


class IterableDatasetNotSharded(Rule):
    """An IterableDataset that yields all its items in each of several workers."""

    code = "LP404"
    name = "iterable-dataset-not-sharded"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = (
        "the IterableDataset `{dataset}` is loaded with {workers} workers, but nothing divides it between them: every "
        "item comes {workers} times per epoch"
    )
    help = "in `__iter__`, take the part that `torch.utils.data.get_worker_info()` asks for"
    words = frozenset({"IterableDataset"})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        call = code.boundary
        if call is None or call.spec.kind != "dataloader" or "worker_init_fn" in call.arguments or call.open:
            return
        workers = number_of_workers(call, linker)
        dataset = iterable_dataset(call, linker)
        if workers is None or workers < 2 or dataset is None:
            return
        if may_divide_items(dataset, code, linker):
            return
        if linker.classes.find_method(dataset, "__iter__") is None or iterates_unknown(code, linker):
            return
        yield Hazard(
            site=call.site,
            noun="the loader",
            error=None,
            data={"dataset": dataset.class_.facts.name, "workers": str(workers)},
            hops=call.hops,
        )
