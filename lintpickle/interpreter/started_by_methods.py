"""Processes that one method of an object makes and keeps on it, and another one starts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.control_flow.paths import Paths
from lintpickle.control_flow.steps import BranchStep
from lintpickle.facts.methods import methods_holding
from lintpickle.facts.records import Called, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Collection, Comprehension, Expr, Item, may_be, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, Frame, InstanceValue
from lintpickle.interpreter.own_events import is_the_object

_START = "start"
_STARTS = re.compile(r"\.\s*start\s*\(")


class _Kept(Struct, frozen=True):
    """The attribute that keeps a process, itself or in a list."""

    attribute: str
    in_list: bool


def is_started_first(process: Call, other: Call, frame: Frame) -> bool:
    """Whether a process that a method makes and keeps has been started when the other one is that it makes and keeps:
    another method of the object starts both, this one first, or all of the list in which both are."""
    me = frame.function.parameters[0].name if frame.function.parameters else ""
    bound = frame.bindings.get(me)
    if bound is None or not isinstance(bound.value, InstanceValue):
        return False
    mine, theirs = (frozenset(_kept(each, frame.function, me)) for each in (process, other))
    if not mine or not theirs:
        return False
    class_ = bound.value.class_
    methods = methods_holding(class_.facts.methods, _STARTS, class_.module.code)
    return any(
        _starts_first(mine, theirs, method, class_, is_one_call=process is other)
        for method in methods
        if method is not frame.function and method.parameters
    )


def _kept(process: Call, maker: FunctionFacts, me: str) -> Iterator[_Kept]:
    for event in maker.events:
        match event:
            case Store(target=target, attribute=name, value=value) if is_the_object(target, me):
                if may_be(value, process):
                    yield _Kept(name, False)
                elif _is_in_display(value, process):
                    yield _Kept(name, True)
            case ItemStore(target=Attribute(base=base, name=name), value=value) if is_the_object(base, me):
                if may_be(value, process):
                    yield _Kept(name, True)
            case _:
                pass


def _is_in_display(value: Expr, process: Call) -> bool:
    match without_narrowing(value):
        case Comprehension(element=element):
            return may_be(element, process)
        case Collection(elements=elements):
            return any(may_be(element, process) for element in elements)
        case _:
            return False


def _starts_first(
    mine: frozenset[_Kept], theirs: frozenset[_Kept], method: FunctionFacts, class_: ClassValue, is_one_call: bool
) -> bool:
    ways = Paths(class_.module, method.span)
    firsts, seconds = list(_starts(mine, method)), list(_starts(theirs, method))
    if any(each in mine and each.in_list for each in theirs) and firsts:
        return True  # When the second one of the list is started, the first one has been.
    if is_one_call:
        return False
    return any(first < second and _leads_on(first, second, ways) for first in firsts for second in seconds)


def _leads_on(first: int, second: int, ways: Paths) -> bool:
    """Whether every run that gets to the second place has been at the first one, if what loops go through is not empty,
    and no process lives that is asked whether it does: `if not self.reader.is_alive(): self.reader.start()`."""
    return all(isinstance(step.node, ast.For) or _is_taken_at_first(step) for step in ways.steps_beyond(first, second))


def _is_taken_at_first(step: BranchStep) -> bool:
    return bool(step.conditions) and all(_says_alive(test) is (not holds) for test, holds in step.conditions)


def _says_alive(test: ast.expr) -> bool | None:
    """Whether a test holds of a process that lives (True), or of one that does not; None if it asks for something
    else."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            said = _says_alive(inner)
            return None if said is None else not said
        case ast.Call(func=ast.Attribute(attr="is_alive"), args=[]):
            return True
        case _:
            return None


def _starts(kept: frozenset[_Kept], method: FunctionFacts) -> Iterator[int]:
    """Where a method starts what its object keeps in some attributes."""
    me = method.parameters[0].name
    for event in method.events:
        match event:
            case Called(span=span, call=Call(function=Attribute(base=started, name=name))) if name == _START:
                if any(_is_kept(without_narrowing(started), each, me) for each in kept):
                    yield span.start
            case _:
                pass


def _is_kept(value: Expr, kept: _Kept, me: str) -> bool:
    held = without_narrowing(value.base) if isinstance(value, Item) and kept.in_list else value
    is_item = isinstance(value, Item) is kept.in_list
    return is_item and isinstance(held, Attribute) and held.name == kept.attribute and is_the_object(held.base, me)
