"""The items that an object whose class derives from `dict`, `list` and the like is given when it is made."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.interpreter.abstract_values import Bound, Doubt, Slot, SlotKey
from lintpickle.interpreter.frames import Arguments
from lintpickle.interpreter.own_items import FACTORY, items_of
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.slots import is_mapping


def items_given(kind: str, arguments: Arguments, evaluator: Interpreter) -> Iterator[tuple[Slot, tuple[Doubt, ...]]]:
    """The items that the constructor of a container of a kind puts into it, each with what is not understood of it."""
    positional = arguments.positional
    if kind == "defaultdict":
        yield from ((slot, ()) for slot in _slot_of(FACTORY, positional[:1]))
        positional = positional[1:]
    for bound in positional[:1]:
        if bound.expr is None or bound.frame is None:
            continue
        found = evaluator.evaluate(bound.expr, bound.frame)
        doubts = (Doubt.BRANCH,) if len(found) > 1 else ()
        yield from ((slot, doubts) for traced in found for slot in items_of(traced.value, kind, evaluator))
    if is_mapping(kind):
        for name, given in arguments.keywords.items():
            doubts = (Doubt.CONDITION,) if name in arguments.optional else ()
            yield from ((slot, doubts) for slot in _slot_of(SlotKey(item=name), (given,)))


def _slot_of(key: SlotKey, given: tuple[Bound, ...]) -> Iterator[Slot]:
    for bound in given:
        if bound.expr is not None and bound.frame is not None:
            yield Slot(key, bound.expr, bound.frame)
