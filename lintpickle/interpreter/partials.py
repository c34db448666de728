"""Partial objects of `functools`, and what they call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.facts.values import Call, Expr
from lintpickle.interpreter.abstract_values import Bound, ContainerValue, Frame, Slot, SlotKey, TracedValue
from lintpickle.interpreter.frames import expand
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.slots import kept

PARTIAL = "functools.partial"
"""The kind of the container that stands for one."""


def without_partials(
    values: Iterable[TracedValue], evaluator: Interpreter, inside: tuple[Expr, ...] = ()
) -> Iterator[TracedValue]:
    """Values, with what they call in the place of partial objects, however many are around it. `inside` are the
    functions of the partial objects around the values: one may be bound anew to the name of what it wraps
    (`load = partial(load, path)`)."""
    for traced in values:
        match traced.value:
            case ContainerValue(kind=kind, slots=(target, *_)) if kind == PARTIAL:
                if target.value not in inside:
                    called = evaluator.evaluate(target.value, target.frame)
                    yield from without_partials(called, evaluator, (*inside, target.value))
            case _:
                yield traced


def kept_by_partial(call: Call, frame: Frame, evaluator: Interpreter) -> tuple[Slot, ...]:
    """What a partial object keeps of the arguments of the call that makes it; of `*arguments` and `**options`, what
    they hold, if all of that is in sight."""
    given = expand(call, frame, evaluator) if call.has_unknown_arguments() else None
    if given is None or given.open or given.optional:
        return tuple(kept(call, frame))
    placed = [(SlotKey(item=place), each) for place, each in enumerate(given.positional)]
    named = [(SlotKey(attribute=name), each) for name, each in given.keywords.items()]
    slots = [_slot(key, each) for key, each in (*placed, *named)]
    return tuple(each for each in slots if each is not None) if None not in slots else tuple(kept(call, frame))


def _slot(key: SlotKey, bound: Bound) -> Slot | None:
    return Slot(key, bound.expr, bound.frame) if bound.expr is not None and bound.frame is not None else None
