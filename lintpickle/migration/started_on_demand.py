"""Executors that fork start all their workers with the first task; others start one when a task finds none idle. An
initializer runs less often there, if the tasks keep fewer workers busy.

Source: `ProcessPoolExecutor.submit` in CPython 3.9 to 3.14; measured with 3.11 under all start methods."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lintpickle.analyses.workers.several_workers import is_of_one_task, loop_around
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.catalog import INITIALIZER
from lintpickle.interpreter.abstract_values import ConstantValue, ContainerValue
from lintpickle.migration.model import Gap
from lintpickle.migration.origins import spot_of
from lintpickle.payload.linker import Linker

_EXECUTOR = "concurrent.futures.ProcessPoolExecutor"
_WORKERS, _ITERABLES = "max_workers", "iterables[0]"
_FELT_OUTSIDE = re.compile(
    r"\bprint\(|\.(?:write|write_text|write_bytes|touch|mkdir|symlink_to|put|put_nowait)\("
    r"|\bos\.(?:mkdir|makedirs|symlink|link)\(|\bopen\([^()\n]*,\s*(?:mode\s*=\s*)?[\"'][wax]|\.value\s*\+="
)
"""What others than the worker can see: files, lines that are printed, counters and queues that processes share."""
_AWAITED = re.compile(r"\s*\.\s*(?:result|exception)\s*\(")


def initialized_less_often(boundary: BoundaryCall, linker: Linker) -> Iterator[Gap]:
    """That the initializer of an executor does what can be seen outside, and its tasks keep fewer workers busy than it
    may have."""
    if boundary.spec.path != _EXECUTOR or INITIALIZER not in boundary.arguments:
        return
    tasks = [
        each
        for each in linker.boundary_calls()
        if each.spec.kind == boundary.spec.kind and any(one.site == boundary.site for one in linker.makers_of(each))
    ]
    busy, most = _most_busy(tasks, linker), _most_workers(boundary, linker)
    if busy is None or (most is not None and busy >= most):
        return
    name = _felt_outside(boundary, tasks[0], linker)
    if name is not None:
        said = "off fork, an executor only starts as many workers as its tasks keep busy"
        yield Gap(f"{said}: `{name}` may run less often, which shows outside", spot_of(boundary.site))


def _felt_outside(maker: BoundaryCall, task: BoundaryCall, linker: Linker) -> str | None:
    """The function that workers begin with, if what it runs can be seen outside."""
    for code in linker.worker_codes_of_makers(task):
        own = [each for each in code.functions if each.module.first_party] if code.root.site == maker.site else []
        for each in own:
            if _FELT_OUTSIDE.search(each.module.code, each.facts.header.end, each.facts.span.end):
                return own[0].facts.name
    return None


def _most_workers(maker: BoundaryCall, linker: Linker) -> int | None:
    """How many workers an executor may have; None if that is not known."""
    numbers = [traced.value for traced in maker.value(_WORKERS, linker.evaluator)]
    known = [each.value for each in numbers if isinstance(each, ConstantValue) and isinstance(each.value, int)]
    return max(known) if known and len(known) == len(numbers) else None


def _most_busy(tasks: Sequence[BoundaryCall], linker: Linker) -> int | None:
    """How many workers some tasks keep busy at most; None if that is not known, or there are none."""
    at_once, awaited = 0, 0
    for task in tasks:
        number = _given_at_once(task, linker)
        if number is None:
            return None
        if _is_awaited(task):
            awaited = 1
        else:
            at_once += number
    return max(at_once, awaited) if tasks else None


def _is_awaited(task: BoundaryCall) -> bool:
    return _AWAITED.match(task.site.module.code, task.call.span.end) is not None


def _given_at_once(task: BoundaryCall, linker: Linker) -> int | None:
    """How many tasks a call gives before anything waits for them."""
    if is_of_one_task(task):
        return 1 if _is_awaited(task) or loop_around(task.site) is None else None
    for traced in task.value(_ITERABLES, linker.evaluator):
        value = traced.value
        if isinstance(value, ContainerValue) and value.slots:
            places = [each.key.item for each in value.slots if each.is_item]
            return len(places) if all(isinstance(each, int) for each in places) else None
    return None
