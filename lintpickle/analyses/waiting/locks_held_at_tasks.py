"""Locks that the main process holds while it waits for tasks of a pool that take the same lock: their workers got it by
the initializer, which keeps it in a global.

Measured with CPython 3.11, under fork, spawn and forkserver: `pool.map()`, `list(pool.imap())` and
`list(executor.map())` never return. A lock cannot be given to a task itself: it does not pickle.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.caller_frames import frame_of_method
from lintpickle.analyses.waiting.locks_entered import entered_locks
from lintpickle.analyses.waiting.locks_held_at_join import (
    HeldAtJoin,
    is_lock_of_processes,
    is_only_sometimes,
    is_same_lock,
    is_sure_way,
)
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.catalog import INITIALIZER
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Parameter, without_narrowing
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import FunctionValue, InstanceValue, ProductValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_BLOCKING = frozenset({"map", "starmap", "apply"})
_LAZY = frozenset({"imap", "imap_unordered"})
_COLLECTING = frozenset(
    {
        "all",
        "any",
        "dict",
        "frozenset",
        "list",
        "max",
        "min",
        "set",
        "sorted",
        "sum",
        "tuple",
        "enumerate",
        "tqdm",
        "zip",
    }
)
_GIVEN = re.compile(r"initargs\[(\d+)\]((?:\.\w+)*)")


class _Shared(Struct, frozen=True):
    """A lock of workers: the name of the global that holds it, or holds the object whose attribute it is, and that
    object."""

    lock: ProductValue
    name: str
    suffix: str
    owner: InstanceValue | None
    initializer: FunctionValue


def locks_held_at_tasks(code: WorkerCode, linker: Linker) -> Iterator[HeldAtJoin]:
    """The lock that is held where a call waits for its tasks, which surely take it first."""
    boundary = code.boundary
    if boundary is None or not boundary.frame.module.first_party or not _is_waited_for(boundary):
        return
    module, place = boundary.frame.module, boundary.call.span
    held = [each for each in entered_locks(boundary.frame, linker) if each.span.contains(place)]
    held = [each for each in held if not each.may_let_go_before(place.start, module)]
    makers = linker.makers_of(boundary) if held else ()
    for shared, path in _shared(makers[0], linker) if len(makers) == 1 else ():
        around = next((each for each in held if is_same_lock(each, shared.lock, path, makers[0])), None)
        is_kept = around is not None and not _is_replaced(shared, code, boundary, linker)
        taken = _taken(shared, code, boundary, linker) if is_kept else None
        if around is not None and taken is not None:
            yield HeldAtJoin(boundary.site, around.site, *taken)
            return


def _is_waited_for(boundary: BoundaryCall) -> bool:
    """Whether code waits where it gives the tasks to a pool."""
    name, kind = boundary.spec.name, boundary.spec.kind
    if kind == "pool" and name in _BLOCKING:
        return True
    if not (kind == "pool" and name in _LAZY) and not (kind == "executor" and name == "map"):
        return False
    source = source_tree(boundary.frame.module.code)
    for node in source.nodes if source is not None else ():
        match node:
            case ast.Call(func=ast.Name(id=function), args=args) if function in _COLLECTING:
                given = args
            case ast.For(iter=value) | ast.comprehension(iter=value):
                given = [value]
            case _:
                continue
        if source is not None and any(source.span(each) == boundary.call.span for each in given):
            return True
    return False


def _shared(maker: BoundaryCall, linker: Linker) -> Iterator[tuple[_Shared, str]]:
    """The locks that the initializer of a pool keeps in globals, itself or in objects, each with how it crosses."""
    initializers = [each.value for each in maker.value(INITIALIZER, linker.evaluator)]
    initializer = initializers[0] if len(initializers) == 1 else None
    if not isinstance(initializer, FunctionValue) or not initializer.module.first_party:
        return
    shipped = linker.shipped_by(maker)
    facts, parameters = initializer.facts, initializer.names_to_give
    for crossing in shipped:
        found = _GIVEN.fullmatch(crossing.path)
        lock = crossing.value
        if found is None or not isinstance(lock, ProductValue) or not is_lock_of_processes(lock):
            continue
        index, suffix = int(found[1]), found[2]
        owners = [each.value for each in shipped if each.path == f"initargs[{index}]"]
        owner = owners[0] if len(owners) == 1 and isinstance(owners[0], InstanceValue) else None
        if index >= len(parameters) or suffix.count(".") > 1 or (suffix and owner is None):
            continue
        for name in facts.globals_declared:
            value = facts.variables.get(name)
            given = without_narrowing(value) if value is not None else None
            if isinstance(given, Parameter) and given.name == parameters[index]:
                yield _Shared(lock, name, suffix, owner, initializer), crossing.path


def _is_replaced(shared: _Shared, code: WorkerCode, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether other code of the workers may give the global another value."""
    return any(
        shared.name in each.facts.globals_declared and each.facts is not shared.initializer.facts
        for found in (code, *linker.worker_codes_of_makers(boundary))
        for each in found.functions
    )


def _taken(
    shared: _Shared, code: WorkerCode, boundary: BoundaryCall, linker: Linker
) -> tuple[WorkerFunction, Span] | None:
    """The function of a task that surely waits for a lock, and where."""
    module = shared.initializer.module
    source = source_tree(module.code)
    for function in code.functions if source is not None else ():
        ways = [hop for hop in function.hops if hop not in boundary.hops]
        is_local = shared.name in function.facts.variables or function.facts.parameter(shared.name) is not None
        if source is None or function.module is not module or is_local:
            continue
        if all(is_sure_way(hop.site, boundary) for hop in ways):
            for span in _waits(shared, function, source, linker):
                if not is_only_sometimes(span, function.facts.span, source):
                    return function, span
    return None


def _waits(shared: _Shared, function: WorkerFunction, source: SourceTree, linker: Linker) -> Iterator[Span]:
    """Where a function takes a lock, or calls a method of the object that does."""
    written = f"{shared.name}{shared.suffix}"
    for node in source.nodes_within(function.facts.span):
        match node:
            case ast.With(items=items):
                for item in items:
                    if ast.unparse(item.context_expr) == written:
                        yield source.span(item.context_expr)
            case ast.Expr(value=ast.Call(func=func, args=[], keywords=[])) if ast.unparse(func) == f"{written}.acquire":
                yield source.span(node)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if name == shared.name:
                if shared.owner is not None and _takes(method, shared.owner, shared.lock, linker):
                    yield source.span(node)
            case _:
                pass


def _takes(name: str, owner: InstanceValue, lock: ProductValue, linker: Linker) -> bool:
    """Whether a method of an object surely takes its lock."""
    method = linker.classes.find_method(owner, name)
    frame = frame_of_method(method, owner, linker) if method is not None else None
    source = source_tree(frame.module.code) if frame is not None else None
    if frame is None or source is None:
        return False
    return any(
        held.lock.call is lock.call and not is_only_sometimes(held.site.span, frame.function.span, source)
        for held in entered_locks(frame, linker)
    )
