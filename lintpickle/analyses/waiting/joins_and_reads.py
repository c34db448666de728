"""In which order code joins a process and reads a queue into which the process puts something."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.left_contexts import contexts_left, given_by_manager, makes_context
from lintpickle.analyses.waiting.items_taken import GETS
from lintpickle.analyses.waiting.loops_while import LoopWhile, loop_while
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Collection, Constant, Expr, without_narrowing
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    Frame,
    FunctionValue,
    InstanceValue,
    ProductValue,
    Site,
)
from lintpickle.parsing.main_guard import is_main_guard
from lintpickle.payload.linker import Linker

_READS = re.compile(r"\.\s*get(?:_nowait)?\b")
_ENDS = frozenset({"join", "terminate", "kill"})
"""The methods of a process after which it has ended, or is made to."""
_LIVES = "is_alive"
_JOINING = "spawn"
"""The kind of boundaries that wait for the end of what they start, unless they are told not to."""
_CALLS_FOLLOWED = 2


class FirstRead(Struct, frozen=True):
    """Where a queue is read first, and where the process is joined before, if it is."""

    read: Site
    join: Site | None


class _Step(Struct, frozen=True):
    """What a function does with the process or the queue, in order."""

    what: str
    site: Site


def first_read_of_queue(boundary: BoundaryCall, queue: Call, linker: Linker) -> FirstRead | None:
    """Where the function that makes a process, or the innermost that leads to it, reads its queue first: None if
    it ends the process by force before it joins it."""
    for frame in _frames(boundary):
        join: Site | None = None
        for step in _steps(frame, boundary, queue, linker):
            if step.what == "read":
                return FirstRead(step.site, join)
            if step.what == "end" and join is None:
                return None
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
        elif isinstance(event, Called) and _waits_for_its_own(boundary):
            yield _Step("join", Site(frame.module, event.call.span))
    for left in ends:
        yield from _steps(left.frame, boundary, queue, linker, depth + 1)


def _waits_for_its_own(boundary: BoundaryCall) -> bool:
    """Whether the call that makes processes waits for their end itself: `torch.multiprocessing.spawn(..., join=True)`,
    which is the default."""
    if boundary.spec.kind != _JOINING or boundary.open:
        return False
    told = boundary.arguments.get("join")
    return told is None or (isinstance(told.expr, Constant) and told.expr.value is True)


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
    elif depth < _CALLS_FOLLOWED and _may_matter(call):
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


def parts_or_itself(value: Expr) -> tuple[Expr, ...]:
    """What is in a display, or the value itself if it is none."""
    inner = without_narrowing(value)
    return inner.elements if isinstance(inner, Collection) else (value,)


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
    if is_given or (not known and any(_reads_its(each.value, frame, linker) for each in call.arguments)):
        yield _Step("read", Site(frame.module, call.span))


def _reads_its(value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether what is given to a call, as a target of a thread may be, is a method of the program that reads
    something, whatever object it is of."""
    inner = without_narrowing(value)
    if not isinstance(inner, Attribute):
        return False
    return any(isinstance(each.value, FunctionValue) and _reads(each.value) for each in linker.evaluate(inner, frame))


def _reads(value: FunctionValue | ClassValue) -> bool:
    """Whether the text of a function or a class reads a queue, or may."""
    span = value.facts.span
    return _READS.search(value.module.code, span.start, span.end) is not None


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
    return bool(targets) and all(isinstance(each, FunctionValue) and not _reads(each) for each in targets)


def _may_matter(call: Call) -> bool:
    """Whether a call may have to do with queues: it is given something, or is one of a method."""
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
        and not any(map(_reads, classes))
    )


def _is_or_keeps(queue: Call, value: Expr, with_function: bool, frame: Frame, linker: Linker) -> bool:
    """Whether a value, or what is in a display, is the queue; or, `with_function`, an object that has it."""
    for traced in (each for part in parts_or_itself(value) for each in linker.evaluate(part, frame)):
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
