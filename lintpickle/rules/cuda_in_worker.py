from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.diagnostics import StartMethod
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Expr
from lintpickle.interpreter.abstract_values import ConstantValue, ExternalResult, ExternalValue, ModuleValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.rules._shared.loader_arguments import literal
from lintpickle.rules.base import Hazard, Rule

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
        methods = linker.boundaries.start_methods(call)
        if type(workers) is not int or workers < 1 or methods != call.spec.start_methods:
            return
        for function in code.functions:
            if function.entry or any("runs in the worker" in hop.message for hop in function.hops):
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
    values = linker.evaluator.evaluate(value, function.frame)
    for traced in values:
        match traced.value:
            case ConstantValue(value=str() as name) if name.partition(":")[0] == "cuda":
                continue
            case ExternalResult(path="torch.device", call=call, frame=frame) if call.arguments:
                inner = linker.evaluator.evaluate(call.arguments[0].value, frame)
                names = [r.value.value for r in inner if isinstance(r.value, ConstantValue)]
                if len(names) == len(inner) and all(str(name).partition(":")[0] == "cuda" for name in names):
                    continue
                return False
            case _:
                return False
    return True


def _is_library(base: Expr, function: WorkerFunction, linker: Linker) -> bool:
    values = linker.evaluator.evaluate(base, function.frame)
    return any(isinstance(traced.value, ModuleValue | ExternalValue) for traced in values)


def _is_torch(callee: Expr, function: WorkerFunction, linker: Linker) -> bool:
    values = linker.evaluator.evaluate(callee, function.frame)
    return any(isinstance(r.value, ExternalValue) and r.value.path.startswith("torch.") for r in values)
