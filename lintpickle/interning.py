"""Interning: equal values are stored once."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, TypeVar

_Value = TypeVar("_Value", bound=Hashable)


class Same:
    """One of all values that are equal, so that they take the memory of one."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}

    def of(self, value: _Value) -> _Value:
        """The first value that was equal."""
        known: _Value = self._known.setdefault(value, value)
        return known
