"""Workers that run the same code at the same time: not one after the other, because each is waited for in turn."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.rounds import rounds_around
from lintpickle.analyses.workers.several_workers import is_of_one_task, run_in_several
from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import Frame, InstanceValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_WAITING = frozenset({"join", "result", "get", "wait"})
_WAITS = re.compile(rf"\.\s*(?:{'|'.join(sorted(_WAITING))})\s*\(\s*(?:timeout\b[^()]*|[\d.]+|)\)")
_STARTS = re.compile(r"\.\s*start\s*\(\s*\)")
_BLOCKING, _PROCESS = "apply", "process"
_DECIDING = (ast.If, ast.Match, ast.IfExp)


def run_at_once(code: WorkerCode, linker: Linker) -> bool:
    """Whether several workers run the functions at the same time, as far as is seen: tasks of a pool, or processes (or
    single tasks) that a loop starts and does not wait for in each round."""
    boundary = code.boundary
    if boundary is None or not run_in_several(code, linker) or boundary.spec.path.endswith(f".{_BLOCKING}"):
        return False
    if not is_of_one_task(boundary):
        return True
    first, *callers = code.way
    loop = innermost_loop(first)
    if loop is not None:
        return not _waits_each_round(first, loop)
    facts, module = boundary.frame.function, boundary.frame.module
    if _WAITS.search(module.code, facts.span.start, facts.span.end) is not None:
        return False
    return any(
        loop is not None and not _waits_each_round(site, loop) for site in callers if (loop := innermost_loop(site))
    )


def started_beside(code: WorkerCode, linker: Linker) -> Iterator[WorkerCode]:
    """The processes that the same function starts beside this one, without waiting for one of them in between."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != _PROCESS:
        return
    module, facts = boundary.frame.module, boundary.frame.function
    waited = _WAITS.search(module.code, boundary.call.span.end, facts.span.end)
    end = waited.start() if waited is not None else facts.span.end
    started = [Site(module, Span(*each.span())) for each in _STARTS.finditer(module.code, facts.span.start, end)]
    are_several = len(started) > 1 or any(map(_starts_each_round, started))
    for other in linker.worker_codes() if are_several else ():
        beside = other.boundary
        if beside is None or beside.spec.kind != _PROCESS or beside.call is boundary.call:
            continue
        if beside.frame.function is facts:
            first, last = sorted((boundary.call.span, beside.call.span), key=lambda each: each.start)
            is_other_way = boundary.frame.paths.exclude_each_other(first.start, last.start)
            if not is_other_way and _WAITS.search(module.code, first.end, last.start) is None:
                yield other


def _starts_each_round(start: Site) -> bool:
    """Whether a loop starts one process after the other: `for each in (reader, writer): each.start()`."""
    loop = innermost_loop(start)
    return loop is not None and not _waits_each_round(start, loop)


def innermost_loop(site: Site) -> Span | None:
    """The innermost loop or comprehension of its function that runs a place again and again, as a whole."""
    around = rounds_around(site)
    return around[-1] if around else None


def _waits_each_round(site: Site, loop: Span) -> bool:
    """Whether the loop around a place waits in each round for what is started there."""
    source = source_tree(site.module.code)
    if source is None:
        return True
    decided = [source.span(node) for node in source.nodes_within(loop) if isinstance(node, _DECIDING)]
    for found in _WAITS.finditer(site.module.code, loop.start, loop.end):
        place = Site(site.module, Span(found.start(), found.end()))
        is_decided = any(each.start <= place.span.start < each.end and not _is_in(site, each) for each in decided)
        if not is_decided and innermost_loop(place) == loop:
            return True
    return False


def _is_in(site: Site, span: Span) -> bool:
    return span.start <= site.span.start < span.end


def is_one_for_all(made: Site, frame: Frame, code: WorkerCode) -> bool:
    """Whether what is made at a place, by a call of its function in a frame, is one thing for all the workers: none of
    them makes it, and no loop makes another one for each."""
    if any(each.facts is frame.function for each in code.functions):
        return False
    place: Site | None = made
    seen = 0
    while place is not None and seen <= len(code.way) + _MOST_CALLERS:
        if not _is_made_before(place, code):
            return False
        owner = _owner(frame)
        if owner is not None and owner.call is not None and owner.frame is not None:
            place, frame = Site(owner.frame.module, owner.call.span), owner.frame
        elif frame.called_by is not None:
            caller, call = frame.called_by
            place, frame = Site(caller.module, call.span), caller
        else:
            place = None
        seen += 1
    return True


_MOST_CALLERS = 6
"""How many calls are followed that lead to where something is made."""


def _is_made_before(place: Site, code: WorkerCode) -> bool:
    """Whether no loop comes to a place for each of the workers: if one does, it starts all of them in each round."""
    loop = innermost_loop(place)
    if loop is None:
        return True
    for site in code.way:
        inner = innermost_loop(site)
        if site.module is place.module and loop.start <= site.span.start < loop.end:
            is_task = code.boundary is not None and not is_of_one_task(code.boundary)
            return is_task or (inner is not None and inner != loop)
    return False


def _owner(frame: Frame) -> InstanceValue | None:
    first = frame.function.parameters[0].name if frame.function.parameters else ""
    bound = frame.bindings.get(first)
    return bound.value if bound is not None and isinstance(bound.value, InstanceValue) else None
