"""From offsets to rows and columns, and back, with the line ends of Python itself."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from lintpickle.diagnostics import Position, Span

_NEWLINE = re.compile(r"\r\n|\r|\n")


class LineIndex:
    r"""The rows of one text. Rows end at `\r\n`, `\r` or `\n` and nowhere else (`str.splitlines` also splits
    at form feeds and U+2028). A text that ends with a newline has one last, empty row; the empty text has
    one row.

    Offsets count code points from 0; rows and columns count from 1. The index is built on first use.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in _NEWLINE.finditer(self._text))]

    @property
    def row_count(self) -> int:
        return len(self._starts)

    def row(self, offset: int) -> int:
        """The row of an offset. Raises ValueError when the offset is outside the text."""
        if not 0 <= offset <= len(self._text):
            raise ValueError(f"offset {offset} is outside a text of {len(self._text)} code points")
        return bisect_right(self._starts, offset)

    def position(self, offset: int) -> Position:
        """The row and column of an offset. Raises ValueError when the offset is outside the text."""
        row = self.row(offset)
        return Position(row, offset - self._starts[row - 1] + 1)

    def offset(self, position: Position) -> int:
        """The offset of a position. A column behind the row's newline means the end of the row's content.

        Raises ValueError when there is no such row, or the column is less than 1.
        """
        if position.column < 1:
            raise ValueError(f"columns count from 1, not {position.column}")
        content = self.row_span(position.row)
        offset = content.start + position.column - 1
        return offset if offset < self._row_limit(position.row) else content.end

    def offset_of_ast(self, row: int, column: int) -> int:
        """The offset of a place as `ast` tells it: the row, and how many bytes of UTF-8 stand before it there. Raises
        ValueError when there is no such row."""
        start = self.row_span(row).start
        before = self._text[start : start + column]
        if before.isascii():
            return start + len(before)
        return start + len(before.encode(errors="replace")[:column].decode(errors="replace"))

    def row_span(self, row: int) -> Span:
        """The content of a row, without its newline. Raises ValueError when there is no such row."""
        if not 1 <= row <= len(self._starts):
            raise ValueError(f"row {row} is outside a text of {len(self._starts)} rows")
        start, end = self._starts[row - 1], self._row_limit(row)
        if row < len(self._starts):
            end -= 2 if self._text[end - 2 : end] == "\r\n" else 1
        return Span(start, end)

    def row_text(self, row: int) -> str:
        """The content of a row as text, without its newline. Raises ValueError when there is no such row."""
        span = self.row_span(row)
        return self._text[span.start : span.end]

    def _row_limit(self, row: int) -> int:
        return self._starts[row] if row < len(self._starts) else len(self._text)
