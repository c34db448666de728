"""Tasks that ask each worker for what it keeps in a global, though the pool gives tasks to whichever worker is free.

Measured with CPython 3.11 under fork, spawn and forkserver, with a pool and an executor of eight workers: in nearly all
runs, one worker took several of eight such tasks, and another one took none.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.analyses.calls_and_values.stored_by_methods import kept_by
from lintpickle.analyses.lost_changes.container_methods import CHANGING
from lintpickle.analyses.workers.at_once import innermost_loop
from lintpickle.analyses.workers.several_workers import WORKER_COUNTS, has_one_worker, is_of_one_task, loop_around
from lintpickle.analyses.workers.whole_globals import globals_returned
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Call, Name, rooted
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import FunctionValue, Site
from lintpickle.parsing.names_read import within
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_KINDS = frozenset({"pool", "executor"})
_WAITS = re.compile(r"\.\s*wait\(|\bsleep\(")
"""What keeps a worker from taking a second task: a barrier, or time enough for the others to take theirs."""


class StateAskedFor(Struct, frozen=True):
    """A function that gives what a worker keeps in a global, whichever task calls it, where it does so, and which other
    function fills that; whether there are more such tasks than workers."""

    function: WorkerFunction
    name: str
    returned: Span
    filled: Site
    is_oversized: bool


def state_asked_for(code: WorkerCode, linker: Linker) -> Iterator[StateAskedFor]:
    """The functions that a boundary gives to a pool once for each worker, as it seems, to get what other tasks of the
    pool have left in a global."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS or not boundary.spec.functions:
        return
    if is_of_one_task(boundary) and loop_around(boundary.site) is None:
        return
    makers = linker.makers_of(boundary)
    if not makers or has_one_worker(boundary, linker):
        return
    for function in code.functions:
        module, facts = function.module, function.facts
        if not function.entry or not module.first_party or facts.is_generator or facts.is_local:
            continue
        if _WAITS.search(module.code, facts.header.end, facts.span.end) is not None or _uses_parameters(function):
            continue
        for name, returned in globals_returned(facts, module):
            filled = _filled_by_others(name, function, makers, linker)
            if filled is not None:
                yield StateAskedFor(function, name, returned, filled, _is_oversized(boundary, makers))
                break


def _uses_parameters(function: WorkerFunction) -> bool:
    found = node_of(function.module, function.facts)
    if found is None:
        return True
    names = {each.name for each in function.facts.parameters}
    return any(isinstance(each, ast.Name) and each.id in names for each in within(found[1]))


def _filled_by_others(
    name: str, function: WorkerFunction, makers: tuple[BoundaryCall, ...], linker: Linker
) -> Site | None:
    """Where another task of the same pool changes a global of the module of a function."""
    pools = {each.site for each in makers}
    for other in linker.worker_codes():
        boundary = other.boundary
        if boundary is None or pools.isdisjoint(each.site for each in linker.makers_of(boundary)):
            continue
        for task in other.functions:
            if task.facts is not function.facts and task.module is function.module:
                changed = _changed_in(name, task.facts, task.module) or _changed_by_method(name, task, linker)
                if changed is not None:
                    return Site(task.module, changed)
    return None


def _changed_in(name: str, facts: FunctionFacts, module: Module) -> Span | None:
    """Where a function gives a global another value, or puts something into it."""
    found = node_of(module, facts) if name in facts.reads or name in facts.globals_declared else None
    for node in within(found[1]) if found is not None else ():
        match node:
            case ast.Name(id=changed, ctx=ast.Store()) if changed == name and name in facts.globals_declared:
                pass
            case ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()) if _root(node) == name:
                pass
            case ast.Call(func=ast.Attribute(value=holder, attr=method)) if (
                method in CHANGING and _root(holder) == name
            ):
                pass
            case _:
                continue
        assert found is not None and isinstance(node, ast.expr)
        return found[0].span(node)
    return None


def _changed_by_method(name: str, task: WorkerFunction, linker: Linker) -> Span | None:
    """Where a function calls a method of the object that a global is, which changes that."""
    for event in task.facts.events:
        match event:
            case Called(call=Call(function=Attribute(base=base) as called)):
                root = rooted(base)[0]
                if isinstance(root, Name) and root.name == name:
                    methods = (each.value for each in linker.evaluate(called, task.frame))
                    if any(isinstance(each, FunctionValue) and any(kept_by(each.facts)) for each in methods):
                        return event.span
            case _:
                pass
    return None


def _root(node: ast.expr) -> str | None:
    """The name with which items and attributes begin, or what `setdefault` gives of them."""
    while not isinstance(node, ast.Name):
        match node:
            case ast.Subscript(value=value) | ast.Attribute(value=value):
                node = value
            case ast.Call(func=ast.Attribute(value=value, attr="setdefault")):
                node = value
            case _:
                return None
    return node.id


def _is_oversized(boundary: BoundaryCall, makers: tuple[BoundaryCall, ...]) -> bool:
    """Whether there are surely more tasks than workers, so that each of these may well get one."""
    given = [_written(each, name) for each in makers for name in WORKER_COUNTS if name in each.arguments]
    workers = [int(each) for each in given if each.isdecimal()]
    tasks = [_number(each) for each in _gone_through(boundary)] if workers else []
    return any(each is not None and each > max(workers) for each in tasks)


def _gone_through(boundary: BoundaryCall) -> Iterator[ast.expr]:
    """What gives the items of the tasks: an argument, or the loop around the call."""
    source = source_tree(boundary.frame.module.code)
    span = innermost_loop(boundary.site) if is_of_one_task(boundary) else boundary.call.span
    node = next(iter(source.nodes_within(span)), None) if source is not None and span is not None else None
    match node:
        case ast.Call(args=[_, *given], keywords=keywords):
            yield from (*given, *(each.value for each in keywords))
        case ast.For(iter=items):
            yield items
        case ast.ListComp(generators=rounds) | ast.SetComp(generators=rounds) | ast.GeneratorExp(generators=rounds):
            yield from (each.iter for each in rounds)
        case _:
            pass


def _number(node: ast.expr) -> int | None:
    match node:
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int() as number)]):
            return number
        case ast.BinOp(left=ast.List(), op=ast.Mult(), right=ast.Constant(value=int() as number)):
            return number
        case _:
            return None


def _written(maker: BoundaryCall, name: str) -> str:
    given = maker.arguments[name].expr
    return maker.frame.module.code[given.span.start : given.span.end] if given is not None else ""
