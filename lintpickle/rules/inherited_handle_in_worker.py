from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.diagnostics import StartMethod
from lintpickle.rules.authoring import (
    Attribute,
    Called,
    Captured,
    Hazard,
    Hop,
    Imported,
    Linker,
    Name,
    ProductValue,
    Rule,
    Site,
    WorkerCode,
    WorkerFunction,
    excerpt,
)

_READS = frozenset({"read", "read1", "readline", "readlines", "readinto", "seek", "open", "extract", "extractfile"})
_CAPTURE_READS = frozenset({"read", "grab", "retrieve", "set"})


class InheritedHandleInWorker(Rule):
    """A file, archive or video that a module opens at import, and that forked workers read through a shared offset."""

    code = "LP305"
    name = "inherited-handle-in-worker"
    start_methods = (StartMethod.FORK,)
    message = (
        "`{made}` is opened before the workers start, but read in `{user}`: forked workers move one shared offset and "
        "get each other's data"
    )
    help = "open it on first use in each worker"
    words = frozenset({"open", "File(", "VideoCapture"})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        if code.boundary is None or code.boundary.spec.kind != "dataloader":
            return
        for function in code.functions:
            yield from _reads(function, linker)


def _reads(function: WorkerFunction, linker: Linker) -> Iterator[Hazard]:
    for event in function.facts.events:
        match event:
            case Called(call=call):
                match call.function:
                    case Attribute(base=Name() | Captured() | Imported() as base, name=method):
                        pass
                    case _:
                        continue
            case _:
                continue
        for traced in linker.evaluate(base, function.frame):
            value = traced.value
            if isinstance(value, ProductValue) and _shares_offset(value, method):
                assert value.call is not None and value.frame is not None
                yield Hazard(
                    site=Site(value.frame.module, value.call.span),
                    noun="the handle",
                    error=None,
                    data={"made": excerpt(value.frame.module, value.call), "user": function.facts.qualname},
                    hops=(*function.hops, Hop("reads from it", Site(function.module, call.span))),
                )


def _shares_offset(value: ProductValue, method: str) -> bool:
    if value.call is None or value.frame is None or not value.frame.function.is_module_body:
        return False
    if value.product.kind in ("file", "archive"):
        return method in _READS
    return value.path.endswith("VideoCapture") and method in _CAPTURE_READS
