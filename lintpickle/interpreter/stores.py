"""What is put into an object after it was made: by the function that made it, or by statements at module level."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import (
    Call,
    Choice,
    Expr,
    Parameter,
    may_be,
)
from lintpickle.interpreter.abstract_values import ContainerValue, InstanceValue, Slot, SlotKey, TracedValue
from lintpickle.interpreter.frames import Frame
from lintpickle.program.module import Module
from lintpickle.resolution.module_containers import is_put_into

if TYPE_CHECKING:
    from lintpickle.interpreter.evaluator import Evaluator


_PARTIAL = "functools.partial"
SETTINGS = frozenset({"Namespace", "SimpleNamespace", "EasyDict"})
"""Kinds of containers whose items are attributes."""


class Stored(Struct, frozen=True, eq=False):
    """`object.attribute = value`, run in a frame."""

    event: Store
    frame: Frame


class Stores:
    """Finds what the code around a call, or in a function that is called, stores on an object, for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._known: dict[int, tuple[FunctionFacts, tuple[Store, ...]]] = {}

    def on(self, call: Call, frame: Frame) -> tuple[Stored, ...]:
        """Every store, in file order. At module level, those on a name that this call has bound last."""
        if frame.function.is_module_body:
            return tuple(self._on_variables(call, frame.module))
        return tuple(Stored(event, frame) for event in self._in(frame.function) if may_be(event.target, call))

    def on_parameter(self, name: str, frame: Frame) -> tuple[Stored, ...]:
        """Every store of a function on what one of its parameters is bound to, in file order."""
        return tuple(
            Stored(event, frame)
            for event in self._in(frame.function)
            if isinstance(event.target, Parameter) and event.target.name == name
        )

    def _in(self, function: FunctionFacts) -> tuple[Store, ...]:
        """The stores of a function on what calls give, or its callers."""
        if id(function) not in self._known:
            stores = (event for event in function.events if isinstance(event, Store))
            found = tuple(event for event in stores if isinstance(event.target, (Call, Choice, Parameter)))
            self._known[id(function)] = (function, found)
        return self._known[id(function)][1]

    def _on_variables(self, call: Call, module: Module) -> Iterator[Stored]:
        for name in module.outline.filled_at(call.span):
            for block in module.blocks_filling(name):
                for event in block.body.events:
                    if isinstance(event, Store) and is_put_into(event.target, name, call, event, module):
                        yield Stored(event, self._evaluator.module_frame(module, block.body))


def holding(traced: TracedValue, stored: tuple[Stored, ...], call: Call | None = None) -> TracedValue:
    """An object that this call gave, or (without a call) that a caller handed over, with what was stored on it then: if
    it is of a class that is read, or of a library's that keep what they are given. Of these a caller may hand over too
    many kinds: only settings count."""
    match traced.value:
        case InstanceValue() as made if made.call is not call:
            return structs.replace(traced, value=structs.replace(made, later=(*made.later, *stored)))
        case ContainerValue(call=Call(), kind=kind) as made if kind in SETTINGS or (call and kind != _PARTIAL):
            slots = made.slots
            for each in stored:
                put = Slot(SlotKey(attribute=each.event.attribute), each.event.value, each.frame)
                replaced = put.key if not each.event.conditional else None
                is_first = each.event.conditional and all(slot.key != put.key for slot in slots)
                before = (Slot(put.key, Expr(put.value.span), each.frame),) if is_first else ()
                slots = (*(slot for slot in slots if slot.key != replaced), *before, put)
            return structs.replace(traced, value=structs.replace(made, slots=slots))
        case _:
            return traced
