"""Arrays that show shared memory and that a process is given as they stand in an object or a list, of which it gets
copies, and fills these: `Process(target=run, args=(plate.fields,))`, where `run` says `source, target = fields`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.changed_arguments import changes_in_place
from lintpickle.analyses.lost_changes.argument_changes import ArgumentChanged, read_by_parent
from lintpickle.analyses.lost_changes.shared_views import View, shared_view
from lintpickle.analyses.lost_changes.written_arguments import variable_given
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, ItemStore
from lintpickle.facts.values import (
    Attribute,
    Choice,
    Collection,
    Comprehension,
    Expr,
    Item,
    Parameter,
    whole_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import ContainerValue, Frame, InstanceValue
from lintpickle.payload.entry_arguments import parameter_at
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_LISTS = ("list", "tuple")


class _Given(Struct, frozen=True):
    """An argument: its place, whether it is a list of such arrays, and how the code that starts the process writes
    what holds it."""

    place: int
    is_list: bool
    view: View
    holder: str


def views_given_filled(code: WorkerCode, linker: Linker) -> Iterator[ArgumentChanged]:
    """Such arrays that the code which starts the process reads later."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or not boundary.frame.module.first_party:
        return
    entries = [each for each in code.functions if each.entry and each.module.first_party]
    for given in _given(boundary, linker) if entries else ():
        for function in entries:
            parameter = parameter_at(given.place, function.facts, boundary.spec)
            span = where_filled(parameter, given.is_list, function, linker) if parameter is not None else None
            reader = read_by_parent(given.holder, boundary, linker) if span is not None else None
            if parameter is not None and span is not None and reader is not None:
                yield ArgumentChanged(function, parameter, given.holder, span, reader, given.view)


def _given(boundary: BoundaryCall, linker: Linker) -> Iterator[_Given]:
    for place, (element, frame) in enumerate(boundary.written_args):
        if frame.function is not boundary.frame.function:
            return
        value = without_narrowing(element)
        whole = whole_of(value)
        named = variable_given(place, boundary)
        written = named if named is not None else frame.module.code[whole.span.start : whole.span.end]
        for held, home in _held(value, frame, linker):
            inner = _elements(held)
            views = {shared_view(each, home, linker) for each in (inner if inner is not None else [held])}
            view = views.pop() if len(views) == 1 else None
            if view is not None:
                yield _Given(place, inner is not None, view, written)
                break


def _held(value: Expr, frame: Frame, linker: Linker) -> Iterator[tuple[Expr, Frame]]:
    """What an attribute of an object holds, a variable that is a list of something, or an item of either."""
    match value:
        case Item(base=base, is_starred=False):
            for held, home in _held(without_narrowing(base), frame, linker):
                yield from ((each, home) for each in _elements(held) or ())
        case Attribute(base=base, name=name):
            owners = [traced.value for traced in linker.evaluate(base, frame)]
            if len(owners) == 1 and isinstance(owners[0], InstanceValue):
                held_there = [each for each in linker.classes.states.state(owners[0]) if each.attribute == name]
                yield from ((each.value, each.frame) for each in held_there if each.direct and len(held_there) == 1)
        case _:
            made = [traced.value for traced in linker.evaluate(value, frame)]
            if len(made) == 1 and isinstance(made[0], ContainerValue) and made[0].kind in _LISTS and made[0].slots:
                slots = made[0].slots
                if all(each.frame is slots[0].frame for each in slots):
                    yield Collection(value.span, "list", tuple(each.value for each in slots)), slots[0].frame


def _elements(held: Expr) -> tuple[Expr, ...] | None:
    """The elements of a list as it is written; None if it is none."""
    match without_narrowing(held):
        case Collection(kind=kind, elements=elements) if kind in _LISTS and elements:
            return elements
        case Comprehension(kind="list", element=element):
            return (element,)
        case _:
            return None


def where_filled(parameter: str, is_list: bool, function: WorkerFunction, linker: Linker) -> Span | None:
    """Where a function sets an item of an array that it is given as a parameter, or in that if it `is_list`, or calls
    one that does."""
    is_it = _showing(parameter, is_list)
    for event in function.facts.events:
        match event:
            case ItemStore(target=target) if is_it(target):
                return event.span
            case Called(call=call) if changes_in_place(call, function.frame, is_it, True, linker):
                return event.span
            case _:
                pass
    return None


def _showing(parameter: str, is_list: bool) -> Callable[[Expr], bool]:
    """Whether an expression is the array of a parameter, or one that its list holds, or a part of one."""

    def is_it(value: Expr) -> bool:
        inner = without_narrowing(value)
        if isinstance(inner, Choice):  # Of two variables that a loop swaps, one option is not known.
            known = [each for each in inner.options if type(each) is not Expr]
            return bool(known) and all(map(is_it, known))
        whole = whole_of(inner)
        is_given = isinstance(whole, Parameter) and whole.name == parameter
        return is_given and (isinstance(inner, Item) or not is_list)

    return is_it
