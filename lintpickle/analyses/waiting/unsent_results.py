"""Results that the main process waits for, and that a worker does not send for each item.

Measured with CPython 3.11, under fork, spawn and forkserver: `get()` of a queue waits for ever, whether the worker has
ended or waits itself for the next item.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.analyses.waiting.failing_workers import Failure, failures_before_put
from lintpickle.analyses.waiting.fed_queues import QUEUE_PUTS
from lintpickle.analyses.waiting.followed_queues import name_of_queue, queue_made, users_of_queue
from lintpickle.analyses.waiting.items_taken import GETS, unsent_by, unsent_in
from lintpickle.analyses.waiting.results_counted import Counted, counted_results
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Call
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import AbstractValue, Frame, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_ASKED = re.compile(r"\.\s*get\(")
_Queue = tuple[str, Call, str]


class UnsentResult(Struct, frozen=True):
    """Where a function of a worker goes on, or `leaves`, without having put anything into a queue for an item; where
    the main process takes as many results as there are items. `failure` is the error by which the worker ends there."""

    function: WorkerFunction
    site: Site
    queue: str
    leaves: bool
    read: Site
    failure: Failure | None = None


def unsent_results(code: WorkerCode, linker: Linker) -> Iterator[UnsentResult]:
    """The results that a process does not send, where the function that starts it gives items to as many processes, or
    puts as many into a queue, and takes one result for each."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or not boundary.frame.module.first_party:
        return
    home = boundary.frame
    source = source_tree(home.module.code) if _ASKED.search(home.module.code) is not None else None
    queues = [*_queues(boundary, linker, source)] if source is not None else []
    for path, results, name in queues:
        around = _class_around(boundary, name, source) if "." in name else None
        within = around or home.function.span
        read = counted_results(name, boundary.call.span, within, source) if source is not None else None
        if read is None:
            continue
        for function, written in users_of_queue(path, results, QUEUE_PUTS, code, linker):
            found = _unsent(function, written, read, queues, code, linker)
            if found is None and read is not None:
                found = _failing(function, written, read, queues, code, linker)
            if found is not None:
                yield found
                return


def awaited_results(code: WorkerCode, linker: Linker) -> Site | None:
    """Where the function that starts a process takes one result for each item, or process, out of a queue that it gives
    to it, without a limit: there it waits for ever if the process ends before."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or not boundary.frame.module.first_party:
        return None
    home = boundary.frame
    source = source_tree(home.module.code) if _ASKED.search(home.module.code) is not None else None
    for path, results, name in _queues(boundary, linker, source) if source is not None else ():
        read = counted_results(name, boundary.call.span, home.function.span, source) if source is not None else None
        if read is not None and any(True for _ in users_of_queue(path, results, QUEUE_PUTS, code, linker)):
            return Site(home.module, read.span)
    return None


def _queues(boundary: BoundaryCall, linker: Linker, source: SourceTree) -> Iterator[_Queue]:
    """The queues that a process is given: by what path, which call makes them, and how the main process calls them."""
    for crossing in linker.shipped_by(boundary):
        queue = _made(crossing.value, boundary.frame)
        name = name_of_queue(queue, source) if queue is not None else None
        if queue is not None and name is not None:
            yield crossing.path, queue, name


def _class_around(boundary: BoundaryCall, name: str, source: SourceTree | None) -> Span | None:
    """The class whose method makes a process, if nothing but its own code uses a queue of that name that its objects
    keep."""
    place, attribute = boundary.call.span, name.rpartition(".")[2]
    for node in source.nodes if source is not None else ():
        if isinstance(node, ast.ClassDef) and source is not None:
            span = source.span(node)
            if span.start <= place.start < span.end:
                named = (each for each in source.nodes if isinstance(each, ast.Attribute) and each.attr == attribute)
                return span if all(span.start <= source.span(each).start < span.end for each in named) else None
    return None


def _made(value: AbstractValue, home: Frame) -> Call | None:
    """The call that makes a queue in the function that starts the process."""
    made = queue_made(value)
    if made is None or made[1].module is not home.module or made[1].function is not home.function:
        return None
    return made[0]


def _unsent(
    function: WorkerFunction,
    results: str,
    read: Counted,
    queues: list[_Queue],
    code: WorkerCode,
    linker: Linker,
) -> UnsentResult | None:
    """The first way on which a function puts nothing into a queue for an item."""
    node = node_of(function.module, function.facts)
    if node is None or code.boundary is None:
        return None
    if read.jobs is None:
        ways = unsent_by(node[1], results)
    else:
        taken = _jobs_of(function, read.jobs, queues, code, linker)
        ways = [way for written in taken for way in unsent_in(node[1], written, results)]
    for way in ways:
        place = node[0].span(way.turn if way.turn is not None else way.taken)
        if isinstance(way.turn, ast.ExceptHandler):
            place = Span(place.start, node[0].span(way.turn.type or way.turn.body[0]).end)
        site, there = Site(function.module, place), Site(code.boundary.frame.module, read.span)
        return UnsentResult(function, site, results, way.leaves, there)
    return None


def _jobs_of(
    function: WorkerFunction, jobs: str, queues: list[_Queue], code: WorkerCode, linker: Linker
) -> Iterator[str]:
    """How a function of a worker calls the queue from which it takes items."""
    for path, queue, name in queues:
        for each, written in users_of_queue(path, queue, GETS, code, linker) if name == jobs else ():
            if each is function:
                yield written


def _failing(
    function: WorkerFunction,
    results: str,
    read: Counted,
    queues: list[_Queue],
    code: WorkerCode,
    linker: Linker,
) -> UnsentResult | None:
    """The first error that ends a worker before it has put anything into a queue for an item."""
    jobs = next(_jobs_of(function, read.jobs, queues, code, linker), None) if read.jobs is not None else None
    if code.boundary is None or (read.jobs is not None and jobs is None):
        return None
    there = Site(code.boundary.frame.module, read.span)
    for failure in failures_before_put(function, results, jobs, code, linker):
        return UnsentResult(function, failure.site, results, True, there, failure)
    return None
