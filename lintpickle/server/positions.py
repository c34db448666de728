"""Positions of the protocol (0-based rows, columns in code units of the client's choice) and ours."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types as lsp

from lintpickle.source.lines import LineIndex

_BMP = 0xFFFF


def _utf8(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _utf16(text: str) -> int:
    return len(text) + sum(ord(character) > _BMP for character in text)


_MEASURES: dict[str, Callable[[str], int]] = {"utf-8": _utf8, "utf-16": _utf16, "utf-32": len}


class Units:
    """Columns in the code units of one encoding: "utf-8", "utf-16" or "utf-32"."""

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding
        self._measure = _MEASURES[encoding]

    def width(self, text: str) -> int:
        """How many code units a text takes."""
        return len(text) if text.isascii() else self._measure(text)

    def position(self, lines: LineIndex, offset: int) -> lsp.Position:
        """The protocol's position of an offset in code points."""
        row = lines.row(offset)
        start = lines.row_span(row).start
        return lsp.Position(row - 1, self.width(lines.row_text(row)[: offset - start]))

    def offset(self, lines: LineIndex, position: lsp.Position) -> int:
        """The offset in code points of a protocol's position. What lies outside of the text is moved to the end of the
        row, or of the text; what points into a character, to its start."""
        if position.line >= lines.row_count:
            return lines.row_span(lines.row_count).end
        span = lines.row_span(position.line + 1)
        text = lines.row_text(position.line + 1)
        if text.isascii() or self.encoding == "utf-32":
            return span.start + min(position.character, len(text))
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            if self._measure(text[:middle]) <= position.character:
                low = middle
            else:
                high = middle - 1
        return span.start + low
