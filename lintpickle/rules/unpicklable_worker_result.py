from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.functions import SUPER_ERROR, class_error, function_error
from lintpickle.analyses.made_classes import misnamed, place_of_class
from lintpickle.analyses.worker_functions import hidden_by_decorator
from lintpickle.catalog import Error
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    SOME_ITEM,
    Arguments,
    Bound,
    BoundaryCall,
    ClassValue,
    ConstantValue,
    ContainerValue,
    Crossing,
    Expr,
    ExternalValue,
    Frame,
    FunctionValue,
    GeneratorValue,
    Hazard,
    InstanceValue,
    Linker,
    ModuleValue,
    ProductValue,
    Rule,
    Site,
    Slot,
    SuperValue,
    WorkerCode,
    WorkerFunction,
    excerpt,
)

_ITEM_METHODS = frozenset({"__getitem__", "__getitems__", "__iter__"})
_COLLECTING = frozenset({"builtins.list", "builtins.tuple"})
_STARTING = frozenset({"Pool", "ProcessPoolExecutor"})
_HELP_FOR_CLASSES = "assign the class at module level to the name in its first argument, or return plain data"
_OUTCOMES = {
    "dataloader": "the worker only prints it, and the loop waits for ever or misses the item",
    "pool": "multiprocessing.pool.MaybeEncodingError in the parent",
    "executor": "the future raises it",
}


class UnpicklableWorkerResult(Rule):
    """A result of a worker that cannot be sent back: a dict view, a generator, a lambda, an open handle."""

    code = "LP206"
    name = "unpicklable-worker-result"
    start_methods = ALL_START_METHODS
    message = "`{excerpt}` is in what `{function}` sends back from the worker: {error} ({outcome})"
    help = "return plain data: `list(...)` of a view or generator, the contents of a handle"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        boundary = code.boundary
        if boundary is None or boundary.spec.kind not in _OUTCOMES or not boundary.is_stock:
            return
        for function, value, frame in _results(code, boundary, linker):
            for traced in linker.evaluate(value, frame):
                for crossing in linker.payload.crossings(traced, code.root, "result", None):
                    error = _error(crossing, linker)
                    if error is not None:
                        yield _hazard(crossing, function, error, boundary)
        for function in _senders(code, boundary, linker) if boundary.spec.kind != "dataloader" else ():
            if function.facts.is_generator and not function.facts.is_async and not function.facts.decorators:
                site = Site(function.module, function.facts.header)
                yield Hazard(
                    site=site,
                    noun="it returns a generator",
                    error="TypeError: cannot pickle 'generator' object",
                    data={
                        "excerpt": "yield",
                        "function": function.facts.name,
                        "outcome": _OUTCOMES[boundary.spec.kind],
                    },
                    hops=function.hops,
                )


def _hazard(crossing: Crossing, function: WorkerFunction, error: Error, boundary: BoundaryCall) -> Hazard:
    site, hops = place_of_class(crossing.value, crossing.site)
    return Hazard(
        site=site,
        noun="the class" if hops else "it is sent back to the parent",
        error=error,
        data={
            "excerpt": excerpt(crossing.site.module, Expr(crossing.site.span), 40),
            "function": function.facts.name,
            "outcome": _OUTCOMES[boundary.spec.kind],
        },
        hops=(*function.hops, *crossing.hops, *hops),
        help=_HELP_FOR_CLASSES if hops else None,
    )


def _senders(code: WorkerCode, boundary: BoundaryCall, linker: Linker) -> Iterator[WorkerFunction]:
    """The functions whose results are sent back unchanged."""
    if boundary.spec.path.rpartition(".")[2] in _STARTING:
        return
    role = "collate_fn" if boundary.spec.kind == "dataloader" else boundary.spec.functions[0]
    passed = (each.value for each in boundary.value(role, linker.evaluator))
    called = {id(value.facts) for value in passed if isinstance(value, FunctionValue)}
    for function in code.functions:
        if function.entry and (id(function.facts) in called or function.facts.name == "__call__"):
            yield function


def _results(code: WorkerCode, boundary: BoundaryCall, linker: Linker) -> Iterator[tuple[WorkerFunction, Expr, Frame]]:
    """The values sent back, each with the frame to evaluate it in and the function that returns it."""
    if boundary.spec.kind != "dataloader":
        for function in _senders(code, boundary, linker):
            if not function.facts.is_generator and not function.facts.is_async:
                yield from ((function, value, function.frame) for value in function.facts.returns)
        return
    items = [each for each in code.functions if each.entry and each.facts.name in _ITEM_METHODS]
    samples = [(item, value, item.frame) for item in items for value in (*item.facts.returns, *item.facts.yields)]
    if _keeps_items(boundary, linker):
        yield from samples
        return
    slots = tuple(Slot(SOME_ITEM, value, frame) for _, value, frame in samples)
    batch = Bound(value=ContainerValue("list", slots))
    for collate in _senders(code, boundary, linker):
        called = FunctionValue(collate.module, collate.facts, collate.frame.parent, _instance(collate))
        frame = linker.evaluator.activate(called, Arguments((batch,), {}, False), 2)
        for value in collate.facts.returns:
            yield collate, value, frame or collate.frame


def _instance(function: WorkerFunction) -> InstanceValue | None:
    """The object to which a worker's method is bound."""
    for bound in function.frame.bindings.values():
        return bound.value if isinstance(bound.value, InstanceValue) else None
    return None


def _keeps_items(boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether samples are sent back as they are: one by one, with `batch_size=None` and no `collate_fn`, or collected
    by `list` or `tuple`."""
    sizes = [each.value for each in boundary.value("batch_size", linker.evaluator)]
    collates = [each.value for each in boundary.value("collate_fn", linker.evaluator)]
    if collates and all(isinstance(each, ExternalValue) and each.path in _COLLECTING for each in collates):
        return True
    is_none = [isinstance(value, ConstantValue) and value.value is None for value in (*sizes, *collates)]
    return bool(sizes) and all(is_none) and not boundary.open


def _error(crossing: Crossing, linker: Linker) -> Error | None:
    """The error of pickling a value; None if it can be sent."""
    match crossing.value:
        case FunctionValue(facts=facts, bound=None, opaque=False) if facts.is_local or facts.name == "<lambda>":
            return function_error(crossing.value)
        case FunctionValue(bound=None, opaque=False):
            inner = hidden_by_decorator(crossing.value, linker)
            return function_error(inner) if inner is not None else None
        case InstanceValue(class_=ClassValue() as class_) | (ClassValue() as class_) if class_.facts.is_local:
            return class_error(class_)
        case GeneratorValue(kind=kind):
            return f"TypeError: cannot pickle '{kind}' object"
        case SuperValue():
            return SUPER_ERROR
        case ModuleValue():
            return "TypeError: cannot pickle 'module' object"
        case ContainerValue():
            found = misnamed(crossing.value, linker)
            return found[1] if found is not None else None
        case ProductValue(product=product) if product.fails == "dumps" and "dataloader" not in product.crosses:
            return product
        case _:
            return None
