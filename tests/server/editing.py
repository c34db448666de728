"""What an editor does with text edits, written apart from the server's own arithmetic."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lsprotocol import types as lsp

_ROW = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def applied(text: str, edits: Iterable[lsp.TextEdit], encoding: str) -> str:
    """The text after edits whose columns count code units of `encoding`."""
    rows = [*_ROW.findall(text), ""]
    codec, size = _CODECS[encoding]

    def offset(position: lsp.Position) -> int:
        units = rows[position.line].encode(codec)[: position.character * size]
        return sum(map(len, rows[: position.line])) + len(units.decode(codec))

    places = sorted(((offset(e.range.start), offset(e.range.end), e.new_text) for e in edits), key=lambda p: p[:2])
    for start, end, new in reversed(places):
        text = text[:start] + new + text[end:]
    return text
