"""Barriers for more than a pool has workers: its tasks wait for one another, and those that would end the waiting are
never begun.

Measured with CPython 3.11, under fork, spawn and forkserver, for a `Pool` and a `ProcessPoolExecutor`, and for barriers
of `multiprocessing`, of a context and of a manager: a pool of 2 whose tasks wait at a `Barrier(3)` hangs. A time, given
to `Barrier` or to `wait()`, ends it with `BrokenBarrierError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.values import literals
from lintpickle.analyses.main_state.global_setters import setters_of, value_set
from lintpickle.analyses.workers.several_workers import WORKER_COUNTS
from lintpickle.analyses.workers.worker_starts import option_default
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.catalog import INITIALIZER
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Expr, Name, Parameter, ending_name, without_narrowing
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ContainerValue,
    ExternalResult,
    Frame,
    FunctionValue,
    InstanceValue,
    ProductValue,
    Site,
)
from lintpickle.interpreter.frames import passed_first
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_BARRIER, _OF_THREADS, _PROXY = "Barrier", "threading.", "multiprocessing.managers.BarrierProxy"
_KINDS = frozenset({"pool", "executor"})
_ITEMS = ("iterable", "iterables[0]")
_LISTS = frozenset({"list", "tuple"})
_ENDS = re.compile(r"\.\s*abort\b|\bBrokenBarrierError\b")
_WAITS = re.compile(r"\.\s*wait\s*\(\s*\)")
_STEPS = 6


class PoolBarrier(Struct, frozen=True):
    """A task that waits at a barrier, where that and the pool are made, for how many (as it is written, or the number),
    and how many workers the pool has. If the barrier counts the tasks, it is not known how many these are."""

    function: WorkerFunction
    waits: Site
    made: Site
    parties: str
    pool: Site
    workers: int
    counts_tasks: bool


class _Barrier(Struct, frozen=True):
    call: Call
    home: Frame


def pool_barriers(code: WorkerCode, linker: Linker) -> Iterator[PoolBarrier]:
    """The barriers at which tasks of a pool wait and that count more than the pool has workers."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS or boundary.spec.only_starts:
        return
    waiting = [(each, base) for each in code.functions for base in _bases_of_waits(each)]
    makers = linker.makers_of(boundary) if waiting else ()
    workers = _workers(makers[0], linker) if len(makers) == 1 else None
    if workers is None:
        return
    told = set[int]()
    for function, base in waiting:
        barrier = _barrier_of(base, function, makers[0], linker)
        if barrier is None or id(barrier.call) in told or not _is_for_tasks(barrier, function, code):
            continue
        told.add(id(barrier.call))
        parties = _parties(barrier.call)
        number = _number(parties, barrier.home, linker) if parties is not None else None
        counts_tasks = number is None and parties is not None and _counts_tasks(parties, barrier.home, boundary)
        if parties is not None and (counts_tasks or (number is not None and number > workers)):
            waits, made = Site(function.module, base.span), Site(barrier.home.module, barrier.call.span)
            written = barrier.home.module.code[parties.span.start : parties.span.end]
            shown = written if number is None else str(number)
            yield PoolBarrier(function, waits, made, shown, makers[0].site, workers, counts_tasks)


def _bases_of_waits(function: WorkerFunction) -> Iterator[Expr]:
    """What a function waits at, whatever happens and for as long as it takes."""
    module, span = function.module, function.facts.span
    if not module.first_party or _WAITS.search(module.code, span.start, span.end) is None:
        return
    for event in function.facts.events:
        match event:
            case Called(call=Call(function=Attribute(base=base, name="wait"), arguments=())):
                if not function.frame.paths.has_condition_before(event.span):
                    yield base
            case _:
                pass


def _barrier_of(base: Expr, function: WorkerFunction, maker: BoundaryCall, linker: Linker) -> _Barrier | None:
    """The barrier that an expression of a task is, also by a global that the initializer of the pool sets."""
    found = [traced.value for traced in linker.evaluate(base, function.frame)]
    if isinstance(base, Name) and setters_of(base.name, function.module):
        found = [*_begun_with(base.name, function.module, maker, linker)]
    return _made(found[0]) if len(found) == 1 else None


def _begun_with(name: str, module: Module, maker: BoundaryCall, linker: Linker) -> Iterator[AbstractValue]:
    """What the initializer of a pool is given that it puts into a global."""
    for traced in maker.value(INITIALIZER, linker.evaluator):
        setter = traced.value.facts if isinstance(traced.value, FunctionValue) else None
        value = value_set(name, setter) if setter is not None and setter in setters_of(name, module) else None
        if setter is None or not isinstance(value, Parameter):
            continue
        place = next((at for at, each in enumerate(setter.parameters) if each.name == value.name), None)
        yield from (each.value for each in linker.shipped_by(maker) if each.path == f"initargs[{place}]")


def _made(value: AbstractValue) -> _Barrier | None:
    match value:
        case ProductValue(path=path, call=Call() as call, frame=Frame() as home):
            is_barrier = ending_name(call.function) == _BARRIER and not path.startswith(_OF_THREADS)
        case ExternalResult(path=path, call=Call() as call, frame=Frame() as home):
            is_barrier = path == _PROXY and ending_name(call.function) == _BARRIER
        case _:
            return None
    return _Barrier(call, home) if is_barrier and home.module.first_party else None


def _is_for_tasks(barrier: _Barrier, function: WorkerFunction, code: WorkerCode) -> bool:
    """Whether nobody else is seen to wait there, or to end the waiting."""
    modules = {each.path: each for each in (barrier.home.module, function.module)}
    if any(each.has(_ENDS) for each in modules.values()):
        return False
    home, own = barrier.home.function.span, [each.facts.span for each in code.functions]
    return all(
        any(span.start <= found.start() < span.end for span in own)
        for found in _WAITS.finditer(barrier.home.module.code, home.start, home.end)
    )


def _parties(call: Call) -> Expr | None:
    """For how many a barrier is made; None if it has a time."""
    given = call.positional()
    if given is None or len(given) > 2 or call.keyword("timeout") is not None:
        return None
    return given[0] if given else call.keyword("parties")


def _workers(maker: BoundaryCall, linker: Linker) -> int | None:
    for name in WORKER_COUNTS:
        bound = maker.arguments.get(name)
        if bound is not None and bound.expr is not None and bound.frame is not None:
            return _number(bound.expr, bound.frame, linker)
    return None


def _number(value: Expr, frame: Frame, linker: Linker, steps: int = _STEPS) -> int | None:
    """The one number that an expression is, if users give no other by an option of the command line."""
    value = without_narrowing(value)
    items = _counted(value)
    if items is not None:
        return _length(items, frame, linker)
    known = literals(value, frame, linker)
    if known:
        number = known[0]
        return number if type(number) is int and all(each == number for each in known) else None
    match value:
        case Parameter(name=name):
            bound = passed_first(frame.bindings.get(name))
            if steps and bound is not None and bound.expr is not None and bound.frame is not None:
                return _number(bound.expr, bound.frame, linker, steps - 1)
        case Attribute(base=base, name=name):
            owners = [each.value for each in linker.evaluate(base, frame)]
            if len(owners) == 1 and isinstance(owners[0], InstanceValue):
                held = [each for each in linker.classes.states.state(owners[0]) if each.attribute == name]
                is_one = len(held) == 1 and steps
                return _number(held[0].value, held[0].frame, linker, steps - 1) if is_one else None
            return option_default(name, frame, frame.module, linker)
        case _:
            pass
    return None


def _counted(value: Expr) -> Expr | None:
    """What `len` is asked of."""
    match value:
        case Call(function=Name(name="len"), arguments=(only,)) if only.keyword is None and not only.star:
            return only.value
        case _:
            return None


def _length(items: Expr, frame: Frame, linker: Linker) -> int | None:
    """How many items a list has that is written out."""
    found = [traced.value for traced in linker.evaluate(items, frame)]
    if len(found) != 1 or not isinstance(found[0], ContainerValue) or found[0].kind not in _LISTS:
        return None
    places = [each.key.item for each in found[0].slots if each.is_item]
    return len(places) if places == list(range(len(places))) else None


def _counts_tasks(parties: Expr, home: Frame, boundary: BoundaryCall) -> bool:
    """Whether it is as many as the tasks that the pool is given: `len(names)`, and `pool.map(run, names)`."""
    counted = _counted(without_narrowing(parties))
    given = next((boundary.arguments[each] for each in _ITEMS if each in boundary.arguments), None)
    if counted is None or given is None or given.expr is None or given.frame is None:
        return False
    written = home.module.code[counted.span.start : counted.span.end]
    tasks = given.frame.module.code[given.expr.span.start : given.expr.span.end]
    return given.frame.function is home.function and written == tasks
