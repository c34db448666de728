"""Partial objects of `functools`, and what they call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.facts.values import Expr
from lintpickle.interpreter.abstract_values import ContainerValue, TracedValue
from lintpickle.interpreter.protocols import Interpreter

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
