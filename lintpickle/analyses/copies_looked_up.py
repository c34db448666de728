"""Objects that come back from the workers of a pool, and that the main process looks for among those that it has sent.

What comes back is a copy. An object whose class has no `__eq__` equals itself alone, so `set.remove` and `dict.pop`
raise KeyError, `list.remove` raises ValueError, and `discard` leaves it. Measured with CPython 3.11 and 3.13: in the
callback of a task, the pool drops a KeyError and does not count the task as done, and a ValueError ends the thread that
handles the results; `join()` waits for ever after both.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.caller_frames import frame_of_method
from lintpickle.analyses.lookups import Lookup, keys_from, lookups, puts_into, with_aliases
from lintpickle.analyses.reads_after_start import after_start
from lintpickle.analyses.sentinels import stands_for_itself
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Expr, Name, Parameter
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import (
    ContainerValue,
    Frame,
    FunctionValue,
    InstanceValue,
    Site,
)
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_results import results_sent
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_KINDS = frozenset({"pool", "executor"})
_PART = re.compile(r"\.\w+|\[(\d+)\]")
_BASE = re.compile(r"\w+")
_CALLBACK = "callback"
_NOWHERE = Span(0, 0)


class CopyLookedUp(Struct, frozen=True):
    """An expression that looks for an object which came back, as it is written, the class of the object, the error
    (empty if there is none), whether it is to take the object out, and whether a callback of the pool does that."""

    site: Site
    written: str
    class_name: str
    error: str
    is_removal: bool
    is_callback: bool
    function: WorkerFunction
    sent: Site


class _Returned(Struct, frozen=True):
    """A name of an object that came back, and the frame in which it has it, between two places."""

    name: str
    frame: Frame
    span: Span
    is_callback: bool = False
    is_passed_on: bool = False


def copies_looked_up(code: WorkerCode, linker: Linker) -> Iterator[CopyLookedUp]:
    """The calls of the main process that look for a copy of an object in a container, one for each boundary."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS:
        return
    sent = [
        each
        for each in linker.shipped_by(boundary)
        if isinstance(each.value, InstanceValue)
        and each.value.call is not None
        and stands_for_itself(each.value, linker)
    ]
    for function, crossing in results_sent(code, linker) if sent else ():
        value = crossing.value
        if not isinstance(value, InstanceValue):
            continue
        given = next(
            (each for each in sent if isinstance(each.value, InstanceValue) and each.value.call is value.call), None
        )
        if given is None:
            continue
        for returned in _named(crossing.path.removeprefix("result"), boundary, linker):
            found = _looked_up(returned, value, boundary, linker)
            if found is not None:
                lookup, error = found
                module, class_name = returned.frame.module, value.class_.facts.name
                yield CopyLookedUp(
                    Site(module, lookup.span),
                    module.code[lookup.span.start : lookup.span.end],
                    class_name,
                    error,
                    lookup.is_removal,
                    returned.is_callback,
                    function,
                    given.site,
                )
                return


def _named(path: str, boundary: BoundaryCall, linker: Linker) -> Iterator[_Returned]:
    """The names that a part of the results gets, in loops over them and in the callback."""
    given = boundary.call.keyword(_CALLBACK)
    for traced in linker.evaluate(given, boundary.frame) if given is not None else ():
        callback = traced.value
        if isinstance(callback, FunctionValue) and callback.module.first_party:
            frame = Frame(callback.module, callback.facts)
            if isinstance(callback.bound, InstanceValue):
                method = linker.classes.find_method(callback.bound, callback.facts.name)
                frame = (frame_of_method(method, callback.bound, linker) if method is not None else None) or frame
            names = [each.name for each in callback.facts.parameters][callback.bound is not None :]
            if names:
                body = Span(callback.facts.header.end, callback.facts.span.end)
                yield _Returned(names[0] + path, frame, body, True)
    for frame, _ in after_start(boundary):
        source = source_tree(frame.module.code)
        for node in source.nodes_within(frame.function.span) if source is not None else ():
            if source is not None and isinstance(node, ast.For) and source.span(node.iter) == boundary.call.span:
                name = _part_of(node.target, path)
                if name is not None:
                    returned = _Returned(name, frame, Span(source.span(node.iter).end, source.span(node).end))
                    yield returned
                    yield from _passed_on(returned, linker)


def _part_of(target: ast.expr, path: str) -> str | None:
    """How a part of what a target is given is written: a name of the target, and the rest of the path."""
    while isinstance(target, ast.Tuple | ast.List):
        part = _PART.match(path)
        if part is None or part[1] is None or int(part[1]) >= len(target.elts):
            return None
        target, path = target.elts[int(part[1])], path[part.end() :]
    return target.id + path if isinstance(target, ast.Name) else None


def _passed_on(returned: _Returned, linker: Linker) -> Iterator[_Returned]:
    """The names that functions of the program have for it which are called with it, or with what holds it."""
    source, base = source_tree(returned.frame.module.code), _BASE.match(returned.name)
    if source is None or base is None:
        return
    calls = {each.span: each.call for each in returned.frame.function.events if isinstance(each, Called)}
    for node in source.nodes_within(returned.span):
        if not isinstance(node, ast.Call) or source.span(node) not in calls:
            continue
        places = [place for place, each in enumerate(node.args) if isinstance(each, ast.Name) and each.id == base[0]]
        call = calls[source.span(node)]
        for traced in linker.evaluate(call.function, returned.frame) if places else ():
            callee = traced.value
            if not isinstance(callee, FunctionValue) or not callee.module.first_party:
                continue
            parameters = [each.name for each in callee.facts.parameters][callee.bound is not None :]
            inner = linker.evaluator.enter(callee, call, returned.frame)
            if inner is not None and places[0] < len(parameters):
                body = Span(callee.facts.header.end, callee.facts.span.end)
                yield _Returned(parameters[places[0]] + returned.name[base.end() :], inner, body, is_passed_on=True)


def _looked_up(
    returned: _Returned, value: InstanceValue, boundary: BoundaryCall, linker: Linker
) -> tuple[Lookup, str] | None:
    """Where a function looks for an object in a container that it does not put it into, and the error."""
    frame, source = returned.frame, source_tree(returned.frame.module.code)
    if source is None:
        return None
    names = with_aliases(source, returned.span, returned.name)
    for lookup in (each for name in names for each in lookups(source, returned.span, name)):
        if any(puts_into(source, returned.span, lookup.container, each) for each in names):
            continue
        for traced in linker.evaluate(_expression(lookup.container, frame), frame):
            held = traced.value
            error = lookup.error(held.kind) if isinstance(held, ContainerValue) else None
            if error is None or not isinstance(held, ContainerValue):
                continue
            is_there = lookup.is_sure_of_itself and not returned.is_passed_on
            if is_there or _holds(held, lookup, value, frame, boundary, linker):
                return lookup, error
    return None


def _expression(container: ast.expr, frame: Frame) -> Expr:
    """What a container is that is written as a name or an attribute."""
    first, *names = dotted(container).split(".")
    value = frame.function.variables.get(first) or Name(_NOWHERE, first)
    if frame.function.parameter(first) is not None and first not in frame.function.variables:
        value = Parameter(_NOWHERE, first, frame.function.qualname)
    for name in names:
        value = Attribute(_NOWHERE, value, name)
    return value


def _holds(
    held: ContainerValue, lookup: Lookup, value: InstanceValue, frame: Frame, boundary: BoundaryCall, linker: Linker
) -> bool:
    """Whether a container has the objects that are sent."""
    if held.kind != "dict":
        within = (each.value for slot in held.slots for each in linker.evaluate(slot.value, slot.frame))
        return any(isinstance(each, InstanceValue) and each.call is value.call for each in within)
    source = source_tree(frame.module.code)
    if source is None or frame is not boundary.frame or not isinstance(lookup.container, ast.Name):
        return False
    sent = {
        ast.unparse(each)
        for node in source.nodes_within(boundary.call.span)
        if isinstance(node, ast.Call) and source.span(node) == boundary.call.span
        for each in node.args[1:]
    }
    return any(each in sent for each in keys_from(source, frame.function.span, lookup.container.id))
