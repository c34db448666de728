"""Processes that one call starts, each with another function: `for each in (read, write): Process(target=each)`."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.interpreter.abstract_values import FunctionValue
from lintpickle.payload.crossings import Crossing

_PROCESS = "process"


def by_target(boundary: BoundaryCall, crossings: tuple[Crossing, ...]) -> Iterator[tuple[Crossing, ...]]:
    """What crosses at a boundary; where that starts processes with one of several functions, what crosses with each:
    all but the other functions."""
    targets = [each for each in crossings if each.path == each.role and each.role in boundary.spec.functions]
    functions = {id(each.value.facts): each for each in targets if isinstance(each.value, FunctionValue)}
    if boundary.spec.kind != _PROCESS or len(functions) < 2 or len(functions) < len(targets):
        yield crossings
        return
    for target in functions.values():
        yield tuple(each for each in crossings if each is target or each not in targets)
