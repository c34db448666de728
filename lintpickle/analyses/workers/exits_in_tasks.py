"""Tasks of a pool or executor that end the process: `sys.exit()`, `exit()`, `raise SystemExit`, `os._exit()`.

Measured with CPython 3.11, under fork, spawn and forkserver: a worker of `multiprocessing.Pool` catches `Exception`
alone, so it ends by a SystemExit, and a new worker takes its place, but nobody does its task again: `map()` and `get()`
wait for ever, and so does `join()` behind `close()`. A worker of `ProcessPoolExecutor` catches it and sends it:
`result()` raises it in the main process, which then ends by it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.decorators_applied import is_wrapped
from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.analyses.results.uncaught import leaves_worker, way_back
from lintpickle.analyses.waiting.unawaited_tasks import is_never_awaited
from lintpickle.analyses.workers.main_exits_first import exits_before_workers
from lintpickle.analyses.workers.seldom_exits import is_behind_question, is_far_off, is_hardly_reached
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Raised
from lintpickle.facts.values import Call, Expr, without_narrowing
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import ExternalValue, Hop, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.payload.worker_ways import may_get_to_itself

_POOLS = ("mp-pool.", "multiprocess-pool.")
_FUTURES = "process-executor."
_RAISING = frozenset({"sys.exit", "builtins.exit", "builtins.quit", "builtins.SystemExit"})
_ENDING = frozenset({"os._exit", "os.abort"})
_MAY_EXIT = re.compile(r"\b(?:_?exit|quit|abort)\s*\(|\bSystemExit\b")
_WITH_LIMIT = re.compile(r"\.\s*(?:get|wait|next)\(\s*(?:timeout\s*=|[\d.]+\s*\))")
_BY_HAND = re.compile(r"\bKeyboardInterrupt\b")


class EndedTask(Struct, frozen=True):
    """Where a function of a task ends its process, as it is written there, and by which hops the end of the process is
    come to; whether the main process waits for ever (if not, it ends, too), and whether that is hardly come to."""

    function: WorkerFunction
    span: Span
    written: str
    waits: bool
    hops: tuple[Hop, ...]
    is_seldom: bool


def exits_in_tasks(code: WorkerCode, linker: Linker) -> Iterator[EndedTask]:
    """The places at which tasks end their process, and nothing on the way catches that, nor may, as decorators do."""
    boundary = code.boundary
    if boundary is None or not boundary.frame.module.first_party or boundary.spec.only_starts:
        return
    waits = boundary.spec.path.startswith(_POOLS)
    if not waits and not _is_of_futures(boundary):
        return
    if waits and (boundary.frame.module.has(_WITH_LIMIT) or is_never_awaited(boundary, linker)):
        return
    for function in code.functions:
        module, facts = function.module, function.facts
        is_guessed = any(hop.guessed for hop in function.hops)
        if is_guessed or not module.first_party or not _has_exit(function):
            continue
        found: list[EndedTask] = []
        for event in facts.events:
            if isinstance(event, Called | Raised) and _ends(event, function, waits, linker):
                raised = Raised(event.span, event.conditional, event.guards, Expr(event.span))
                line = (ExternalValue("builtins.SystemExit"),)
                ends_at_once = _is_at_once(event, function, linker)
                if (
                    _is_by_hand(Site(module, event.span), function)
                    or (not ends_at_once and _is_wrapped(function, code))
                    or is_behind_question(event.span, function)
                    or not may_get_to_itself(event.span, function, code, linker)
                ):
                    continue
                if ends_at_once or leaves_worker(raised, function, line, code, linker) is True:
                    is_seldom = (
                        is_far_off(event, function, code, linker)
                        or is_hardly_reached(event.span, function, linker)
                        or exits_before_workers(event.span, function, code, linker)
                    )
                    if is_seldom and found:
                        continue
                    written = " ".join(module.code[event.span.start : event.span.end].split())
                    way = None if ends_at_once else way_back(raised, function, line, code, linker)
                    found.append(EndedTask(function, event.span, written, waits, way or function.hops, is_seldom))
                    if not is_seldom:
                        break
        yield from found[-1:]


def _has_exit(function: WorkerFunction) -> bool:
    facts = function.facts
    return _MAY_EXIT.search(function.module.code, facts.header.end, facts.span.end) is not None


def _is_of_futures(boundary: BoundaryCall) -> bool:
    """Whether an executor is one of `concurrent.futures`."""
    return boundary.spec.path.startswith(_FUTURES)


def _ends(event: Called | Raised, function: WorkerFunction, waits: bool, linker: Linker) -> bool:
    """Whether an event ends the process, or raises what does."""
    value = without_narrowing(event.value) if isinstance(event, Raised) else event.call.function
    if isinstance(event, Raised):
        named = value.function if isinstance(value, Call) else value
        return "builtins.SystemExit" in external_names(named, function.frame, linker)
    names = set(external_names(value, function.frame, linker)) - {"builtins.SystemExit"}
    return bool(names) and names <= (_RAISING | _ENDING if waits else _RAISING)


def _is_at_once(event: Called | Raised, function: WorkerFunction, linker: Linker) -> bool:
    """Whether the process ends without an exception."""
    return isinstance(event, Called) and not _ENDING.isdisjoint(
        external_names(event.call.function, function.frame, linker)
    )


def _is_wrapped(function: WorkerFunction, code: WorkerCode) -> bool:
    """Whether a decorator may catch the exception: of the function, of one that leads there, or of the task itself."""
    ways = [hop.site for hop in function.hops]
    return any(
        is_wrapped(each.facts)
        for each in code.functions
        if each is function or each.entry or any(Site(each.module, each.facts.span).contains(way) for way in ways)
    )


def _is_by_hand(place: Site, function: WorkerFunction) -> bool:
    """Whether a place is only come to when somebody presses Ctrl-C, which reaches the main process as well."""
    return any(map(_is_in_handler, (place, *(hop.site for hop in function.hops if hop.site.module.first_party))))


def _is_in_handler(place: Site) -> bool:
    source = source_tree(place.module.code) if place.module.has(_BY_HAND) else None
    for node in source.nodes if source is not None else ():
        if isinstance(node, ast.ExceptHandler) and node.type is not None and source is not None:
            span = source.span(node)
            if span.start <= place.span.start < span.end and _BY_HAND.search(ast.unparse(node.type)) is not None:
                return True
    return False
