"""Parts of an array that shows shared memory and that workers are given, of which they get copies, and fill these:
`pool.map(relax, [grid[:5], grid[5:]])`, also where a function yields the parts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.values import resolves_to
from lintpickle.analyses.lost_changes.argument_changes import ArgumentChanged, read_by_parent
from lintpickle.analyses.lost_changes.shared_views import SPLITTING, View, shared_view
from lintpickle.analyses.lost_changes.views_given import where_filled
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import (
    Argument,
    Attribute,
    Call,
    Choice,
    Collection,
    Expr,
    Item,
    Mapping,
    Parameter,
    ending_name,
    whole_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import Frame, InstanceValue
from lintpickle.parsing.assigned import variable_of
from lintpickle.payload.entry_arguments import parameter_at
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_KINDS = frozenset({"process", "pool", "executor", "spawn"})
_ARGUMENTS = "args"
_ROLE = re.compile(r"args\[(\d+)\]|iterables?(?:\[(\d+)\])?")
_SENDING = frozenset({"put", "put_nowait", "send", "save", "append"})
_COPYING = frozenset({"astype", "copy", "flatten", "ravel", "reshape", "tobytes", "tolist", "view"})
_MAKING = frozenset({"array", "asarray", "ascontiguousarray", "copy", "list", "tuple"})
"""What gives what an array holds again, as a method of it or of what it is given."""


class _Part(Struct, frozen=True):
    """What a function is given at a place; `given` is the expression by which the boundary is given it."""

    place: int
    value: Expr
    frame: Frame
    given: Expr


def parts_of_views_filled(code: WorkerCode, linker: Linker) -> Iterator[ArgumentChanged]:
    """Such arrays that the code which starts the workers reads later."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS or not boundary.frame.module.first_party:
        return
    entries = [each for each in code.functions if each.entry and each.module.first_party]
    for part in _parts(boundary, linker) if entries else ():
        for function in entries:
            parameter = parameter_at(part.place, function.facts, boundary.spec)
            if parameter is None or _is_sent_back(parameter, function.facts):
                continue
            span = where_filled(parameter, False, function, linker)
            holder = _holder(part, boundary, linker) if span is not None else None
            reader = read_by_parent(holder, boundary, linker) if holder is not None else None
            if span is not None and holder is not None and reader is not None:
                yield ArgumentChanged(function, parameter, holder, span, reader, View.MEMORY)


def _is_sent_back(parameter: str, function: FunctionFacts) -> bool:
    """Whether a function returns or sends what a parameter holds, or a copy of that."""
    sent = [
        argument.value
        for event in function.events
        if isinstance(event, Called) and ending_name(event.call.function) in _SENDING
        for argument in event.call.arguments
    ]
    return any(_holds(each, parameter) for each in (*function.returns, *function.yields, *sent))


def _holds(value: Expr, parameter: str) -> bool:
    match whole_of(value):
        case Parameter(name=name):
            return name == parameter
        case Choice(options=held) | Collection(elements=held):
            return any(_holds(each, parameter) for each in held)
        case Mapping(items=items):
            return any(_holds(each, parameter) for _, each in items)
        case Call(function=Attribute(base=base, name=name)) if name in _COPYING and _holds(base, parameter):
            return True
        case Call(function=function, arguments=(Argument(value=given), *_)):
            return ending_name(function) in _MAKING and _holds(given, parameter)
        case _:
            return False


def _parts(boundary: BoundaryCall, linker: Linker) -> Iterator[_Part]:
    """The arguments that are parts of something, and the elements of what is mapped."""
    for role, bound in boundary.arguments.items():
        found = _ROLE.fullmatch(role)
        given, frame = bound.expr, bound.frame
        if given is None or frame is None:
            continue
        if role == _ARGUMENTS:
            inner = without_narrowing(given)
            elements = inner.elements if isinstance(inner, Collection) else ()
            yield from (_Part(place, each, frame, each) for place, each in enumerate(elements) if _is_part(each))
        elif found is not None and found[1] is not None:
            yield from (_Part(int(found[1]), each, frame, each) for each in (given,) if _is_part(each))
        elif found is not None:
            yield from _mapped(int(found[2] or 0), given, frame, boundary, linker)


def _is_part(value: Expr) -> bool:
    return isinstance(without_narrowing(value), Item)


def _mapped(place: int, given: Expr, frame: Frame, boundary: BoundaryCall, linker: Linker) -> Iterator[_Part]:
    split = without_narrowing(given)
    if isinstance(split, Call) and resolves_to(split.function, frame, linker, SPLITTING):
        yield from (_Part(place, each, frame, each) for each in (split.positional() or ())[:1])
    for traced in linker.evaluate(given, frame):
        for slot in linker.evaluator.elements(traced.value):
            element = without_narrowing(slot.value) if slot.value is not None else None
            if element is None or slot.frame is None:
                continue
            if boundary.spec.spreads:
                parts = element.elements if isinstance(element, Collection) else ()
                yield from (_Part(at, each, slot.frame, given) for at, each in enumerate(parts))
            else:
                yield _Part(place, element, slot.frame, given)


def _holder(part: _Part, boundary: BoundaryCall, linker: Linker) -> str | None:
    """What the function that starts the workers calls the array of which something is a part, if that shows shared
    memory: a variable, or an attribute of what a variable holds."""
    whole, frame = whole_of(part.value), part.frame
    while isinstance(whole, Parameter) and frame is not boundary.frame:
        bound = frame.bindings.get(whole.name)
        if bound is None or bound.expr is None or bound.frame is None:
            return None
        whole, frame = whole_of(bound.expr), bound.frame
    if _shown(whole, frame, linker) is not View.MEMORY:
        return None
    match whole:
        case Parameter(name=name):
            return name
        case Attribute(span=span) if frame is boundary.frame:
            return frame.module.code[span.start : span.end]
        case Attribute(base=Parameter(name=me), name=name) if frame.bindings.get(me) is not None:
            receiver = _receiver(part.given, boundary)
            return f"{receiver}.{name}" if receiver is not None else None
        case _ if frame is boundary.frame:
            return variable_of(frame.module.code, whole.span, frame.function.span.start)
        case _:
            return None


def _shown(value: Expr, frame: Frame, linker: Linker) -> View | None:
    """What an array shows: one that an expression makes, that a parameter holds, or an attribute of an object."""
    match value:
        case Parameter(name=name):
            bound = frame.bindings.get(name)
            if bound is None or bound.expr is None or bound.frame is None:
                return None
            return _shown(whole_of(bound.expr), bound.frame, linker)
        case Attribute(base=base, name=name):
            owners = [traced.value for traced in linker.evaluate(base, frame)]
            if len(owners) != 1 or not isinstance(owners[0], InstanceValue):
                return None
            held = [each for each in linker.classes.states.state(owners[0]) if each.attribute == name and each.direct]
            views = {shared_view(each.value, each.frame, linker) for each in held}
            return views.pop() if len(views) == 1 else None
        case _:
            return shared_view(value, frame, linker)


def _receiver(given: Expr, boundary: BoundaryCall) -> str | None:
    """The variable of whose object a method gives the parts: `plate` of `list(plate.bands(2))`."""
    written = boundary.frame.module.expression(given.span)
    methods = (
        node.func.value
        for node in (ast.walk(written) if written is not None else ())
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    )
    names = [each.id for each in methods if isinstance(each, ast.Name)]
    return names[0] if len(set(names)) == 1 else None
