"""Where functions of workers fill an array that they, or an object which they are given, have from the main process."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.changed_arguments import changes_in_place, parameters_given
from lintpickle.analyses.lost_changes.shared_views import SHOWING
from lintpickle.analyses.workers.parts_given import GivenPart
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts, ItemStore
from lintpickle.facts.values import (
    Attribute,
    Call,
    Choice,
    Expr,
    Item,
    Parameter,
    Sum,
    parameter_name,
    rooted,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import Frame, FunctionValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_DEPTH = 3
_SENDING = frozenset({"put", "put_nowait", "send", "send_bytes", "save"})


class Filling(Struct, frozen=True):
    """Where a function of workers fills an array, and how it writes that."""

    function: WorkerFunction
    written: str
    span: Span


class _Had(Struct, frozen=True):
    """An array as a function has it: as a parameter, or by attributes of what that holds."""

    parameter: str
    path: tuple[str, ...]

    def is_shown_by(self, value: Expr) -> bool:
        """Whether an expression is the array, a part of it, or another form of it."""
        inner = without_narrowing(value)
        match inner:
            case Choice(options=options):  # Of two variables that a loop swaps, one option is not known.
                known = [each for each in options if type(each) is not Expr]
                return bool(known) and all(map(self.is_shown_by, known))
            case Item(base=base):
                return self.is_shown_by(base)
            case Sum(parts=(first, *others)) if not others or others[-1].span == inner.span:  # `rows += other`
                return self.is_shown_by(first)
            case Call(function=Attribute(base=base, name=name)) if name in SHOWING:
                return self.is_shown_by(base)
            case Attribute(base=base, name="T"):
                return self.is_shown_by(base)
            case _ if not self.path:
                return parameter_name(inner) == self.parameter
            case _:
                return self.rest_of(inner) == ()

    def rest_of(self, value: Expr) -> tuple[str, ...] | None:
        """The attributes that lead from an expression to the array; None if they do not."""
        root, names = rooted(without_narrowing(value))
        is_it = isinstance(root, Parameter) and root.name == self.parameter and self.path[: len(names)] == names
        return self.path[len(names) :] if is_it else None

    @property
    def written(self) -> str:
        return ".".join((self.parameter, *self.path))


def where_filled_in_worker(given: GivenPart, code: WorkerCode, linker: Linker) -> Filling | None:
    """The first place where a function that is given an array fills it, or one that it calls; None if none does, or if
    it sends the array back."""
    had = _Had(given.parameter, given.path)
    facts = given.function.facts
    if any(map(had.is_shown_by, _sent(facts))) or any(had.rest_of(each) is not None for each in _sent(facts)):
        return None
    return _filled(given.function, given.function.frame, had, code, linker, _DEPTH)


def _sent(function: FunctionFacts) -> Iterator[Expr]:
    yield from (*function.returns, *function.yields)
    for event in function.events:
        match event:
            case Called(call=Call(function=Attribute(name=name), arguments=arguments)) if name in _SENDING:
                yield from (each.value for each in arguments)
            case _:
                pass


def _filled(
    function: WorkerFunction, frame: Frame, had: _Had, code: WorkerCode, linker: Linker, depth: int
) -> Filling | None:
    for event in function.facts.events:
        match event:
            case ItemStore(target=target) if had.is_shown_by(target):
                return Filling(function, had.written, event.span)
            case Called(call=call) if changes_in_place(call, frame, had.is_shown_by, True, linker):
                return Filling(function, had.written, event.span)
            case Called(call=call) if depth and had.path:
                for called, home, handed in _handed(call, frame, had, code, linker):
                    found = _filled(called, home, handed, code, linker, depth - 1)
                    if found is not None:
                        return found
            case _:
                pass
    return None


def _handed(
    call: Call, frame: Frame, had: _Had, code: WorkerCode, linker: Linker
) -> Iterator[tuple[WorkerFunction, Frame, _Had]]:
    """The functions that get an object with the array by a call, as the object of a method or as an argument."""
    of_object = had.rest_of(call.function.base) if isinstance(call.function, Attribute) else None
    rests = [had.rest_of(each.value) for each in call.arguments]
    if not of_object and not any(rests):
        return
    for traced in linker.evaluate(call.function, frame):
        called = traced.value
        running = [each for each in code.functions if isinstance(called, FunctionValue) and each.facts is called.facts]
        inner = linker.evaluator.enter(called, call, frame) if isinstance(called, FunctionValue) and running else None
        if inner is None or not isinstance(called, FunctionValue):
            continue
        if of_object and called.bound is not None and called.facts.parameters:
            yield running[0], inner, _Had(called.facts.parameters[0].name, of_object)
        for name in parameters_given(call, called, lambda value: bool(had.rest_of(value))):
            bound = inner.bindings.get(name)
            rest = had.rest_of(bound.expr) if bound is not None and bound.expr is not None else None
            if rest:
                yield running[0], inner, _Had(name, rest)
