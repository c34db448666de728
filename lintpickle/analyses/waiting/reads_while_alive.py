"""Results that the main process waits for as long as a worker lives: `while process.is_alive(): queue.get()`.

Measured with CPython 3.11, under fork, spawn and forkserver: a process lives on for some time when its last result is
read from a `Queue`, also of a manager. The next `get()` then waits for a result that nobody sends. Of a `SimpleQueue`,
the process may have ended by then.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.waiting.fed_queues import QUEUE_PUTS
from lintpickle.analyses.waiting.followed_queues import queue_made, users_of_queue
from lintpickle.analyses.waiting.joins_and_reads import products_made
from lintpickle.analyses.waiting.loops_while import LoopWhile, loop_while
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, ending_name
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.syntax import INNER_SCOPES
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_LIVES = "is_alive"
_SIMPLE = "SimpleQueue"
"""What a process puts at once: it may have ended when the last result is read."""
_ASKS = re.compile(r"\.\s*is_alive\(")
_OTHERWISE = re.compile(r"\b(?:terminate|kill|sleep)\s*\(")
"""What ends the process otherwise, or gives it time to end before it is asked whether it lives."""
_GOES_ON = re.compile(r"\bwhile\s+(?:True|1)\b|\bis_set\b")
"""What stands in code of a process that may never end by itself."""
_PERHAPS = (ast.If, ast.IfExp, ast.BoolOp, ast.Match, ast.Try, ast.While, ast.For, *INNER_SCOPES)


class ReadWhileAlive(Struct, frozen=True):
    """The call that takes a result in each round, how it calls the queue, the loop, and the function of the worker that
    puts results there."""

    read: Site
    queue: str
    loop: Site
    function: WorkerFunction


def reads_while_alive(code: WorkerCode, linker: Linker) -> Iterator[ReadWhileAlive]:
    """The first loop of the function that starts a process which goes on as long as that lives, and in each round waits
    without a limit for what nobody but that process, or others of the same kind, puts into a queue."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or not boundary.frame.module.first_party or code.is_cut:
        return
    module, span = boundary.frame.module, boundary.frame.function.span
    if _ASKS.search(module.code, span.start, span.end) is None or _OTHERWISE.search(module.code, span.start, span.end):
        return
    own = [each for each in code.functions if each.module.first_party]
    if any(_GOES_ON.search(each.module.code, each.facts.span.start, each.facts.span.end) for each in own):
        return
    for loop in _loops(boundary, linker):
        for read in _reads(loop, boundary):
            function = _putting(read, code, boundary, linker)
            if function is not None:
                written = module.code[read.function.span.start : read.function.span.end].rpartition(".")[0]
                yield ReadWhileAlive(Site(module, read.span), written, Site(module, loop.begin), function)
                return


def _loops(boundary: BoundaryCall, linker: Linker) -> Iterator[LoopWhile]:
    """The loops that go on as long as the process lives."""
    for event in boundary.frame.function.events:
        match event:
            case Called(call=Call(function=Attribute(base=base, name=name)), span=asked) if name == _LIVES:
                if boundary.call in products_made(base, boundary.frame, linker):
                    loop = loop_while(asked, boundary.frame)
                    if loop is not None:
                        yield loop
            case _:
                pass


def _reads(loop: LoopWhile, boundary: BoundaryCall) -> Iterator[Call]:
    """The calls of `get()` that each round of a loop comes to."""
    source = source_tree(boundary.frame.module.code)
    surely = {*_surely_called(loop.node, source)} if source is not None else set[Span]()
    for event in boundary.frame.function.events:
        match event:
            case Called(call=Call(function=Attribute(name="get"), arguments=()) as call) if call.span in surely:
                yield call
            case _:
                pass


def _surely_called(loop: ast.While, source: SourceTree) -> Iterator[Span]:
    stack: list[ast.AST] = [*loop.body]
    while stack:
        node = stack.pop()
        if isinstance(node, _PERHAPS):
            continue
        if isinstance(node, ast.Call):
            yield source.span(node)
        stack += ast.iter_child_nodes(node)


def _putting(read: Call, code: WorkerCode, boundary: BoundaryCall, linker: Linker) -> WorkerFunction | None:
    """The function of the process that puts into the queue which a call reads, if no other function that is seen does
    so."""
    assert isinstance(read.function, Attribute)
    values = [traced.value for traced in linker.evaluate(read.function.base, boundary.frame)]
    for crossing in linker.shipped_by(boundary):
        made = queue_made(crossing.value)
        if made is None or not any(getattr(each, "call", None) is made[0] for each in values):
            continue
        if ending_name(made[0].function) == _SIMPLE or _is_given_to_others(made[0], boundary, linker):
            return None
        for function, written in users_of_queue(crossing.path, made[0], QUEUE_PUTS, code, linker):
            if re.search(rf"\b{re.escape(written)}\s*\.\s*put", function.text):
                return function
    return None


def _is_given_to_others(queue: Call, boundary: BoundaryCall, linker: Linker) -> bool:
    others = (each.boundary for each in linker.worker_codes() if each.boundary is not None)
    crossings = (each for other in others if other.call is not boundary.call for each in linker.shipped_by(other))
    found = (queue_made(each.value) for each in crossings)
    return any(made is not None and made[0] is queue for made in found)
