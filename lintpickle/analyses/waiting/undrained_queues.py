"""Processes that are joined while what they have put into a queue is still in it. A process does not end before the
pipe of the queue has taken everything, and a pipe of Linux holds 64 KiB; who joins it first, and reads the queue
afterwards, waits for ever. (Python's documentation of `multiprocessing`, "Joining processes that use queues"; measured
on CPython 3.11.)"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.repeated_places import is_repeated
from lintpickle.analyses.results.held_tensors import holds_tensor, names_torch
from lintpickle.analyses.waiting.fed_queues import QUEUE_PUTS
from lintpickle.analyses.waiting.followed_queues import queues_given
from lintpickle.analyses.waiting.joins_and_reads import first_read_of_queue, products_made
from lintpickle.analyses.waiting.queued_sizes import weighs
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Collection, Constant, parameter_name, without_narrowing
from lintpickle.interpreter.abstract_values import Bound, Site
from lintpickle.payload.entry_arguments import parameter_at
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_DOES_NOT_WAIT = "cancel_join_thread"
"""The method of a queue after which a process does not wait for its pipe."""


class Undrained(Struct, frozen=True):
    """Where a process is joined, and where its queue is read only afterwards; where the worker puts something into it.
    `is_large` says whether that is more than a number or a short text, or any number of objects."""

    join: Site
    read: Site
    function: WorkerFunction
    put: Span
    queue: str
    is_large: bool


def undrained(code: WorkerCode, linker: Linker) -> Iterator[Undrained]:
    """The join of a process that puts something into a queue, which the same function reads only afterwards."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process":
        return
    for queue in queues_given(boundary, linker):
        put = _put(queue.made, queue.place, boundary, code, linker)
        read = first_read_of_queue(boundary, queue.made, linker) if put is not None else None
        if put is not None and read is not None and read.join is not None:
            text = put[0].module.code[put[1].span.start : put[1].span.end]
            name = text.rpartition(".put")[0] if text.count(".put") == 1 else "the queue"
            large = weighs(*put, linker)
            yield Undrained(read.join, read.read, put[0], put[1].span, name, large)


def _put(
    queue: Call, place: int | None, boundary: BoundaryCall, code: WorkerCode, linker: Linker
) -> tuple[WorkerFunction, Call] | None:
    """The call by which a function of the worker puts something into a queue, and the function: that of the largest."""
    found = list(puts_of_worker(queue, place, boundary, code, linker))
    if any(_DOES_NOT_WAIT in each.module.code for each, _ in found):
        return None
    sent = [each for each in found if each[1].arguments and not isinstance(each[1].arguments[0].value, Constant)]
    sent = [each for each in sent if not _puts_a_handle(*each, linker)]
    return next((each for each in sent if weighs(*each, linker)), next(iter(sent), None))


def _puts_a_handle(function: WorkerFunction, put: Call, linker: Linker) -> bool:
    """Whether a few tensors are put, of which only a handle of some hundred bytes gets into the pipe: measured with
    torch 2.13, no process waits for room after it has put a tensor of 4 MB. What fails there is to take it."""
    if not names_torch(function.module) or is_repeated(put.span, function.facts, function.module):
        return False
    return holds_tensor(put.arguments[0].value, function.frame, linker)


def puts_of_worker(
    queue: Call, place: int | None, boundary: BoundaryCall, code: WorkerCode, linker: Linker
) -> Iterator[tuple[WorkerFunction, Call]]:
    """The calls by which functions of the worker put something into a queue that stands at a place of `args`, and these
    functions."""
    for function in (as_given(each, boundary) for each in code.functions):
        parameter = parameter_at(place, function.facts, boundary.spec) if function.entry and place is not None else None
        for event in function.facts.events:
            match event:
                case Called(call=Call(function=Attribute(base=base, name=name)) as call) if name in QUEUE_PUTS:
                    is_parameter = parameter is not None and parameter_name(without_narrowing(base)) == parameter
                    if is_parameter or queue in products_made(base, function.frame, linker):
                        yield function, call
                case _:
                    pass


def as_given(function: WorkerFunction, boundary: BoundaryCall) -> WorkerFunction:
    """The function with which a process begins, with what it is given where that is written out."""
    given = boundary.call.keyword("args")
    if not function.entry or not isinstance(given, Collection):
        return function
    places = ((parameter_at(at, function.facts, boundary.spec), each) for at, each in enumerate(given.elements))
    bound = {name: Bound(each, boundary.frame) for name, each in places if name is not None}
    return replace(function, frame=replace(function.frame, bindings={**function.frame.bindings, **bound}))
