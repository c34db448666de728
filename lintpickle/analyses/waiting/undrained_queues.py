"""Processes that are joined while what they have put into a queue is still in it. A process does not end before the
pipe of the queue has taken everything, and a pipe of Linux holds 64 KiB; who joins it first, and reads the queue
afterwards, waits for ever. (Python's documentation of `multiprocessing`, "Joining processes that use queues"; measured
on CPython 3.11.)"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.left_contexts import contexts_left, given_by_manager, makes_context
from lintpickle.analyses.waiting.fed_queues import QUEUE_PUTS
from lintpickle.analyses.waiting.items_taken import GETS
from lintpickle.analyses.waiting.loops_while import LoopWhile, loop_while
from lintpickle.analyses.waiting.queued_sizes import weighs
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import (
    Attribute,
    Call,
    Collection,
    Constant,
    Expr,
    parameter_name,
    without_narrowing,
)
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    Bound,
    ClassValue,
    Frame,
    FunctionValue,
    InstanceValue,
    ProductValue,
    Site,
)
from lintpickle.parsing.main_guard import is_main_guard
from lintpickle.payload.entry_arguments import parameter_at, place_in_args
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_QUEUE = "mp-queue"
"""The kind of such queues in the catalog."""
_READS = re.compile(r"\.\s*get(?:_nowait)?\b")
_ENDS = frozenset({"join", "terminate", "kill"})
"""The methods of a process after which it has ended, or is made to."""
_LIVES = "is_alive"
_DOES_NOT_WAIT = "cancel_join_thread"
"""The method of a queue after which a process does not wait for its pipe."""
_CALLS_FOLLOWED = 2


class Undrained(Struct, frozen=True):
    """Where a process is joined, and where its queue is read only afterwards; where the worker puts something into it.
    `is_large` says whether that is more than a number or a short text, or any number of objects."""

    join: Site
    read: Site
    function: WorkerFunction
    put: Span
    queue: str
    is_large: bool


class _Step(Struct, frozen=True):
    """What a function does with the process or the queue, in order."""

    what: str
    site: Site


def undrained(code: WorkerCode, linker: Linker) -> Iterator[Undrained]:
    """The join of a process that puts something into a queue, which the same function reads only afterwards."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process":
        return
    for crossing in linker.shipped_by(boundary):
        queue = crossing.value
        if not isinstance(queue, ProductValue) or queue.product.kind != _QUEUE or queue.call is None:
            continue
        put = _put(queue.call, place_in_args(crossing.path), boundary, code, linker)
        joined = _joined_before_read(boundary, queue.call, linker) if put is not None else None
        if put is not None and joined is not None:
            text = put[0].module.code[put[1].span.start : put[1].span.end]
            name = text.rpartition(".put")[0] if text.count(".put") == 1 else "the queue"
            large = weighs(*put, linker)
            yield Undrained(joined[0], joined[1], put[0], put[1].span, name, large)


def _put(
    queue: Call, place: int | None, boundary: BoundaryCall, code: WorkerCode, linker: Linker
) -> tuple[WorkerFunction, Call] | None:
    """The call by which a function of the worker puts something into a queue, and the function: that of the largest."""
    found = list[tuple[WorkerFunction, Call]]()
    for function in (as_given(each, boundary) for each in code.functions):
        parameter = parameter_at(place, function.facts, boundary.spec) if function.entry and place is not None else None
        for event in function.facts.events:
            if isinstance(event, Called) and _method(event.call) in QUEUE_PUTS:
                base = _base(event.call)
                is_parameter = parameter is not None and parameter_name(without_narrowing(base)) == parameter
                if is_parameter or queue in products_made(base, function.frame, linker):
                    found.append((function, event.call))
    if any(_DOES_NOT_WAIT in each.module.code for each, _ in found):
        return None
    sent = [each for each in found if each[1].arguments and not isinstance(each[1].arguments[0].value, Constant)]
    return next((each for each in sent if weighs(*each, linker)), next(iter(sent), None))


def as_given(function: WorkerFunction, boundary: BoundaryCall) -> WorkerFunction:
    """The function with which a process begins, with what it is given where that is written out."""
    given = boundary.call.keyword("args")
    if not function.entry or not isinstance(given, Collection):
        return function
    places = ((parameter_at(at, function.facts, boundary.spec), each) for at, each in enumerate(given.elements))
    bound = {name: Bound(each, boundary.frame) for name, each in places if name is not None}
    return replace(function, frame=replace(function.frame, bindings={**function.frame.bindings, **bound}))


def _joined_before_read(boundary: BoundaryCall, queue: Call, linker: Linker) -> tuple[Site, Site] | None:
    """Where the function that makes a process joins it, and reads its queue afterwards, if it does not before."""
    for frame in _frames(boundary):
        join: Site | None = None
        for step in _steps(frame, boundary, queue, linker):
            if step.what == "read" or (step.what == "end" and join is None):
                return (join, step.site) if join is not None else None
            if step.what == "join" and join is None and not is_in_a_branch(step.site, boundary):
                join = step.site
    return None


def _frames(boundary: BoundaryCall) -> Iterator[Frame]:
    """The function that makes a process, those that lead to it, which may join the process or read the queue, or enter
    what does; and the one that makes the object of which it is a method."""
    frame = boundary.frame
    yield from frame.way()
    me = frame.function.parameters[0].name if frame.function.parameters else ""
    bound = frame.bindings.get(me)
    if bound is not None and isinstance(bound.value, InstanceValue) and bound.value.frame is not None:
        yield bound.value.frame


def _steps(frame: Frame, boundary: BoundaryCall, queue: Call, linker: Linker, depth: int = 0) -> Iterator[_Step]:
    ends = list(contexts_left(frame, linker)) if depth < _CALLS_FOLLOWED else []
    given = given_by_manager(frame) if depth else None
    for event in frame.function.events:
        if given is not None and event.span.start < given:
            continue  # runs when it is entered
        while ends and ends[0].end <= event.span.start:
            yield from _steps(ends.pop(0).frame, boundary, queue, linker, depth + 1)
        if isinstance(event, Called) and event.call is not boundary.call:
            yield from _steps_of_call(event.call, frame, boundary, queue, linker, depth)
    for left in ends:
        yield from _steps(left.frame, boundary, queue, linker, depth + 1)


def _steps_of_call(
    call: Call, frame: Frame, boundary: BoundaryCall, queue: Call, linker: Linker, depth: int
) -> Iterator[_Step]:
    site, method, base = Site(frame.module, call.span), _method(call), _base(call)
    if method in _ENDS and _ends(method, base, boundary, frame, linker):
        if method != "join" or not call.arguments:
            yield _Step("join" if method == "join" else "end", site)
    elif method == _LIVES and _ends(method, base, boundary, frame, linker):
        loop = loop_while(call.span, frame)
        if loop is not None and not any(_steps_within(loop, frame, boundary, queue, linker, depth)):
            yield _Step("join", Site(frame.module, loop.begin))
    elif any(queue in products_made(each, frame, linker) for each in queues_read_by(call)):
        yield _Step("read", site)
    elif depth < _CALLS_FOLLOWED and _may_matter(call, frame):
        yield from _steps_of_callees(call, frame, boundary, queue, linker, depth)
    elif any(queue in products_made(each.value, frame, linker) for each in call.arguments):
        yield _Step("read", site)


def _steps_within(
    loop: LoopWhile, frame: Frame, boundary: BoundaryCall, queue: Call, linker: Linker, depth: int
) -> Iterator[_Step]:
    """What a loop does in its rounds with the process or the queue, but for asking whether the process lives."""
    for event in frame.function.events:
        is_within = loop.body.start <= event.span.start < loop.body.end
        if isinstance(event, Called) and is_within and _method(event.call) != _LIVES:
            yield from _steps_of_call(event.call, frame, boundary, queue, linker, depth)


def queues_read_by(call: Call) -> Iterator[Expr]:
    """What may be a queue that a call reads: `queue.get()`, `iter(queue.get, None)`."""
    for each in (call.function, *(argument.value for argument in call.arguments)):
        if isinstance(each, Attribute) and each.name in GETS:
            yield each.base


def _steps_of_callees(
    call: Call, frame: Frame, boundary: BoundaryCall, queue: Call, linker: Linker, depth: int
) -> Iterator[_Step]:
    """What functions of the program do that are called; what others may do with a queue that they get is to read it."""
    callees = [each.value for each in linker.evaluate(call.function, frame)]
    known = [each for each in callees if isinstance(each, FunctionValue)]
    for callee in known:
        inner = linker.evaluator.enter(callee, call, frame) if not makes_context(callee.facts) else None
        if inner is not None:
            yield from _steps(inner, boundary, queue, linker, depth + 1)
    given = [each.value for each in call.arguments] if not known else []
    runs = any(isinstance(found.value, FunctionValue) for each in given for found in linker.evaluate(each, frame))
    is_given = any(_is_or_keeps(queue, each, runs, frame, linker) for each in given)
    is_given = is_given and not _only_writes(call, frame, linker) and not _only_keeps(callees, linker)
    if is_given or (not known and any(_reads_its(queue, each.value, frame, linker) for each in call.arguments)):
        yield _Step("read", Site(frame.module, call.span))


def _reads_its(queue: Call, value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether what is given to a call, as a target of a thread may be, is a method of an object that has the queue, and
    reads something."""
    inner = without_narrowing(value)
    if not isinstance(inner, Attribute):
        return False
    for traced in linker.evaluate(inner, frame):
        if isinstance(traced.value, FunctionValue):
            facts, code = traced.value.facts, traced.value.module.code
            if _READS.search(code, facts.span.start, facts.span.end):
                return True
    return False


def _ends(method: str, base: Expr, boundary: BoundaryCall, frame: Frame, linker: Linker) -> bool:
    """Whether a method of an expression is one of the process, and not one that its class defines itself."""
    if boundary.call not in products_made(base, frame, linker):
        return False
    objects = (each.value for each in linker.evaluate(base, frame))
    return not any(isinstance(each, InstanceValue) and linker.classes.find_method(each, method) for each in objects)


def _only_writes(call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether a call makes a process whose function surely does not read what it is given."""
    target = call.keyword("target")
    targets = [each.value for each in linker.evaluate(target, frame)] if target is not None else []
    return bool(targets) and all(
        isinstance(each, FunctionValue)
        and not _READS.search(each.module.code, each.facts.span.start, each.facts.span.end)
        for each in targets
    )


def _may_matter(call: Call, frame: Frame) -> bool:
    """Whether a call is one of a function that may have to do with queues: not of what nothing is given."""
    return bool(call.arguments) or isinstance(call.function, Attribute)


def _only_keeps(callees: list[AbstractValue], linker: Linker) -> bool:
    """Whether what is called are classes of the program, of which no method reads anything: a record of queues."""
    line = [ancestor for each in callees if isinstance(each, ClassValue) for ancestor in linker.classes.mro(each)]
    classes = [each for each in line if isinstance(each, ClassValue)]
    is_plain = all(isinstance(each, ClassValue) or each.path == "builtins.object" for each in line)
    return (
        bool(line)
        and all(isinstance(each, ClassValue) for each in callees)
        and is_plain
        and not any(_READS.search(each.module.code, each.facts.span.start, each.facts.span.end) for each in classes)
    )


def _is_or_keeps(queue: Call, value: Expr, with_function: bool, frame: Frame, linker: Linker) -> bool:
    """Whether a value, or what is in a display, is the queue; or, `with_function`, an object that has it."""
    inner = without_narrowing(value)
    parts = inner.elements if isinstance(inner, Collection) else (value,)
    for traced in (each for part in parts for each in linker.evaluate(part, frame)):
        match traced.value:
            case ProductValue(call=made) if made is queue:
                return True
            case InstanceValue() as record if with_function:
                held = linker.classes.states.state(record)
                if any(queue in products_made(each.value, each.frame, linker) for each in held):
                    return True
            case _:
                pass
    return False


def products_made(value: Expr, frame: Frame, linker: Linker) -> list[Call]:
    """The calls by which the products are made that an expression can be, and objects of classes of the program."""
    made = (each.value for each in linker.evaluate(value, frame))
    return [each.call for each in made if isinstance(each, ProductValue | InstanceValue) and each.call is not None]


def is_in_a_branch(join: Site, boundary: BoundaryCall) -> bool:
    """Whether a process is joined only under a condition, or after an error."""
    source = source_tree(join.module.code)
    if source is None:
        return True
    start = boundary.call.span.start if join.module is boundary.frame.module else -1
    for node in source.nodes_within(Span(0, len(join.module.code))):
        if isinstance(node, ast.If | ast.ExceptHandler):
            span = source.span(node)
            if span.start <= join.span.start < span.end and not span.start <= start < span.end:
                return isinstance(node, ast.ExceptHandler) or not is_main_guard(node.test)
    return False


def _method(call: Call) -> str | None:
    return call.function.name if isinstance(call.function, Attribute) else None


def _base(call: Call) -> Expr:
    return call.function.base if isinstance(call.function, Attribute) else call.function
