from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lintpickle.analyses.iterable_datasets import iterable_dataset
from lintpickle.analyses.loader_arguments import literal
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    BoundaryCall,
    ClassValue,
    ExternalResult,
    Hazard,
    InstanceValue,
    Iterated,
    Linker,
    Rule,
    Site,
    WorkerCode,
)

_SHARDS = re.compile(r"worker|shard|islice|rank", re.IGNORECASE)
_ENDLESS = re.compile(r"while True|while 1\b|\bcycle\(|\bcount\(|\brepeat\(")
_SYNTHETIC = re.compile(r"\b(torch|np|numpy)\.(random\.)?(rand|randn|randint|normal|uniform|empty|zeros|ones)\b")
_OWN_SHARDING = re.compile(r"load_dataset|webdataset|\bwds\b|litdata|streaming|petastorm")
_STREAMS = frozenset({"datasets", "webdataset", "wds", "litdata", "streaming", "torchdata", "petastorm", "ray"})


class IterableDatasetNotSharded(Rule):
    """An IterableDataset that yields all its items in each of several workers."""

    code = "LP404"
    name = "iterable-dataset-not-sharded"
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
        workers = literal(call, "num_workers", linker)
        dataset = iterable_dataset(call, linker)
        if type(workers) is not int or workers < 2 or dataset is None:
            return
        texts = [*_texts(code), *_class_texts(dataset, linker)]
        if any(p.search(text) for text in texts for p in (_SHARDS, _ENDLESS, _SYNTHETIC, _OWN_SHARDING)):
            return
        if linker.classes.find_method(dataset, "__iter__") is None or _iterates_unknown(code, call, linker):
            return
        yield Hazard(
            site=call.site,
            noun="the loader",
            error=None,
            data={"dataset": dataset.class_.facts.name, "workers": str(workers)},
            hops=call.hops,
        )


def _texts(code: WorkerCode) -> Iterator[str]:
    for function in code.functions:
        yield function.module.code[function.facts.span.start : function.facts.span.end]


def _class_texts(dataset: InstanceValue, linker: Linker) -> Iterator[str]:
    for class_ in linker.classes.mro(dataset):
        if isinstance(class_, ClassValue):
            yield class_.module.code[class_.facts.span.start : class_.facts.span.end]
    if dataset.call is not None and dataset.frame is not None:
        site = Site(dataset.frame.module, dataset.call.span)
        yield site.module.code[site.span.start : site.span.end]


def _iterates_unknown(code: WorkerCode, call: BoundaryCall, linker: Linker) -> bool:
    """Whether the dataset reads from an iterable or streaming library that may divide the items."""
    for function in code.functions:
        for event in function.facts.events:
            if not isinstance(event, Iterated):
                continue
            for traced in linker.evaluate(event.iterable, function.frame):
                match traced.value:
                    case ExternalResult(path=path) if path.partition(".")[0] in _STREAMS:
                        return True
                    case InstanceValue():
                        return True
                    case _:
                        pass
    return False
