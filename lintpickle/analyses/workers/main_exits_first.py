"""Exits of tasks that the main process has come to itself before it starts workers: it runs the same function first,
and what that asks before it exits (a folder that is missing, say) depends on nothing that it is given."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.analyses.main_state.calls_of_main import calls_by_main
from lintpickle.diagnostics import Span
from lintpickle.parsing.names_read import within
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction


def exits_before_workers(place: Span, function: WorkerFunction, code: WorkerCode, linker: Linker) -> bool:
    """Whether the main process would exit, too, where a function of workers does, and before it starts them."""
    boundary = code.boundary
    if boundary is None or not _asks_the_same_of_all(place, function):
        return False
    starting, place_of_start = boundary.frame.function, boundary.call.span.start
    return any(
        root.function is starting and root.frame.paths.precedes(call.start, place_of_start)
        for root, call in calls_by_main(function.facts, code, linker, boundary.frame.module.path)
    )


def _asks_the_same_of_all(place: Span, function: WorkerFunction) -> bool:
    """Whether what a function asks before it gets to a place depends on none of its parameters."""
    paths = function.frame.paths
    asked = [test for test, _ in paths.conditions_around(place.start)]
    if not asked:
        return False
    assigned = dict[str, list[ast.expr]]()
    for node in ast.walk(paths.tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                assigned.setdefault(name, []).append(value)
            case _:
                pass
    waiting, seen = [name for test in asked for name in _names(test)], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if function.facts.parameter(name) is not None or (paths.binds(name) and name not in assigned):
            return False
        waiting += [each for value in assigned.get(name, ()) for each in _names(value)]
    return True


def _names(expression: ast.expr) -> Iterator[str]:
    return (node.id for node in within(expression) if isinstance(node, ast.Name))
