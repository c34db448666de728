"""What a pickle's stack holds, as far as it matters: names, what was made of them, and containers by their kind."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from lintpickle.saved_files.records import Global

TUPLE_ITEMS = 9
"""Tuples of so many items are kept: as many as the state of a NumPy dtype has."""
SHAPE_ITEMS = 64
"""Tuples of integers may be longer: as many as a NumPy array has dimensions."""
TUPLE_DEPTH = 3
"""So many tuples are kept inside of one another."""


class Kind(Enum):
    """An object of which only the type matters."""

    LIST = "list"
    DICT = "dict"
    SET = "set"
    FORGOTTEN = "a string that is not remembered any more"


class Made:
    """An object that calling `maker` has given, a global's path. `of` are the first arguments, `state` what BUILD gave
    it; both are kept for NumPy dtypes only."""

    __slots__ = ("maker", "of", "state")

    def __init__(self, maker: str, of: tuple[Value, ...] = ()) -> None:
        self.maker = maker
        self.of = of
        self.state: tuple[Value, ...] = ()


class Fields(dict[str, "Value"]):
    """The state of joblib's wrapper of an array: a dictionary that is followed."""


Value: TypeAlias = "bool | int | str | Global | Made | Kind | Fields | tuple[Value, ...] | None"
"""None is anything else."""


def made_tuple(items: list[Value]) -> Value:
    """A tuple as it is kept; a longer one is not."""
    if len(items) > SHAPE_ITEMS or (len(items) > TUPLE_ITEMS and not all(isinstance(item, int) for item in items)):
        return None
    return tuple(None if _depth(item) >= TUPLE_DEPTH else item for item in items)


def _depth(value: Value) -> int:
    return 1 + max(map(_depth, value), default=0) if isinstance(value, tuple) else 0
