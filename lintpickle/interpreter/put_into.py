"""What functions put into the containers that they are given: `fill(table)`, where `fill` does `table["f"] = f`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lintpickle.facts.records import Called, ItemStore
from lintpickle.facts.values import Call, Expr, Parameter, PutInto, without_narrowing
from lintpickle.interpreter.abstract_values import (
    SOME_ITEM,
    ContainerValue,
    Frame,
    FunctionValue,
    Site,
    Slot,
    TracedValue,
)
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.slots import slot_key


def put_into(value: PutInto, frame: Frame, evaluator: Interpreter) -> Iterator[TracedValue]:
    """A container with what a call puts into the one that it is given; nothing if it puts nothing there, or if what is
    called is not a function of the program."""
    held = without_narrowing(value.held)
    slots = tuple(_slots(value.call, frame, lambda given: given is held, evaluator))
    if slots:
        kind = "dict" if slots[0].key != SOME_ITEM else "list"
        yield TracedValue(ContainerValue(kind, slots), Site(frame.module, value.span))


def _slots(call: Call, frame: Frame, is_it: Callable[[Expr], bool], evaluator: Interpreter) -> Iterator[Slot]:
    for traced in evaluator.evaluate(call.function, frame):
        callee = traced.value
        if not isinstance(callee, FunctionValue) or callee.opaque or callee.facts.is_generator:
            continue
        inner = evaluator.enter(callee, call, frame)
        names = inner.given(frame, is_it) if inner is not None else []
        if inner is None or not names or frame.is_active(callee.facts):
            continue

        def is_parameter(given: Expr, names: list[str] = names) -> bool:
            given = without_narrowing(given)
            return isinstance(given, Parameter) and given.name in names

        for event in callee.facts.events:
            match event:
                case ItemStore(target=target, key=key, value=stored) if is_parameter(target):
                    if evaluator.conditions.may_get_to(event.span, inner):
                        yield Slot(slot_key(key) or SOME_ITEM, stored, inner)
                case Called(call=next_call) if any(is_parameter(each.value) for each in next_call.arguments):
                    if evaluator.conditions.may_get_to(event.span, inner):
                        yield from _slots(next_call, inner, is_parameter, evaluator)
                case _:
                    pass
