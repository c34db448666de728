"""Loops of several workers that take items out of one queue until it is empty, by a `get()` that waits: another worker
may take the last item between the question and the `get()`.

Measured with CPython 3.11, four processes and 50 items: under fork, in 4 of 15 runs at least one of them waits for
ever, and so does the `join()` for it. The slower the start of the processes, the rarer it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.waiting.emptying_loops import emptying_loop
from lintpickle.analyses.waiting.followed_queues import queue_made, users_of_queue
from lintpickle.analyses.waiting.processes_at_queue import processes_at_queue
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.names_read import within
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_ASKS = frozenset({"empty", "qsize"})
_ASKED = re.compile(r"\.\s*(?:empty|qsize)\s*\(")
_TAKES = re.compile(r"\.\s*get\s*\(")
_ENDS_PROCESS = re.compile(r"\.\s*(?:terminate|kill)\s*\(")
_OTHER_ENDS = (ast.Break, ast.Return)
_LOCKS = re.compile(r"\.\s*acquire\s*\(|(?i:\bwith\s+[\w.]*(?:lock|mutex|sem)\w*)")
_SEVERAL = 2


class TakenAfterEmpty(Struct, frozen=True):
    """A `get()` that waits, what asks whether the queue is empty before, the function of the workers, and where they
    are started."""

    taken: Site
    asked: Site
    function: WorkerFunction
    begun: Site


def taken_after_empty(code: WorkerCode, linker: Linker) -> Iterator[TakenAfterEmpty]:
    """The places in the workers of a boundary where a queue that several of them share is taken from in this way."""
    boundary = code.boundary
    if boundary is None or not boundary.frame.module.first_party or _may_end_them(boundary):
        return
    if not any(_ASKED.search(each.text) and _TAKES.search(each.text) for each in code.functions):
        return
    for crossing in linker.shipped_by(boundary):
        queue = queue_made(crossing.value)
        for function, written in users_of_queue(crossing.path, queue[0], _ASKS, code, linker) if queue else ():
            found = _taken(function, written)
            if queue is None or found is None or processes_at_queue(code, function, queue, linker) < _SEVERAL:
                continue
            taken, asked = (Site(function.module, each) for each in found)
            yield TakenAfterEmpty(taken, asked, function, boundary.site)
            return


def _may_end_them(boundary: BoundaryCall) -> bool:
    """Whether the statement of a module in which workers are started ends processes before they are done."""
    module = boundary.frame.module
    block = module.outline.block_at(boundary.call.span.start)
    return block is None or _ENDS_PROCESS.search(module.code, block.span.start, block.span.end) is not None


def _taken(function: WorkerFunction, written: str) -> tuple[Span, Span] | None:
    """Where a loop takes something out of a queue that it has asked, and where it asks: nothing else ends the loop, no
    lock is held, and nothing is put back."""
    source = source_tree(function.module.code)
    if source is None or _LOCKS.search(function.text) or re.search(rf"{re.escape(written)}\s*\.\s*put", function.text):
        return None
    for event in function.facts.events:
        match event:
            case Called(call=Call(function=Attribute(name=name)) as asked) if name in _ASKS:
                loop = emptying_loop(asked, function.frame)
            case _:
                continue
        node = _loop_at(loop, source) if loop is not None else None
        asking = source.call_at(asked.span)
        if node is None or asking is None or not _is_of(asking, written):
            continue
        leaves = [each for each in ast.walk(node) if isinstance(each, _OTHER_ENDS)]
        taking = [each for each in within(node) if isinstance(each, ast.Call) and _waits(each, written)]
        if taking and all(_is_asked(each, node, asking) for each in leaves):
            return source.span(taking[0]), asked.span
    return None


def _loop_at(place: Span, source: SourceTree) -> ast.AST | None:
    loops = (each for each in source.nodes_within(place) if isinstance(each, ast.While | ast.For | ast.ListComp))
    return next((each for each in loops if source.span(each) == place), None)


def _is_asked(leaving: ast.AST, loop: ast.AST, asking: ast.Call) -> bool:
    """Whether a loop is left there because the queue is found empty."""
    tests = (each for each in within(loop) if isinstance(each, ast.If) and leaving in each.body)
    return any(asking in ast.walk(each.test) for each in tests)


def _is_of(call: ast.Call, written: str) -> bool:
    return isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == written


def _waits(call: ast.Call, written: str) -> bool:
    """Whether a call takes an item out of the queue, and waits for one as long as it takes."""
    if not (_is_of(call, written) and isinstance(call.func, ast.Attribute) and call.func.attr == "get"):
        return False
    given = [*call.args, *(each.value for each in call.keywords)]
    return all(isinstance(each, ast.Constant) and each.value is True for each in given)
