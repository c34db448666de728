"""A row: one entry of a catalog file, as it is written there."""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct


class Row(Struct, frozen=True):
    """One entry of a catalog file: its table ("product"), its keys, and its place."""

    table: str
    values: Mapping[str, Any]
    file: str
    number: int

    def names(self, key: str) -> tuple[str, ...]:
        """A key that holds one name or several, as several."""
        value = self.values.get(key, ())
        return (value,) if isinstance(value, str) else tuple(value)

    def paths(self, key: str) -> Iterator[str]:
        """The names of a key, each prefixed with each `module` of the row, if it has any."""
        names = self.names(key)
        modules = self.names("module")
        if not modules:
            yield from names
        for module in modules:
            for name in names:
                yield f"{module}.{name}"

    @property
    def is_own(self) -> bool:
        """Whether it is from a file of the user's: it does not ship with lintpickle."""
        return os.path.dirname(self.file) != os.path.dirname(__file__)
