"""Tensors that a process puts into a queue and that are taken when the process has ended.

Measured with CPython 3.11 and torch 2.13 (CPU, Linux), under each start method, for queues of `multiprocessing`
and `torch.multiprocessing` alike: who takes a tensor asks the process that has put it for the descriptor of the memory.
Behind a join, `get` of a `SimpleQueue` raises `FileNotFoundError` each time and that of a `Queue` mostly
`ConnectionRefusedError`. Where the process ends right after the put and nobody has joined it, `get` fails in 12 to 15
of 15 runs, also if it has been waiting (`ConnectionResetError`, `EOFError`, `FileNotFoundError`); of a loop, the last.
It is right where the process lives on for a tenth of a second, with a manager's queue, with NumPy arrays, numbers and
lists, with a tensor that has no elements, and with the sharing strategy "file_system" except under spawn.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.results.held_tensors import holds_tensor, names_torch
from lintpickle.analyses.waiting.followed_queues import queues_given
from lintpickle.analyses.waiting.joins_and_reads import FirstRead, first_read_of_queue
from lintpickle.analyses.waiting.undrained_queues import puts_of_worker
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called
from lintpickle.facts.values import Call, ending_name
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_KINDS = frozenset({"process", "spawn"})
_STRATEGY = Words({"set_sharing_strategy"})
_WAITS = re.compile(r"\b(?:get|get_nowait|recv|wait|join|sleep|acquire|barrier|iter)\s*\(")
"""What a process may do until the others are done with what it has put into a queue."""
_AT_THE_END = frozenset({"put", "put_nowait", "close", "print"})
"""What hardly takes any time."""
_DECIDING = (ast.If, ast.For, ast.While, ast.ExceptHandler, ast.Match, ast.IfExp)
"""Blocks that decide whether something is put."""


class EndedSender(Struct, frozen=True):
    """A call by which a function of a process puts a tensor into a queue, and where the queue is read. `join` is where
    the end of the process is awaited before; None if it only ends right after the put. `is_sure`: it is put always."""

    function: WorkerFunction
    put: Call
    read: Site
    join: Site | None
    is_sure: bool

    @property
    def site(self) -> Site:
        return Site(self.function.module, self.put.span)


def tensors_of_ended(code: WorkerCode, linker: Linker) -> Iterator[EndedSender]:
    """The first tensor that a process puts into each of the queues which it is given, and that is taken too late."""
    boundary = code.boundary
    if (
        boundary is None
        or boundary.spec.kind not in _KINDS
        or not any(each.module.first_party and names_torch(each.module) for each in code.functions)
    ):
        return
    for queue in queues_given(boundary, linker):
        puts = [*puts_of_worker(queue.made, queue.place, boundary, code, linker)]
        tensors = [each for each in puts if _is_tensor_put(*each, linker)]
        read = first_read_of_queue(boundary, queue.made, linker) if tensors else None
        found = next(_too_late(tensors, read, boundary), None) if read is not None else None
        if found is not None and not linker.first_party.is_anywhere(_STRATEGY, boundary.frame.module.path):
            yield found


def _is_tensor_put(function: WorkerFunction, put: Call, linker: Linker) -> bool:
    return bool(put.arguments) and holds_tensor(put.arguments[0].value, function.frame, linker)


def _too_late(
    puts: list[tuple[WorkerFunction, Call]], read: FirstRead, boundary: BoundaryCall
) -> Iterator[EndedSender]:
    for function, put in puts:
        source = source_tree(function.module.code)
        if source is None:
            continue
        if read.join is not None:
            waits = _WAITS.search(function.text) is not None
            is_sure = function.entry and not waits and not _is_in_any(_DECIDING, put, function, source)
            yield EndedSender(function, put, read.read, read.join, is_sure)
        elif function.entry and boundary.spec.kind == "process" and _is_last(put, function, source):
            yield EndedSender(function, put, read.read, None, False)


def _is_last(put: Call, function: WorkerFunction, source: SourceTree) -> bool:
    """Whether a process ends with a put: behind it there is nothing that takes time, and the function waits for nobody.
    A loop that something else ends may end when the others are done."""
    if _WAITS.search(function.text) is not None or _is_in_any((ast.While,), put, function, source):
        return False
    behind = (each for each in function.facts.events if isinstance(each, Called) and each.span.start >= put.span.end)
    return all(ending_name(each.call.function) in _AT_THE_END for each in behind)


def _is_in_any(blocks: tuple[type[ast.AST], ...], put: Call, function: WorkerFunction, source: SourceTree) -> bool:
    """Whether something is put in a block of such a kind."""
    return any(
        isinstance(node, blocks) and source.span(node).contains(put.span)
        for node in source.nodes_within(function.facts.span)
    )
