"""What workers got a copy of when they started, and the main process changes before it sends them more tasks: the
`initargs` of a pool, the `args` of a process that is fed by a queue.

Measured with CPython 3.11, under fork, spawn and forkserver: `initargs` and `args` are copied once for each worker, as
it starts; what the main process does to the original afterwards no worker sees.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from lintpickle.analyses.lost_changes.container_methods import CHANGING, FILLABLE
from lintpickle.analyses.main_state.given_by_name import (
    INITIAL_ARGUMENTS,
    RENEWED,
    NamedThing,
    all_given,
    calls_of_method,
    calls_through,
    changing_frames,
    is_queue,
    is_sent_along,
)
from lintpickle.analyses.waiting.fed_queues import CHANNEL_SENDS
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Expr
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ConstantValue,
    ContainerValue,
    Frame,
    InstanceValue,
    PlainValue,
    Site,
)
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.program.module import Module

_MAKES_ARRAY = r"\s*=\s*(?:np|numpy)\.(?:zeros|ones|empty|full|array|arange)(?:_like)?\("
_ARGS = "args"
_WHOLE = ""


class StaleCopy(Struct, frozen=True):
    """What the main process changes, as it is written, where, by which argument the workers got it, and where it sends
    tasks that find the copy."""

    name: str
    role: str
    change: Site
    made: Site
    sent: Site


class _Change(Struct, frozen=True):
    """A place that changes a name or what it holds; the attribute or key that changes, if it is one."""

    span: Span
    part: str
    is_rebound: bool = False


def stale_copies(code: WorkerCode, linker: Linker) -> Iterator[StaleCopy]:
    """The first change of each thing that workers of a boundary got a copy of."""
    boundary = code.boundary
    if boundary is None or not boundary.frame.module.first_party:
        return
    if boundary.spec.kind == "process":
        yield from _of_process(boundary, code, linker)
        return
    for maker in linker.makers_of(boundary):
        if maker.spec.only_starts and maker.frame.module is boundary.frame.module:
            yield from _of_pool(maker, boundary, code, linker)


def _of_pool(maker: BoundaryCall, task: BoundaryCall, code: WorkerCode, linker: Linker) -> Iterator[StaleCopy]:
    home, where = maker.frame, task.frame
    if home.module.has(RENEWED):
        return
    for name, value in _copied(all_given(maker, INITIAL_ARGUMENTS, linker), maker):
        if is_sent_along(name, task.call.span, where):
            continue
        for frame in changing_frames(name, home, where, linker):
            for change in _changes(name, frame):
                if not _may_be_stale(change, value, code):
                    continue
                is_here = frame.function is home.function
                if is_here and (change.span.start < maker.call.span.end or _share(frame, change.span, maker.call.span)):
                    continue
                if _is_sent_after(change, frame, task, linker):
                    yield _found(name, INITIAL_ARGUMENTS, change, frame, maker, task.site)
                    break


def _of_process(boundary: BoundaryCall, code: WorkerCode, linker: Linker) -> Iterator[StaleCopy]:
    frame = boundary.frame
    if frame.module.has(RENEWED):
        return
    started = [each.span.end for each in frame.function.events if _is_start(each, boundary)]
    if not started:
        return
    given = list(all_given(boundary, _ARGS, linker))
    queues = [name for name, values in given if is_queue(values)]
    puts = list(calls_through(queues, CHANNEL_SENDS, frame)) if queues else []
    for name, value in _copied(given, boundary) if puts else ():
        for change in _changes(name, frame):
            after = [each for each in puts if each.start > change.span.end]
            is_late = change.span.start > min(started) and not _share(frame, change.span, boundary.call.span)
            is_stale = is_late and not change.is_rebound and _may_be_stale(change, value, code)
            if is_stale and after and not any(is_sent_along(name, each, frame) for each in after):
                yield _found(name, _ARGS, change, frame, boundary, Site(frame.module, after[0]))
                break


def _found(name: str, role: str, change: _Change, frame: Frame, made: BoundaryCall, sent: Site) -> StaleCopy:
    return StaleCopy(name, role, Site(frame.module, change.span), made.site, sent)


def _share(frame: Frame, one: Span, other: Span) -> bool:
    return frame.paths.share_a_loop(one.start, other.start)


def _is_start(event: object, boundary: BoundaryCall) -> bool:
    match event:
        case Called(call=call) if isinstance(call.function, Attribute) and call.function.name == "start":
            return call.span.start > boundary.call.span.start
        case _:
            return False


def _copied(given: Iterable[NamedThing], boundary: BoundaryCall) -> Iterator[NamedThing]:
    """Those of what workers are given as they start that are copies of plain data or of an object."""
    for name, values in given:
        unsure = [each for each in values if not _is_copied(each)]
        is_plain = bool(values) and all(isinstance(each, PlainValue) for each in unsure)
        if is_plain and (not unsure or _is_made_an_array(name, boundary.frame.module)):
            yield name, values


def _is_made_an_array(name: str, module: Module) -> bool:
    return module.has(re.compile(rf"(?<![\w.]){re.escape(name)}{_MAKES_ARRAY}"))


def _is_copied(value: AbstractValue) -> bool:
    match value:
        case ConstantValue(value=constant):
            return constant is not None
        case ContainerValue(kind=kind):
            return kind in FILLABLE
        case InstanceValue():
            return True
        case _:
            return False


def _changes(name: str, frame: Frame) -> list[_Change]:
    source = source_tree(frame.module.code)
    found: list[_Change] = []
    for node in source.nodes_within(frame.function.span) if source is not None else ():
        assert source is not None
        match node:
            case ast.AugAssign(target=target):
                part = _part(target, name)
                if part is not None:
                    found.append(_Change(source.span(node), part, ast.unparse(target) == name and "." not in name))
            case ast.Assign(targets=[target], value=value):
                part = _part(target, name)
                is_whole = ast.unparse(target) == name
                if part is not None and not (is_whole and not _mentions(value, name)):
                    found.append(_Change(source.span(node), part, is_whole))
            case ast.Call(func=ast.Attribute(value=base, attr=method)):
                part = _part(base, name)
                if part is not None and method in CHANGING:
                    found.append(_Change(source.span(node), part))
            case _:
                pass
    return found


def _part(target: ast.expr, name: str) -> str | None:
    """Which part of a thing a target is: the attribute, or the key as it is written; all of it."""
    if dotted(target) == name:
        return _WHOLE
    match target:
        case ast.Subscript(value=base, slice=key) if dotted(base) == name:
            return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else _WHOLE
        case ast.Subscript(value=ast.Attribute() as base):
            return _part(base, name)
        case ast.Attribute(value=base, attr=attribute) if dotted(base) == name:
            return attribute
        case _:
            return None


def _mentions(value: ast.expr, name: str) -> bool:
    return any(dotted(each) == name for each in ast.walk(value) if isinstance(each, ast.Name | ast.Attribute))


def _may_be_stale(change: _Change, values: tuple[AbstractValue, ...], code: WorkerCode) -> bool:
    """Whether a change is one of a copy that the workers read: what is put into a container, or an attribute that code
    of theirs names; a number that is reckoned anew."""
    is_number = all(isinstance(each, ConstantValue) for each in values)
    if is_number:
        return change.is_rebound and all(
            isinstance(each, ConstantValue) and isinstance(each.value, int | float) for each in values
        )
    if any(isinstance(each, ConstantValue) for each in values):
        return False
    if change.part == _WHOLE:
        return not any(isinstance(each, InstanceValue) for each in values) or change.is_rebound
    read = re.compile(rf"\.{re.escape(change.part)}\b|[\"']{re.escape(change.part)}[\"']")
    return any(
        read.search(each.module.code, each.facts.span.start, each.facts.span.end) is not None
        for each in code.functions
        if each.module.first_party
    )


def _is_sent_after(change: _Change, frame: Frame, task: BoundaryCall, linker: Linker) -> bool:
    """Whether the task is sent when the change has been made: behind it, in the next round of a loop, or as the method
    is called again."""
    if frame.function is task.frame.function:
        if task.call.span.start > change.span.end or _share(frame, task.call.span, change.span):
            return not frame.paths.exclude_each_other(task.call.span.start, change.span.start)
        return _is_called_again(frame, linker)
    return _is_called_again(frame, linker)


def _is_called_again(frame: Frame, linker: Linker) -> bool:
    return any(
        caller.frame.paths.share_a_loop(span.start, span.start) and not _is_made_there(base, span, caller, linker)
        for caller, span, base in calls_of_method(frame, linker)
    )


def _is_made_there(base: Expr, call: Span, caller: RootFrame, linker: Linker) -> bool:
    """Whether the object is made in the loop in which its method is called, or it is not known what it is."""
    values = [traced.value for traced in linker.evaluate(base, caller.frame)]
    made = [each.call.span for each in values if isinstance(each, InstanceValue) and each.call is not None]
    return not values or any(caller.frame.paths.share_a_loop(each.start, call.start) for each in made)
