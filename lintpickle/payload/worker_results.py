"""What workers send back: the results of the functions that they begin with."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Expr, Item
from lintpickle.interpreter.abstract_values import (
    SOME_ITEM,
    Bound,
    ContainerValue,
    ExternalValue,
    Frame,
    FunctionValue,
    InstanceValue,
    Slot,
    is_none,
)
from lintpickle.interpreter.frames import Arguments
from lintpickle.interpreter.partials import without_partials
from lintpickle.interpreter.tensors import is_of_graph
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.getters import names_got
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_SENDING = frozenset({"dataloader", "pool", "executor"})
_ITERATING = "__iter__"
_ITEM_METHODS = frozenset({"__getitem__", "__getitems__", _ITERATING})
_COLLECTING = frozenset({"builtins.list", "builtins.tuple"})


def sends_results(boundary: BoundaryCall) -> bool:
    """Whether the workers that a boundary starts, or gives work to, send back what they return."""
    return boundary.spec.kind in _SENDING and boundary.is_stock


def results_sent(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Crossing]]:
    """All that crosses on the way back, and of which can be said how it is pickled, each with the function that returns
    it."""
    boundary = code.boundary
    if boundary is None or not sends_results(boundary) or boundary.spec.pickler is not None:
        return
    for function, value, frame in _results(code, boundary, linker):
        for traced in linker.evaluate(value, frame):
            for crossing in linker.payload.crossings(traced, code.root, "result", None):
                if not linker.payload.is_kept_back(crossing):
                    yield function, crossing
    for function, value, frame in _items(code) if _collates_by_default(boundary, linker) else ():
        for traced in linker.evaluate(value, frame):
            for crossing in linker.payload.crossings(traced, code.root, "result", None):
                if is_of_graph(crossing.value):
                    yield function, crossing


def _collates_by_default(boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether a loader stacks tensors as torch does by itself: a batch of tensors of the graph is one, too."""
    if boundary.spec.kind != "dataloader" or boundary.open or _keeps_items(boundary, linker):
        return False
    return not boundary.value("collate_fn", linker.evaluator)


def _items(code: WorkerCode) -> Iterator[tuple[WorkerFunction, Expr, Frame]]:
    """What the methods give that make samples. What `__iter__` returns, a worker goes through."""
    for item in code.functions:
        if item.entry and item.facts.name in _ITEM_METHODS:
            given = (*_returned(item.facts), *item.facts.yields)
            yield from ((item, value, item.frame) for value in given)


def _returned(method: FunctionFacts) -> Iterator[Expr]:
    """The samples in what a method returns."""
    if method.name != _ITERATING:
        yield from method.returns
    elif not method.is_generator:
        yield from (Item(value.span, value, None) for value in method.returns)


def senders(code: WorkerCode, boundary: BoundaryCall, linker: Linker) -> Iterator[WorkerFunction]:
    """The functions whose results are sent back unchanged."""
    if boundary.spec.only_starts or not boundary.spec.functions:
        return
    role = "collate_fn" if boundary.spec.kind == "dataloader" else boundary.spec.functions[0]
    passed = [each.value for each in without_partials(boundary.value(role, linker.evaluator), linker.evaluator)]
    called = {id(value.facts) for value in passed if isinstance(value, FunctionValue)}
    entered = {"__call__", *(names[-1] for value in passed for names in names_got(value))}
    for function in code.functions:
        is_called = id(function.facts) in called and function.is_begun_with
        if is_called or (function.entry and function.facts.name in entered):
            yield function


def _results(code: WorkerCode, boundary: BoundaryCall, linker: Linker) -> Iterator[tuple[WorkerFunction, Expr, Frame]]:
    """The values sent back, each with the frame to evaluate it in and the function that returns it."""
    if boundary.spec.kind != "dataloader":
        for function in senders(code, boundary, linker):
            if not function.facts.is_generator and not function.facts.is_async:
                yield from ((function, value, function.frame) for value in function.facts.returns)
        return
    samples = list(_items(code))
    if _keeps_items(boundary, linker):
        yield from samples
        return
    if _has_no_batches(boundary, linker):
        collated = [Bound(expr=value, frame=frame) for _, value, frame in samples] or [Bound()]
    else:
        slots = tuple(Slot(SOME_ITEM, value, frame) for _, value, frame in samples)
        collated = [Bound(value=ContainerValue("list", slots))]
    for collate in senders(code, boundary, linker):
        called = FunctionValue(collate.module, collate.facts, collate.frame.parent, _instance(collate))
        for given in collated:
            frame = linker.evaluator.activate(called, Arguments((given,), {}, False), 2)
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
    collates = [each.value for each in boundary.value("collate_fn", linker.evaluator)]
    if collates and all(isinstance(each, ExternalValue) and each.path in _COLLECTING for each in collates):
        return True
    return all(map(is_none, collates)) and _has_no_batches(boundary, linker)


def _has_no_batches(boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether a loader gives samples one by one: `batch_size=None`."""
    sizes = [each.value for each in boundary.value("batch_size", linker.evaluator)]
    return bool(sizes) and all(map(is_none, sizes)) and not boundary.open
