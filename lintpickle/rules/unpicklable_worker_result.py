from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.boundaries.calls import BoundaryCall
from lintpickle.catalog import Error
from lintpickle.facts.values import Value
from lintpickle.interpreter.abstract_values import (
    ClassThing,
    ConstantThing,
    ContainerThing,
    FunctionThing,
    GeneratorThing,
    InstanceThing,
    ModuleThing,
    Piece,
    ProductThing,
    Site,
)
from lintpickle.interpreter.frames import OPEN, Arguments, Bound, Frame
from lintpickle.interpreter.slots import excerpt
from lintpickle.payload.linker import Linker
from lintpickle.payload.payload import Crossing
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.rules._shared.functions import class_error, function_error
from lintpickle.rules.base import ALL_START_METHODS, Hazard, Rule

_ITEM_METHODS = frozenset({"__getitem__", "__getitems__", "__iter__"})
_STARTING = frozenset({"Pool", "ProcessPoolExecutor"})
_OUTCOMES = {
    "dataloader": "the worker only prints it, and the loop waits forever or misses the item",
    "pool": "multiprocessing.pool.MaybeEncodingError in the parent",
    "executor": "the future raises it",
}


class UnpicklableWorkerResult(Rule):
    """A result of a worker that cannot be sent back: a dict view, a generator, a lambda, an open handle."""

    code = "LP206"
    name = "unpicklable-worker-result"
    start_methods = ALL_START_METHODS
    message = "`{excerpt}` is in what `{function}` sends back from the worker: {error} ({outcome})"
    help = "return plain data: `list(...)` of a view or generator, and what a handle was opened for"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        boundary = code.boundary
        if boundary is None or boundary.spec.kind not in _OUTCOMES:
            return
        for function, value, frame in _results(code, boundary, linker):
            for reached in linker.evaluator.evaluate(value, frame):
                for crossing in linker.payload.crossings(reached, code.root, "result", None):
                    error = _error(crossing)
                    if error is not None:
                        yield _hazard(crossing, function, error, boundary)
        for function in _senders(code, boundary, linker) if boundary.spec.kind != "dataloader" else ():
            if function.facts.is_generator and not function.facts.decorators:
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
    return Hazard(
        site=crossing.site,
        noun="it is sent back to the parent",
        error=error,
        data={
            "excerpt": excerpt(crossing.site.module, Value(crossing.site.span), 40),
            "function": function.facts.name,
            "outcome": _OUTCOMES[boundary.spec.kind],
        },
        hops=(*function.hops, *crossing.hops),
    )


def _senders(code: WorkerCode, boundary: BoundaryCall, linker: Linker) -> Iterator[WorkerFunction]:
    """The functions whose results go back as they are."""
    if boundary.spec.path.rpartition(".")[2] in _STARTING:
        return
    role = "collate_fn" if boundary.spec.kind == "dataloader" else boundary.spec.functions[0]
    passed = (each.thing for each in boundary.value(role, linker.evaluator))
    called = {id(thing.facts) for thing in passed if isinstance(thing, FunctionThing)}
    for function in code.functions:
        if function.entry and (id(function.facts) in called or function.facts.name == "__call__"):
            yield function


def _results(code: WorkerCode, boundary: BoundaryCall, linker: Linker) -> Iterator[tuple[WorkerFunction, Value, Frame]]:
    """What is sent back: each value with the frame to evaluate it in, and the function that made it."""
    if boundary.spec.kind != "dataloader":
        for function in _senders(code, boundary, linker):
            if not function.facts.is_generator:
                yield from ((function, value, function.frame) for value in function.facts.returns)
        return
    items = [each for each in code.functions if each.entry and each.facts.name in _ITEM_METHODS]
    samples = [(item, value, item.frame) for item in items for value in (*item.facts.returns, *item.facts.yields)]
    if _keeps_items(boundary, linker):
        yield from samples
        return
    pieces = tuple(Piece(f"[{OPEN}]", value, frame) for _, value, frame in samples)
    batch = Bound(thing=ContainerThing("list", pieces))
    for collate in _senders(code, boundary, linker):
        called = FunctionThing(collate.module, collate.facts, collate.frame.parent, _instance(collate))
        frame = linker.evaluator.activate(called, Arguments((batch,), {}, False), 2)
        for value in collate.facts.returns:
            yield collate, value, frame or collate.frame


def _instance(function: WorkerFunction) -> InstanceThing | None:
    """The object whose method a worker function is."""
    for bound in function.frame.bindings.values():
        return bound.thing if isinstance(bound.thing, InstanceThing) else None
    return None


def _keeps_items(boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether samples go back one by one: `batch_size=None` and no `collate_fn`."""
    sizes = [each.thing for each in boundary.value("batch_size", linker.evaluator)]
    collates = [each.thing for each in boundary.value("collate_fn", linker.evaluator)]
    is_none = [isinstance(thing, ConstantThing) and thing.value is None for thing in (*sizes, *collates)]
    return bool(sizes) and all(is_none) and not boundary.open


def _error(crossing: Crossing) -> Error | None:
    """What pickling a thing says; None if it can be sent."""
    match crossing.thing:
        case FunctionThing(facts=facts, bound=None, opaque=False) if facts.is_local or facts.name == "<lambda>":
            return function_error(crossing.thing)
        case InstanceThing(class_=ClassThing() as class_) | (ClassThing() as class_) if class_.facts.is_local:
            return class_error(class_)
        case GeneratorThing():
            return "TypeError: cannot pickle 'generator' object"
        case ModuleThing():
            return "TypeError: cannot pickle 'module' object"
        case ProductThing(product=product) if product.fails == "dumps" and "dataloader" not in product.crosses:
            return product
        case _:
            return None
