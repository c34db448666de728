"""What a pickle may name again: entries of its memo, and strings."""

from __future__ import annotations

from lintpickle.saved_files.bounds import MEMO, ReadingBudget
from lintpickle.saved_files.records import Global
from lintpickle.saved_files.values import Kind, Made, Value

_SPARSE = 100_000
_OVERHEAD = 150
"""Bytes that a remembered string takes besides its own."""


class StringMemo:
    """Strings of a file, each kept once, as long as there is room."""

    def __init__(self, budget: ReadingBudget) -> None:
        self._budget = budget
        self._known: dict[bytes, str] = {}

    def word(self, data: bytes, encoding: str) -> Value:
        """A string; `Kind.FORGOTTEN` where there is no room for it, None if it cannot be decoded."""
        known = self._known.get(data)
        if known is not None:
            return known
        if self._budget.words < 0:
            return Kind.FORGOTTEN
        try:
            text = data.decode(encoding, "surrogatepass" if encoding == "utf-8" else "strict")
        except UnicodeDecodeError:
            return None
        self._budget.words -= len(data) + _OVERHEAD
        self._known[data] = text
        return text


class Memo:
    """A memo that keeps only what a name can be made of, or an array's dtype, and knows which entries there are."""

    def __init__(self) -> None:
        self._kept: dict[int, Value] = {}
        self._dense = 0
        """All entries below it are there."""
        self._sparse: set[int] = set()
        self._is_full = False

    def append(self, value: Value) -> None:
        """MEMOIZE: the entry after as many as there are."""
        self.put(self._dense + len(self._sparse), value)

    def put(self, index: int, value: Value) -> None:
        self._enter(index)
        if isinstance(value, (str, Global)) or (isinstance(value, Made) and value.of) or value is Kind.FORGOTTEN:
            if len(self._kept) < MEMO or index in self._kept:
                self._kept[index] = value
            else:
                self._is_full = True
        elif index in self._kept:
            del self._kept[index]

    def has(self, index: int) -> bool:
        return index < self._dense or index in self._sparse or len(self._sparse) >= _SPARSE

    def get(self, index: int) -> Value:
        found = self._kept.get(index)
        return Kind.FORGOTTEN if found is None and self._is_full else found

    def _enter(self, index: int) -> None:
        if index == self._dense:
            self._dense += 1
            while self._dense in self._sparse:
                self._sparse.discard(self._dense)
                self._dense += 1
        elif index > self._dense and len(self._sparse) < _SPARSE:
            self._sparse.add(index)
