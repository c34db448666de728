"""Methods that fill an empty list, dict or set, and that workers are given as their task: `pool.map(titles.append, …)`.

A bound method is pickled with its object, and a forked process has a copy of all. Measured with CPython 3.11 under
fork and spawn, for `map`, `apply_async`, `submit` and `Process(target=…)`: the container of the main process is as
empty afterwards as it was before.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.lost_changes.argument_changes import read_behind
from lintpickle.analyses.lost_changes.filling_methods import FILLS, boundary_given_methods, is_empty_container
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.catalog import INITIALIZER
from lintpickle.facts.values import Attribute, Call, Expr, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import Frame, FunctionValue, InstanceValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode


class FillingTask(Struct, frozen=True):
    """The method of a container that workers are given to call, where it is named, and the container. `reader` is what
    reads that in the main process later."""

    site: Site
    given: str
    container: str
    reader: str


class _Task(Struct, frozen=True):
    """The methods of which a task is one, the frame in which they have a meaning, and the name of the object that has
    made them, if one has; and the frame and the place behind which the workers have started."""

    methods: tuple[Attribute, ...]
    home: Frame
    owner: str
    frame: Frame
    behind: int


def filling_tasks(code: WorkerCode, linker: Linker) -> Iterator[FillingTask]:
    """The methods of empty containers that are the task of workers, where the main process reads the containers
    later."""
    boundary = boundary_given_methods(code)
    if boundary is None:
        return
    for role in boundary.spec.functions:
        given = boundary.arguments.get(role)
        if role == INITIALIZER or given is None or given.expr is None or given.frame is None:
            continue
        kept = _kept(given.expr, given.frame, linker)
        tasks = (_task(value, frame, _behind(boundary, frame), linker) for value, frame in kept)
        for task in (each for each in tasks if each is not None):
            found = [*_filled(task, boundary, linker)]
            if found and len(found) == len(task.methods):
                yield found[0]
                return


def _kept(value: Expr, frame: Frame, linker: Linker) -> Iterator[tuple[Expr, Frame]]:
    """What an expression stands for, if it is an attribute of an object of the program: what the constructor has stored
    there (`stage.handler`), each with its frame; else itself."""
    attribute, count = without_narrowing(value), 0
    for traced in linker.evaluate(attribute.base, frame) if isinstance(attribute, Attribute) else ():
        assert isinstance(attribute, Attribute)
        if not isinstance(traced.value, InstanceValue):
            continue
        held = [each for each in linker.classes.states.state(traced.value) if each.attribute == attribute.name]
        if len(held) != 1 or not held[0].direct:
            continue
        stored, home = without_narrowing(held[0].value), held[0].frame
        bound = home.bindings.get(stored.name) if isinstance(stored, Parameter) else None
        count += 1
        if bound is not None and bound.expr is not None and bound.frame is not None:
            yield bound.expr, bound.frame
        else:
            yield stored, home
    if not count:
        yield value, frame


def _behind(boundary: BoundaryCall, frame: Frame) -> int:
    """The place behind which workers have started in a function: where it calls the one that starts them, or else its
    end, as it is over then."""
    starter, behind = boundary.frame, boundary.call.span.end
    while starter.function is not frame.function:
        if starter.called_by is None:
            return frame.function.span.end
        starter, call = starter.called_by
        behind = call.span.end
    return behind


def _task(value: Expr, frame: Frame, behind: int, linker: Linker) -> _Task | None:
    """The methods that an expression stands for: it names one, gets one of a caller, or calls a method of the program
    that returns some."""
    value = without_narrowing(value)
    match value:
        case Attribute():
            return _Task((value,), frame, "", frame, behind)
        case Parameter(name=name) if frame.called_by is not None and name in frame.bindings:
            caller, call = frame.called_by
            bound = frame.bindings[name]
            if bound.expr is None or bound.frame is not caller:
                return None
            return _task(bound.expr, caller, call.span.end, linker)
        case Call(function=Attribute(span=span, name=name)):
            return _returned(value, frame.module.code[span.start : span.end].rpartition(".")[0], frame, behind, linker)
        case _:
            return None


def _returned(call: Call, owner: str, frame: Frame, behind: int, linker: Linker) -> _Task | None:
    match [each.value for each in linker.evaluate(call.function, frame)]:
        case [FunctionValue(bound=InstanceValue()) as function] if function.module.first_party:
            inner = linker.evaluator.enter(function, call, frame)
            returned = [*map(without_narrowing, function.facts.returns)]
            methods = tuple(each for each in returned if isinstance(each, Attribute))
            if inner is not None and methods and len(methods) == len(returned) and owner.isidentifier():
                return _Task(methods, inner, owner, frame, behind)
        case _:
            pass
    return None


def _filled(task: _Task, boundary: BoundaryCall, linker: Linker) -> Iterator[FillingTask]:
    for method in task.methods:
        if method.name not in FILLS or not is_empty_container(method.base, task.home, linker):
            continue
        written = task.home.module.code[method.span.start : method.span.end]
        container = named = written.rpartition(".")[0].strip()
        if task.owner:
            me, _, attribute = container.partition(".")
            parameters = [each.name for each in task.home.function.parameters]
            if not attribute.isidentifier() or parameters[:1] != [me]:
                continue
            named = f"{task.owner}.{attribute}"
        reader = read_behind(named, task.frame, task.behind, boundary, linker, task.home)
        if reader is not None:
            yield FillingTask(Site(task.home.module, method.span), written, container, reader)
