from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.calls_and_values.values import external_names, literals
from lintpickle.analyses.loaders.loader_arguments import literal
from lintpickle.diagnostics import StartMethod
from lintpickle.rules.authoring import (
    Attribute,
    Called,
    ConstantValue,
    Expr,
    ExternalResult,
    ExternalValue,
    Hazard,
    Linker,
    ModuleValue,
    Rule,
    Site,
    WorkerCode,
    WorkerFunction,
)

_ERROR = (
    "RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the "
    "'spawn' start method"
)
_ITEM_METHODS = frozenset({"__getitem__", "__getitems__", "__iter__"})


class CudaInWorker(Rule):
    """A tensor moved to the GPU in a DataLoader worker."""

    code = "LP307"
    name = "cuda-in-worker"
    start_methods = (StartMethod.FORK,)
    message = "`{text}` runs in DataLoader workers: {error}"
    help = "return CPU tensors from the dataset, set `pin_memory=True`, and move the batch in the training loop"
    words = frozenset({"cuda"})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        call = code.boundary
        if call is None or call.spec.kind != "dataloader":
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
        if not isinstance(event, Called) or event.conditional:
            continue
        moved = False
        match event.call.function:
            case Attribute(base=base, name="cuda") if not event.call.arguments:
                moved = not _is_library(base, function, linker)
            case Attribute(base=base, name="to") if not _is_library(base, function, linker):
                values = [a.value for a in event.call.arguments if a.keyword in (None, "device")]
                moved = any(_is_cuda(value, function, linker) for value in values)
            case callee:
                device = event.call.keyword("device")
                moved = device is not None and _is_torch(callee, function, linker)
                moved = moved and device is not None and _is_cuda(device, function, linker)
        if moved:
            text = " ".join(function.module.code[event.call.span.start : event.call.span.end].split())
            text = text if len(text) <= 60 else f"{text[:59]}…"
            yield Hazard(Site(function.module, event.call.span), "CUDA is used", _ERROR, {"text": text}, function.hops)


def _is_cuda(value: Expr, function: WorkerFunction, linker: Linker) -> bool:
    """Whether a device is certainly a GPU: `"cuda"`, `"cuda:1"`, `torch.device("cuda")`."""
    values = linker.evaluate(value, function.frame)
    for traced in values:
        match traced.value:
            case ConstantValue(value=str() as name) if name.partition(":")[0] == "cuda":
                continue
            case ExternalResult(path="torch.device", call=call, frame=frame) if call.arguments:
                names = literals(call.arguments[0].value, frame, linker)
                if names is not None and all(str(name).partition(":")[0] == "cuda" for name in names):
                    continue
                return False
            case _:
                return False
    return True


def _is_library(base: Expr, function: WorkerFunction, linker: Linker) -> bool:
    values = linker.evaluate(base, function.frame)
    return any(isinstance(traced.value, ModuleValue | ExternalValue) for traced in values)


def _is_torch(callee: Expr, function: WorkerFunction, linker: Linker) -> bool:
    return any(name.startswith("torch.") for name in external_names(callee, function.frame, linker))
