"""How many processes of one function use a queue at the same time."""

from __future__ import annotations

import ast
import re

from lintpickle.analyses.waiting.followed_queues import queue_made
from lintpickle.analyses.workers.at_once import innermost_loop, is_one_for_all, run_at_once, started_beside
from lintpickle.facts.values import Call
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import Frame, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_MOST = 1_000
"""As many as there may be."""


def processes_at_queue(code: WorkerCode, function: WorkerFunction, queue: tuple[Call, Frame], linker: Linker) -> int:
    """How many processes that begin with a function are given the queue that a call makes in a frame, and run at once,
    at least: as many as a loop starts, if their number is not known."""
    made, frame = queue
    if run_at_once(code, linker):
        numbers = [_rounds(site) for site in code.way]
        known = [each for each in numbers if each is not None]
        return min(known, default=0) if is_one_for_all(Site(frame.module, made.span), frame, code) else 0
    return 1 + len([each for each in started_beside(code, linker) if _has(each, function, queue, linker)])


def _rounds(site: Site) -> int | None:
    """How often the innermost loop around a place comes to it: many, if that is not written there."""
    loop, source = innermost_loop(site), source_tree(site.module.code)
    if loop is None or source is None:
        return None
    for node in source.nodes_within(loop):
        items = node.iter if isinstance(node, ast.For) else None
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            items = node.generators[0].iter
        match items:
            case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int() as number)]):
                return number
            case ast.Call(func=ast.Name(id="range"), args=[ast.Name(id=name)]):
                return _least(name, site.module)
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                return len(elements)
            case ast.expr():
                return _MOST
            case _:
                pass
    return _MOST


def _least(name: str, module: Module) -> int:
    """The least number that a module is seen to give a variable or parameter of that name."""
    given = re.finditer(rf"\b{re.escape(name)}\b\s*(?::\s*\w+\s*)?=\s*(\d{{1,4}})\b", module.code)
    return min((int(each[1]) for each in given), default=_MOST)


def _has(other: WorkerCode, function: WorkerFunction, queue: tuple[Call, Frame], linker: Linker) -> bool:
    if other.boundary is None or not any(each.entry and each.facts is function.facts for each in other.functions):
        return False
    return any(queue_made(each.value) == queue for each in linker.shipped_by(other.boundary))
