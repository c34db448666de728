"""torch's operations before a fork and behind it: the main process runs one that starts torch's threads, and forked
workers run one that waits for these threads, of which they have none.

Measured with CPython 3.11 and torch 2.13 (CPU, two threads), each in a process that has run the first one: a forked one
never returns from `Linear` (a batch of 8), `Conv2d`, `LSTM`, `Embedding`, `softmax`, `sort`, `matmul` of 64 rows, or
`backward()`. A batch of one through a `Linear`, sums of 10,000 numbers and `randn` start no
threads and wait for none. With `torch.set_num_threads(1)` before, all return; workers of a `DataLoader` set that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.happenings import Happening, frames_leading_to, happenings
from lintpickle.analyses.calls_and_values.values import can_be_made_by, literals
from lintpickle.analyses.waiting.process_joins import is_start_of
from lintpickle.analyses.waiting.undrained_queues import as_given
from lintpickle.analyses.workers.worker_functions import may_be_forked
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Collection, Expr, Item, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import ExternalValue, Frame, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.torch_modules import is_torch_module
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_PROCESS, _POOL, _EXECUTOR = "process", "pool", "executor"
_SETTINGS = Words({"set_num_threads", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "threadpool_limits"})
_FEW = re.compile(r"set_num_threads\(\s*(?!(?:[2-9]|\d\d+)\s*\))|_NUM_THREADS|threadpool_limits")
"""What may tell torch to start no threads."""
_ELSEWHERE = re.compile(r"\bcuda\b|\bmps\b")
"""What stands in code that may run its operations on another device."""
_FUNCTIONS = re.compile(
    r"torch\.(?:matmul|mm|bmm|einsum|cdist|conv[123]d|linalg\.\w+|nn\.functional\.(?:conv\w+|linear))"
)
_MAKERS = re.compile(r"torch\.(?:zeros|ones|empty|full|rand|randn|randint)")
_LOADER = re.compile(r"torch\.utils\.data\.(?:dataloader\.)?DataLoader")
_ROWS = 8
"""As many rows as were seen to start threads in the smallest module."""


class ThreadedOnBothSides(Struct, frozen=True):
    """Where the main process runs an operation before it forks a worker, and where a function of that runs one.
    `is_large` says that both are seen to be given several rows."""

    before: Site
    function: WorkerFunction
    behind: Span
    is_large: bool


class _Operation(Struct, frozen=True):
    site: Site
    is_large: bool


def threaded_on_both_sides(code: WorkerCode, linker: Linker) -> Iterator[ThreadedOnBothSides]:
    """The first operation of a worker for which it may wait for ever, if there is one."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in (_PROCESS, _POOL, _EXECUTOR) or not boundary.is_stock:
        return
    if not may_be_forked(code, linker) or linker.first_party.is_anywhere(_SETTINGS, code.root.site.module.path, _FEW):
        return
    own = [as_given(each, boundary) for each in code.functions if each.module.first_party]
    found = next(((each, inner) for each in own for inner in _operations(each, linker)), None)
    if found is None:
        return
    function, behind = found
    before = _before_fork(boundary, {id(each.facts) for each in own}, linker)
    if before is None or any(each.module.has(_ELSEWHERE) for each in (before.site, behind.site, boundary.site)):
        return
    is_large = before.is_large and any(each.is_large for one in own for each in _operations(one, linker))
    yield ThreadedOnBothSides(before.site, function, behind.site.span, is_large)


def _operations(function: WorkerFunction, linker: Linker) -> Iterator[_Operation]:
    frame = function.frame
    for event in frame.function.events:
        operation = _operation(event.call, frame, linker) if isinstance(event, Called) else None
        if operation is not None:
            yield operation


def _operation(call: Call, frame: Frame, linker: Linker) -> _Operation | None:
    """An operation of torch that runs in threads if it is large enough: a module that is called, a product."""
    if not call.arguments:
        return None
    values = [each.value for each in linker.evaluate(call.function, frame)]
    is_product = bool(values) and all(
        isinstance(each, ExternalValue) and _FUNCTIONS.fullmatch(each.path) for each in values
    )
    if not is_product and not (
        values and all(is_torch_module(each, linker.classes, linker.catalog) for each in values)
    ):
        return None
    return _Operation(Site(frame.module, call.span), _has_rows(call.arguments[0].value, frame, linker))


def _has_rows(given: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether what an operation is given is seen to have several rows: `torch.randn(64, 10)`, a batch of a loader."""
    inner = without_narrowing(given)
    while isinstance(inner, Item):
        inner = without_narrowing(inner.base)
    bound = frame.bindings.get(inner.name) if isinstance(inner, Parameter) else None
    if bound is not None and bound.expr is not None and bound.frame is not None and bound.frame is not frame:
        return _has_rows(bound.expr, bound.frame, linker)
    return isinstance(inner, Call) and _number_of_rows(inner, frame, linker) >= _ROWS


def _number_of_rows(made: Call, frame: Frame, linker: Linker) -> int:
    names = [each.value.path for each in linker.evaluate(made.function, frame) if isinstance(each.value, ExternalValue)]
    rows: Expr | None = None
    if any(map(_LOADER.fullmatch, names)):
        rows = made.argument("batch_size", 1)
    elif any(map(_MAKERS.fullmatch, names)):
        size = made.argument("size", 2 if names[0].endswith("randint") else 0)
        inner = without_narrowing(size) if size is not None else None
        rows = inner.elements[0] if isinstance(inner, Collection) and inner.elements else size
    known = literals(rows, frame, linker) if rows is not None else None
    return min((each for each in known if isinstance(each, int)), default=0) if known else 0


def _before_fork(boundary: BoundaryCall, own: set[int], linker: Linker) -> _Operation | None:
    """An operation that a function runs which leads to the worker, before it forks that."""
    for frame in frames_leading_to(boundary.frame, linker):
        found = _first(happenings(frame, linker), boundary, own, linker)
        if found is not None:
            return found
    return None


def _first(happened: Iterator[Happening], boundary: BoundaryCall, own: set[int], linker: Linker) -> _Operation | None:
    operations: list[_Operation] = []
    for each in happened:
        if not isinstance(each.event, Called):
            continue
        if forks(each.event.call, each.frame, boundary, linker):
            return next((one for one in operations if one.is_large), next(iter(operations), None))
        operation = _operation(each.event.call, each.frame, linker) if id(each.frame.function) not in own else None
        operations += [operation] if operation is not None else []
    return None


def forks(call: Call, frame: Frame, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether a call forks the worker: the start of a process, what makes a pool, the first task of an executor."""
    if boundary.spec.kind == _PROCESS:
        return is_start_of(call, frame, boundary, linker)
    if call is boundary.call:
        return True
    task = boundary.call.function
    if boundary.spec.kind != _POOL or not isinstance(task, Attribute):
        return False
    return can_be_made_by(call, task.base, boundary.frame, linker)
