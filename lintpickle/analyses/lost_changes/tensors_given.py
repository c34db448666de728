"""Tensors and torch modules that a process is given as it starts and changes, and that the main process, or another
process, uses afterwards."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.lost_changes.argument_changes import read_behind
from lintpickle.analyses.lost_changes.shared_tensors import SharedKind, SharedPart, shared_parts
from lintpickle.analyses.lost_changes.tensor_changes import where_changed
from lintpickle.analyses.lost_changes.ways_to_tensors import Shared
from lintpickle.analyses.lost_changes.written_arguments import call_as_written
from lintpickle.analyses.workers.several_workers import loop_around
from lintpickle.boundaries.boundary_call import ITSELF, BoundaryCall
from lintpickle.catalog import INITIALIZER
from lintpickle.facts.values import Attribute, Collection, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import FunctionValue, InstanceValue, Site
from lintpickle.parsing.syntax import arguments_of, dotted
from lintpickle.payload.entry_arguments import parameter_at
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_KINDS = frozenset({"process", "pool", "executor"})
_GIVEN = {"process": "args", "pool": "initargs", "executor": "initargs"}
_INITIAL_PLACES = {"pool": 2, "executor": 3}


class SharedChange(Struct, frozen=True):
    """Where a function of workers changes what others have, too, how the code that starts the workers writes that, and
    who uses it afterwards."""

    function: WorkerFunction
    site: Site
    name: str
    kind: SharedKind
    reader: str


class _Given(Struct, frozen=True, eq=False):
    """What a function gets of which a part is shared, and how that is written where the workers are started."""

    shared: Shared
    function: WorkerFunction
    name: str


def shared_changes(code: WorkerCode, linker: Linker) -> Iterator[SharedChange]:
    """The changes in the workers of a boundary that others see, unless it forks; each thing once."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS or not boundary.frame.module.first_party:
        return
    if linker.boundaries.starting.is_never_forked(boundary):
        return
    told: set[str] = set()
    start = given_at(boundary, linker)
    for given in _given(code, boundary, start, linker):
        function, name = given.function, given.name
        if name in told:
            continue
        changed = where_changed(function.facts, function.module, function.frame, given.shared, linker)
        reader = _reader(name, start, linker) if changed is not None else None
        if changed is not None and reader is not None:
            told.add(name)
            yield SharedChange(function, changed, name, given.shared.part.kind, reader)


def given_at(boundary: BoundaryCall, linker: Linker) -> BoundaryCall:
    """The call by which the workers get what they are given as they start: for a task, that which makes its pool."""
    makers = [each for each in linker.makers_of(boundary) if each.spec.only_starts]
    return makers[0] if len(makers) == 1 else boundary


def _given(code: WorkerCode, boundary: BoundaryCall, start: BoundaryCall, linker: Linker) -> Iterator[_Given]:
    entries = [each for each in code.functions if each.entry and each.module.first_party]
    if not entries:
        return
    if boundary.spec.kind != "process":
        yield from _by_initializer(entries, start, linker)
    elif ITSELF in boundary.payload:
        yield from _by_constructor(entries, boundary, linker)
    else:
        for place, written, part in _parts_given(boundary, linker):
            for function in entries:
                name = parameter_at(place, function.facts, boundary.spec)
                if name is not None:
                    yield _Given(Shared(name, part), function, _named(written, part))
        yield from _by_method(entries, boundary, linker)


def _parts_given(boundary: BoundaryCall, linker: Linker) -> Iterator[tuple[int, str, SharedPart]]:
    """What is shared of the arguments, by their places, and how they are written."""
    role = _GIVEN[boundary.spec.kind]
    bound = boundary.arguments.get(role)
    held = without_narrowing(bound.expr) if bound is not None and bound.expr is not None else None
    written = _written(boundary, role)
    if bound is None or bound.frame is None or written is None or not isinstance(held, Collection):
        return
    if len(held.elements) == len(written):
        for place, (element, name) in enumerate(zip(held.elements, written, strict=True)):
            for part in shared_parts(element, bound.frame, linker) if name else ():
                yield place, name, part


def _written(boundary: BoundaryCall, role: str) -> list[str] | None:
    """The names that stand in a tuple of arguments; "" for what is none."""
    call = call_as_written(boundary.call, boundary.frame)
    if call is None:
        return None
    place = _INITIAL_PLACES.get(boundary.spec.kind)
    given = [each.value for each in call.keywords if each.arg == role]
    given += call.args[place : place + 1] if place is not None else []
    return [dotted(each) for each in given[0].elts] if given and isinstance(given[0], ast.Tuple | ast.List) else None


def _by_method(entries: list[WorkerFunction], boundary: BoundaryCall, linker: Linker) -> Iterator[_Given]:
    """What the object holds whose method is the target."""
    bound = boundary.arguments.get("target")
    target = without_narrowing(bound.expr) if bound is not None and bound.expr is not None else None
    call = call_as_written(boundary.call, boundary.frame)
    written = next((each.value for each in call.keywords if each.arg == "target"), None) if call is not None else None
    if not isinstance(target, Attribute) or not isinstance(written, ast.Attribute) or bound is None:
        return
    holder, frame = dotted(written.value), bound.frame
    methods = [traced.value for traced in linker.evaluate(target, frame)] if holder and frame is not None else []
    for method in methods:
        if isinstance(method, FunctionValue) and isinstance(method.bound, InstanceValue) and frame is not None:
            parts = list(shared_parts(target.base, frame, linker))
            for function in entries:
                if function.facts is method.facts and function.facts.parameters:
                    me = function.facts.parameters[0].name
                    yield from (_Given(Shared(me, each), function, _named(holder, each)) for each in parts)


def _by_constructor(entries: list[WorkerFunction], boundary: BoundaryCall, linker: Linker) -> Iterator[_Given]:
    """What an object of a class of processes keeps of the arguments that it is made with."""
    call = call_as_written(boundary.call, boundary.frame)
    objects = [traced.value for traced in linker.evaluate(boundary.call, boundary.frame)]
    if call is None or len(objects) != 1 or not isinstance(objects[0], InstanceValue):
        return
    given = arguments_of(call)
    if len(given) != len(boundary.call.arguments):
        return
    for held in linker.classes.states.state(objects[0]):
        kept = without_narrowing(held.value)
        source = held.frame.bindings.get(kept.name) if isinstance(kept, Parameter) and held.direct else None
        for node, argument in zip(given, boundary.call.arguments, strict=True):
            if source is None or source.expr is not argument.value or not dotted(node):
                continue
            for part in shared_parts(argument.value, boundary.frame, linker):
                inner = SharedPart((held.attribute, *part.path), part.kind, part.value)
                for function in entries:
                    if function.facts.parameters:
                        me = function.facts.parameters[0].name
                        yield _Given(Shared(me, inner), function, _named(dotted(node), part))


def _by_initializer(entries: list[WorkerFunction], maker: BoundaryCall, linker: Linker) -> Iterator[_Given]:
    """What the initializer of a pool puts into a global, by which tasks find it."""
    if "initargs" not in maker.arguments:
        return
    found = [traced.value for traced in maker.value(INITIALIZER, linker.evaluator)]
    if len(found) != 1 or not isinstance(found[0], FunctionValue):
        return
    initializer = found[0]
    for place, written, part in _parts_given(maker, linker):
        parameter = parameter_at(place, initializer.facts, maker.spec)
        for name in initializer.facts.globals_declared if parameter is not None else ():
            kept = re.compile(rf"^[ \t]*{re.escape(name)}[ \t]*=[ \t]*{parameter}[ \t]*$", re.MULTILINE)
            span = initializer.facts.span
            if kept.search(initializer.module.code, span.start, span.end):
                for function in entries:
                    if function.module is initializer.module:
                        yield _Given(Shared(name, part), function, _named(written, part))


def _named(holder: str, part: SharedPart) -> str:
    return ".".join((holder, *part.path))


def _reader(name: str, boundary: BoundaryCall, linker: Linker) -> str | None:
    """Who uses afterwards what is shared: the main process, or other processes that are given the same."""
    frame = boundary.frame
    read = read_behind(name, frame, boundary.call.span.end, boundary, linker)
    if read is not None:
        return read
    return "the other processes" if _is_given_to_others(name.partition(".")[0], boundary) else None


def _is_given_to_others(root: str, boundary: BoundaryCall) -> bool:
    """Whether a loop gives the same to one process after the other."""
    loop = loop_around(boundary.site)
    if loop is None or boundary.spec.kind != "process":
        return False
    code = boundary.frame.module.code
    begin = code.rfind("\n", 0, loop.start)
    begin = code.rfind("\n", 0, begin) if begin > 0 else 0
    bound = re.compile(
        rf"\bfor\b[^:\n]*\b{re.escape(root)}\b[^:\n]*\bin\b|(?<![\w.]){re.escape(root)}\s*(?::[^=\n]+)?=(?!=)"
    )
    return bound.search(code, max(begin, 0), loop.end) is None
