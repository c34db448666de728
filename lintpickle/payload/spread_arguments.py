"""How many arguments `starmap` gives each task: as many as the tuples have that it goes through, and no others."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.values import Call, Collection, Comprehension, Expr, Sum, ending_name, without_narrowing
from lintpickle.interpreter.abstract_values import AbstractValue, Bound, ContainerValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.frames import Arguments
from lintpickle.interpreter.iterators import some_element

_ROWS = frozenset({"tuple", "list"})
_WRITTEN_OUT = (Collection, Comprehension)
_ZIP = "zip"


def with_all_spread(arguments: Arguments, boundary: BoundaryCall, evaluator: Evaluator) -> Arguments:
    """The arguments of the function that a boundary calls, as far as they are known; if all tuples are seen that it
    spreads, and have as many parts, it is given that many: other parameters have their defaults."""
    counts = set(_counts(boundary, evaluator)) if boundary.spec.spreads and arguments.open else set()
    match [*counts]:
        case [int(count)] if count >= len(arguments.positional):
            unknown = [Bound()] * (count - len(arguments.positional))
            return Arguments((*arguments.positional, *unknown), arguments.keywords, False)
        case _:
            return arguments


def _counts(boundary: BoundaryCall, evaluator: Evaluator) -> Iterator[int | None]:
    """How many parts each of the elements has that a boundary goes through; None of one of which that is not known."""
    for name in boundary.spec.elements:
        rows = boundary.arguments.get(name)
        if rows is None or rows.expr is None or rows.frame is None:
            yield None
            continue
        for part in _added(rows.expr):
            if not _is_written_out(part):
                yield None
            yield from (_count(traced.value) for traced in evaluator.evaluate(some_element(part), rows.frame))


def _count(row: AbstractValue) -> int | None:
    match row:
        case ContainerValue(kind=kind, slots=slots) if kind in _ROWS:
            return len(slots) if [slot.key.item for slot in slots] == [*range(len(slots))] else None
        case _:
            return None


def _is_written_out(value: Expr) -> bool:
    return isinstance(value, _WRITTEN_OUT) or (isinstance(value, Call) and ending_name(value.function) == _ZIP)


def _added(value: Expr) -> Iterator[Expr]:
    """The containers that are added to one another, or the one that an expression is."""
    inner = without_narrowing(value)
    if isinstance(inner, Sum):
        yield from (each for part in inner.parts for each in _added(part))
    else:
        yield inner
