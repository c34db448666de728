"""Locks that the main process holds while it starts a process and joins it, and for which that process waits.

Measured with CPython 3.11, under every start method: a `Lock` or `RLock` of `multiprocessing` that is handed to a
process is one lock for both. The process waits until the main process releases it, which waits for the end of the
process."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.waiting.locks_entered import HeldIn, entered_locks, is_acquired, may_let_go
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Implied
from lintpickle.facts.values import Attribute, Call, Expr, Parameter, parameter_name, without_narrowing
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Frame, FunctionValue, InstanceValue, ProductValue, Site
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.entry_arguments import parameter_at, place_in_args
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_LOCKS = frozenset({"Lock", "RLock"})
_OWN = "target.__self__"
"""How the path of what crosses begins that the object of a bound method holds."""
_ONLY_SOMETIMES = (ast.If, ast.ExceptHandler, ast.While, ast.Match)
_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_MOST_CALLS = 2
"""How many calls of functions within each other are followed to where a process is started and joined."""
_MOST_STEPS = 4
"""How many functions a lock is followed through that hand it on."""


class HeldAtJoin(Struct, frozen=True):
    """Where a process is joined, where the lock is taken before, and where a function of the process waits for it."""

    join: Site
    held: Site
    function: WorkerFunction
    taken: Span


def locks_held_at_join(code: WorkerCode, linker: Linker) -> Iterator[HeldAtJoin]:
    """The first join at which a lock is held that the joined process surely takes."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or not boundary.frame.module.first_party:
        return
    held = ((each, _join_in(each, boundary, linker)) for each in entered_locks(boundary.frame, linker))
    joined = [(each, join) for each, join in held if join is not None]
    for crossing in linker.shipped_by(boundary) if joined else ():
        lock = crossing.value
        if not isinstance(lock, ProductValue) or not is_lock_of_processes(lock):
            continue
        found = next(((each, join) for each, join in joined if is_same_lock(each, lock, crossing.path, boundary)), None)
        taken = where_taken(lock, crossing, boundary, code, linker) if found is not None else None
        if found is not None and taken is not None:
            around, join = found
            yield HeldAtJoin(join, around.site, *taken)
            return


def is_lock_of_processes(value: ProductValue) -> bool:
    """Whether a value is a `Lock` or `RLock` of multiprocessing, of which it is known which call makes it."""
    of_processes = value.product.type.startswith("multiprocessing.synchronize.")
    return of_processes and value.product.type.rpartition(".")[2] in _LOCKS and value.call is not None


def _join_in(held: HeldIn, boundary: BoundaryCall, linker: Linker) -> Site | None:
    """Where the process of a boundary is joined, after it is started, while a lock is held; None unless both surely
    happen, and nothing lets go before."""
    started = False
    for call, place, lets_go in _surely_called(boundary.frame, held.span, boundary, linker):
        called = call.function
        if not isinstance(called, Attribute) or called.name not in ("start", "join"):
            continue
        if called.name == "start":
            started = True
        elif started and not call.arguments:
            return None if lets_go else place
    return None


def _surely_called(
    frame: Frame, within: Span, boundary: BoundaryCall, linker: Linker, depth: int = 0
) -> Iterator[tuple[Call, Site, bool]]:
    """The calls of methods of the process of a boundary that a part of a function surely makes, itself or by functions
    that it calls, in order; each with its place, and whether something before it may let go of a lock."""
    module, source = frame.module, source_tree(frame.module.code)
    lets_go = False
    for event in frame.function.events if source is not None else ():
        if not isinstance(event, Called) or not within.start <= event.span.start < within.end:
            continue
        if source is None or is_only_sometimes(event.span, within, source):
            continue
        called = event.call.function
        before = lets_go or may_let_go(Span(within.start, event.span.start), module)
        if isinstance(called, Attribute) and called.name in ("start", "join"):
            if boundary.call is called.base or boundary.call in _makers(called.base, frame, linker):
                yield event.call, Site(module, event.span), before
            continue
        for inner in _entered(event.call, frame, linker) if depth < _MOST_CALLS else ():
            for call, place, is_let_go in _surely_called(inner, inner.function.span, boundary, linker, depth + 1):
                yield call, place, before or is_let_go
            lets_go = lets_go or may_let_go(inner.function.span, inner.module)


def _entered(call: Call, frame: Frame, linker: Linker) -> Iterator[Frame]:
    """The frame of the one function of the program that a call surely runs."""
    found = [each.value for each in linker.evaluate(call.function, frame)]
    if len(found) == 1 and isinstance(found[0], FunctionValue) and found[0].module.first_party:
        facts = found[0].facts
        inner = linker.evaluator.enter(found[0], call, frame) if not (facts.yields or facts.decorators) else None
        if inner is not None:
            yield inner


def _makers(value: Expr, frame: Frame, linker: Linker) -> list[object]:
    found = (each.value for each in linker.evaluate(value, frame))
    return [each.call for each in found if isinstance(each, ProductValue | InstanceValue)]


def is_only_sometimes(place: Span, around: Span, source: SourceTree) -> bool:
    """Whether something within a span decides whether a place is come to."""
    for node in source.nodes_within(around):
        if isinstance(node, _ONLY_SOMETIMES):
            span = source.span(node)
            if around.start <= span.start <= place.start < span.end:
                return True
    return False


def is_same_lock(held: HeldIn, lock: ProductValue, path: str, boundary: BoundaryCall) -> bool:
    """Whether what the main process holds is surely the one lock that crosses at a path: made by the same call for the
    same object, and not one of several that a loop makes."""
    if held.lock.call is not lock.call or lock.frame is None or held.lock.frame is None:
        return False
    mine, its = _owner(held.lock.frame), _owner(lock.frame)
    if (mine is None) is not (its is None):
        return False
    if mine is None or its is None:
        return _called_at(held.lock.frame) == _called_at(lock.frame) and _is_one(lock.call, lock.frame.module, held)
    if mine.call is not its.call:
        return False
    if mine.call is None:
        return _is_of_self(held, path, boundary)
    return its.frame is not None and _is_one(its.call, its.frame.module, held)


def _owner(frame: Frame) -> InstanceValue | None:
    """The object whose method makes a lock."""
    first = frame.function.parameters[0].name if frame.function.parameters else ""
    bound = frame.bindings.get(first)
    return bound.value if bound is not None and isinstance(bound.value, InstanceValue) else None


def _called_at(frame: Frame) -> Span | None:
    return frame.called_by[1].span if frame.called_by is not None else None


def _is_one(made: Expr | None, module: Module, held: HeldIn) -> bool:
    """Whether no loop makes a lock, unless it also takes it."""
    source = source_tree(module.code)
    if made is None or source is None:
        return False
    for node in source.nodes:
        if isinstance(node, _LOOPS):
            span = source.span(node)
            is_held_there = module is held.site.module and span.contains(held.span)
            if span.contains(made.span) and not is_held_there:
                return False
    return True


def _is_of_self(held: HeldIn, path: str, boundary: BoundaryCall) -> bool:
    """Whether a method holds a lock of its own object, and gives this object to the process."""
    function, code = boundary.frame.function, boundary.frame.module.code
    me = function.parameters[0].name if function.parameters else ""
    written = code[held.site.span.start : held.site.span.end]
    return me != "" and written.startswith((f"{me}.", f"{me}:")) and path.startswith(_OWN)


def where_taken(
    lock: ProductValue, crossing: Crossing, boundary: BoundaryCall, code: WorkerCode, linker: Linker
) -> tuple[WorkerFunction, Span] | None:
    """The function of a process that surely waits for a lock, and where."""
    place = place_in_args(crossing.path)
    for function in code.functions:
        source = source_tree(function.module.code) if function.module.first_party else None
        ways = [hop for hop in function.hops if hop not in boundary.hops]
        if source is None or not all(is_sure_way(hop.site, boundary) for hop in ways):
            continue
        for event in function.facts.events:
            target = event.target if isinstance(event, Implied) and event.method == "__enter__" else None
            if isinstance(event, Called) and is_acquired(event.call):
                target = event.call.function.base if isinstance(event.call.function, Attribute) else None
            if target is None or is_only_sometimes(event.span, function.facts.span, source):
                continue
            if _is_given(target, function, place, boundary) or _is_it(target, lock, function.frame, linker):
                return function, event.span
    return None


def is_sure_way(site: Site, boundary: BoundaryCall) -> bool:
    """Whether a step that leads to a function of the process is surely taken, if the process is made."""
    if site.module is boundary.frame.module and boundary.frame.function.span.contains(site.span):
        return True
    source = source_tree(site.module.code)
    block = site.module.outline.block_at(site.span.start)
    return source is not None and block is not None and not is_only_sometimes(site.span, block.span, source)


def _is_given(target: Expr, function: WorkerFunction, place: int | None, boundary: BoundaryCall) -> bool:
    """Whether an expression is a parameter that has what the process is given at a place of its arguments, also by way
    of functions that hand it on."""
    value, frame = without_narrowing(target), function.frame
    for _ in range(_MOST_STEPS):
        name = parameter_name(value)
        bound = frame.bindings.get(name) if name is not None else None
        if bound is None or bound.expr is None or bound.frame is None:
            break
        value, frame = without_narrowing(bound.expr), bound.frame
    if place is None or not isinstance(value, Parameter) or frame.called_by is not None:
        return False
    return parameter_name(value) == parameter_at(place, frame.function, boundary.spec)


def _is_it(target: Expr, lock: ProductValue, frame: Frame, linker: Linker) -> bool:
    found = [each.value for each in linker.evaluate(target, frame)]
    return bool(found) and all(isinstance(each, ProductValue) and _is_equal(each, lock) for each in found)


def _is_equal(one: ProductValue, other: ProductValue) -> bool:
    if one.call is not other.call or one.frame is None or other.frame is None:
        return False
    mine, its = _owner(one.frame), _owner(other.frame)
    return mine is its or (mine is not None and its is not None and mine.call is its.call)
