"""Iterable datasets that are passed to loaders, and whether their items are divided between workers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Iterated
from lintpickle.interpreter.abstract_values import ClassValue, ExternalResult, ExternalValue, InstanceValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_TORCH = "torch.utils.data."
_SHARDS = re.compile(r"worker|shard|islice|rank", re.IGNORECASE)
_ENDLESS = re.compile(r"while True|while 1\b|\bcycle\(|\bcount\(|\brepeat\(")
_SYNTHETIC = re.compile(r"\b(torch|np|numpy)\.(random\.)?(rand|randn|randint|normal|uniform|empty|zeros|ones)\b")
_OWN_SHARDING = re.compile(r"load_dataset|webdataset|\bwds\b|litdata|streaming|petastorm")
_STREAMS = frozenset({"datasets", "webdataset", "wds", "litdata", "streaming", "torchdata", "petastorm", "ray"})


def iterable_dataset(call: BoundaryCall, linker: Linker) -> InstanceValue | None:
    """The dataset of a loader if it is certainly an IterableDataset of torch whose source is read, and no data
    pipe (which loaders shuffle and shard themselves)."""
    values = call.value("dataset", linker.evaluator)
    found = [traced.value for traced in values if isinstance(traced.value, InstanceValue)]
    if not found or len(found) < len(values):
        return None
    if all(_is_iterable(instance, linker) for instance in found):
        return found[0]
    return None


def _is_iterable(instance: InstanceValue, linker: Linker) -> bool:
    paths = {each.path for each in linker.classes.mro(instance) if isinstance(each, ExternalValue)}
    outside = {path for path in paths if not path.startswith(("builtins.", "typing.", "abc.", "collections.abc."))}
    names = {path.rpartition(".")[2] for path in outside}
    return "IterableDataset" in names and all(path.startswith(_TORCH) for path in outside)


def may_divide_items(dataset: InstanceValue, code: WorkerCode, linker: Linker) -> bool:
    """Whether the code of a dataset or of its workers may divide the items between workers, or makes them up."""
    return _may_divide((*_texts(code), *_class_texts(dataset, linker)))


def _may_divide(texts: Iterable[str]) -> bool:
    return any(form.search(text) for text in texts for form in (_SHARDS, _ENDLESS, _SYNTHETIC, _OWN_SHARDING))


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


def iterates_unknown(code: WorkerCode, linker: Linker) -> bool:
    """Whether the dataset reads from a streaming library, or from an object that may divide the items."""
    for function in code.functions:
        for event in function.facts.events:
            if not isinstance(event, Iterated):
                continue
            for traced in linker.evaluate(event.iterable, function.frame):
                match traced.value:
                    case ExternalResult(path=path) if path.partition(".")[0] in _STREAMS:
                        return True
                    case InstanceValue() as source if not _yields_all(source, code, linker):
                        return True
                    case _:
                        pass
    return False


def _yields_all(source: InstanceValue, code: WorkerCode, linker: Linker) -> bool:
    """Whether the workers' code iterates over an object of the program that divides nothing."""
    found = linker.classes.find_method(source, "__iter__")
    is_read = found is not None and any(function.facts is found[1] for function in code.functions)
    return is_read and not _may_divide(_class_texts(source, linker))
