"""End marks that code of other modules puts into a queue: functions of workers, or whatever else gets it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.analyses.waiting.end_marks import EndMark
from lintpickle.analyses.waiting.fed_queues import QUEUE_PUTS
from lintpickle.analyses.waiting.followed_queues import queue_made, users_of_queue
from lintpickle.analyses.workers.at_once import innermost_loop
from lintpickle.facts.records import Called
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import ClassValue, Frame, FunctionValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction
from lintpickle.program.module import Module


def marks_elsewhere(mark: EndMark, queue: Call, frame: Frame, linker: Linker) -> list[Site] | None:
    """The places at which workers put a mark into a queue, in other modules than that which makes it; None if it is not
    known how often marks are put there."""
    found = list[Site]()
    for function, written, is_one in _users(queue, frame, linker):
        puts = [*_puts(function, written, mark)]
        if puts and (not is_one or any(innermost_loop(each) is not None for each in puts)):
            return None
        found += puts
    return None if _is_given_away(queue, frame, linker) else [*dict.fromkeys(found)]


def _users(queue: Call, frame: Frame, linker: Linker) -> Iterator[tuple[WorkerFunction, str, bool]]:
    """The functions of other modules that workers run and that may put something, how they call the queue, and whether
    no loop starts the workers."""
    for code in linker.worker_codes():
        shipped = linker.shipped_by(code.boundary) if code.boundary is not None else ()
        path = next((each.path for each in shipped if queue_made(each.value) == (queue, frame)), None)
        is_one = all(innermost_loop(site) is None for site in code.way)
        for function, written in users_of_queue(path, queue, QUEUE_PUTS, code, linker) if path is not None else ():
            if function.module is not frame.module:
                yield function, written, is_one


def _puts(function: WorkerFunction, written: str, mark: EndMark) -> Iterator[Site]:
    found = node_of(function.module, function.facts)
    for node in ast.walk(found[1]) if found is not None else ():
        match node:
            case ast.Call(func=ast.Attribute(value=base, attr=method), args=[item, *_]) if method in QUEUE_PUTS:
                if found is not None and ast.unparse(base) == written and mark.is_in(item, function.module):
                    yield Site(function.module, found[0].span(node))
            case _:
                pass


def _is_given_away(queue: Call, frame: Frame, linker: Linker) -> bool:
    """Whether the function that makes a queue gives it to code of another module that may put something."""
    for event in frame.function.events:
        if not isinstance(event, Called) or not any(each.value is queue for each in event.call.arguments):
            continue
        for traced in linker.evaluate(event.call.function, frame):
            callee = traced.value
            if isinstance(callee, FunctionValue | ClassValue) and _may_put(callee.module, frame.module):
                return True
    return False


def _may_put(module: Module, own: Module) -> bool:
    return module is not own and any(f".{method}" in module.code for method in QUEUE_PUTS)
