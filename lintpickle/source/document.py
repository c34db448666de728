"""One file as the rest of lintpickle sees it: text, positions, cells, and the way back to bytes."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from lintpickle import disk
from lintpickle.diagnostics import Edit, LintpickleError, Location, Position, Span
from lintpickle.fixes.edits import apply_edits
from lintpickle.profiling import Part, running
from lintpickle.source.comment_lines import without_comment_lines
from lintpickle.source.decoding import UnreadableSource, codec_name, coding_cookie, decode_json, decode_python
from lintpickle.source.layout import Layout, scan_layout
from lintpickle.source.lines import LineIndex
from lintpickle.source.notebook import (
    BadNotebook,
    BrokenCell,
    Cell,
    cell_source,
    read_notebook,
    replace_sources,
)

__all__ = [
    "Cell",
    "Code",
    "Document",
    "LineIndex",
    "UnreadableSource",
    "decode_document",
    "document_from_text",
    "read_document",
]


class Code(Protocol):
    """The text of a file from which its outline and facts are made."""

    @property
    def path(self) -> str:
        """The absolute path of the file."""

    @property
    def code(self) -> str:
        """The text that parsers get, as in `Document`."""


class Document(Struct, frozen=True, dict=True):
    """A decoded file.

    `path` is absolute. `text` is what spans and edits refer to: the file's text without its byte order mark
    and with its newlines as they are, or, for a notebook, its Python cells joined. `code` is what a parser
    gets, of the same length: `text` itself, or the cells with magics masked. `encoding` is Python's name of
    the codec and `bom` the byte order mark found (or empty). `odd` is the file's bytes, where they are not simply
    the text in UTF-8. `cells` is None for a plain file. `broken` are the cells that `code` leaves out.
    """

    path: str
    text: str
    code: str
    encoding: str
    bom: bytes
    odd: bytes | None
    cells: tuple[Cell, ...] | None = None
    broken: tuple[BrokenCell, ...] = ()

    @property
    def raw(self) -> bytes:
        """The file's bytes."""
        return self.bom + self.text.encode() if self.odd is None else self.odd

    @cached_property
    def lines(self) -> LineIndex:
        """Rows of `text`; for a notebook they count through all its cells."""
        return LineIndex(self.text)

    @cached_property
    def statements(self) -> str:
        """`code` with spaces in place of comment lines, as far as these are found reliably."""
        return self.code if self.cells is not None else without_comment_lines(self.code)

    @cached_property
    def layout(self) -> Layout:
        """Comments and logical lines of `code`; no logical line reaches over the end of a cell."""
        return scan_layout(self.code, self.cell_spans)

    @cached_property
    def cell_spans(self) -> tuple[Span, ...]:
        """The spans of the cells in `text`; for a plain file, one span of the whole text."""
        return (Span(0, len(self.text)),) if self.cells is None else tuple(cell.span for cell in self.cells)

    def cell_at(self, offset: int) -> Cell | None:
        """The cell that holds an offset (at a border, the one that starts there), or None in a plain file."""
        if not self.cells:
            return None
        index = bisect_right(self.cells, offset, key=lambda cell: cell.span.start) - 1
        return self.cells[max(index, 0)]

    def position(self, offset: int) -> Position:
        """The position of an offset into `text`; in a notebook, rows count from the start of its cell.

        Raises ValueError when the offset is outside the text.
        """
        return self._in_cell(offset, self.cell_at(offset))

    def location(self, span: Span) -> Location:
        """The location of a span of `text`, with its cell; an end at a cell's border belongs to the same
        cell.
        """
        cell = self.cell_at(span.start)
        start, end = self._in_cell(span.start, cell), self._in_cell(span.end, cell)
        return Location(self.path, start, end, None if cell is None else cell.number)

    def offset(self, position: Position, cell: int | None = None) -> int:
        """The offset into `text` of a position, whose row counts from the start of cell number `cell` if
        given.

        Raises ValueError when there is no such row or cell.
        """
        row = self.joined_row(position.row, cell)
        return self.lines.offset(Position(row, position.column))

    def joined_row(self, row: int, cell: int | None = None) -> int:
        """The row of `lines` for a row of a cell. Raises ValueError when there is no such cell."""
        if cell is None:
            return row
        for candidate in self.cells or ():
            if candidate.number == cell:
                return self.lines.row(candidate.span.start) + row - 1
        raise ValueError(f"{self.path} has no Python cell {cell}")

    def noqa_row(self, offset: int) -> int:
        """The row at whose end a suppression comment for this offset may be: the last of its logical line. Rows count
        as in `position`."""
        line = self.layout.logical_line(offset)
        return self._in_cell(offset if line is None else line.end, self.cell_at(offset)).row

    def encode(self, text: str) -> bytes:
        """The new text of a plain file in this file's encoding and with its byte order mark. Raises LintpickleError if
        the encoding cannot represent a character."""
        try:
            return self.bom + text.encode(self.encoding)
        except UnicodeEncodeError as error:
            where = LineIndex(text).position(error.start)
            raise LintpickleError(
                f"{self.path}:{where.row}:{where.column}: {text[error.start]!r} cannot be written in the "
                f"file's encoding, {self.encoding}; convert the file to UTF-8"
            ) from None

    def rebuild(self, cell_texts: Sequence[str]) -> bytes:
        """A notebook's bytes with new texts for all its `cells`, in order, each as it stands in `text`.

        Everything but the changed rows is the same, byte for byte.
        """
        if self.cells is None or len(cell_texts) != len(self.cells):
            raise ValueError(f"{self.path} takes one text for each of its cells")
        new = {cell.number: cell_source(cell, text) for cell, text in zip(self.cells, cell_texts, strict=True)}
        return self.encode(replace_sources(decode_json(self.raw, self.path).text, new))

    def edited(self, edits: Sequence[Edit]) -> Document:
        """The file after edits of `text`, as it would be read again. Raises what `encode_edits` raises, and ValueError
        if a notebook's cells would not have just that text."""
        if not edits:
            return self
        text = apply_edits(self.text, edits)
        if self.cells is None:
            return document_from_text(text, self.path)
        after = decode_document(self.encode_edits(edits), self.path)
        if after.text != text:
            raise ValueError(f"{self.path}: the cells do not have the text that the edits make")
        return after

    def encode_edits(self, edits: Sequence[Edit]) -> bytes:
        """The file's bytes after edits of `text`, for plain files and notebooks.

        Edits must not overlap nor cross the border of a cell (ValueError). Raises LintpickleError when the
        result cannot be written in the file's encoding.
        """
        if self.cells is not None:
            return self.rebuild(self._edited_cells(self.cells, edits))
        if self.encoding != "utf-8" and self.encode(self.text) != self.raw:
            raise LintpickleError(
                f"{self.path}: decoding and encoding {self.encoding} does not give the same bytes again; "
                f"convert the file to UTF-8"
            )
        return self.encode(apply_edits(self.text, edits))

    def _edited_cells(self, cells: tuple[Cell, ...], edits: Sequence[Edit]) -> list[str]:
        if edits and not cells:
            raise ValueError(f"{self.path} has no cell to edit")
        texts: list[str] = []
        for cell in cells:
            start, end = cell.span.start, cell.span.end
            local = [
                Edit(Span(edit.span.start - start, edit.span.end - start), edit.content)
                for edit in edits
                if self.cell_at(edit.span.start) == cell
            ]
            texts.append(apply_edits(self.text[start:end], local))
        return texts

    def _in_cell(self, offset: int, cell: Cell | None) -> Position:
        where = self.lines.position(offset)
        if cell is None:
            return where
        return Position(where.row - self.lines.row(cell.span.start) + 1, where.column)


def read_document(path: str | Path) -> Document:
    """Read a file from disk. Raises `UnreadableSource`, also when the file itself cannot be opened."""
    absolute = os.path.abspath(path)  # Path.absolute keeps ".."
    with running(Part.READ, absolute):
        try:
            raw = disk.read(absolute)
        except OSError as error:
            raise UnreadableSource(absolute, 1, 1, f"the file cannot be read: {error.strerror or error}") from None
        return decode_document(raw, absolute)


def decode_document(raw: bytes, path: str) -> Document:
    """The document of a file's bytes; a path that ends in `.ipynb` means a notebook. Raises
    `UnreadableSource`.
    """
    if not path.endswith(".ipynb"):
        plain = decode_python(raw, path)
        odd = raw if plain.encoding != "utf-8" else None
        return Document(path, plain.text, plain.text, plain.encoding, plain.bom, odd)
    json_text = decode_json(raw, path)
    try:
        notebook = read_notebook(json_text.text)
    except BadNotebook as error:
        where = LineIndex(json_text.text).position(error.offset)
        raise UnreadableSource(path, where.row, where.column, error.reason) from None
    nul = notebook.text.find("\0")
    if nul >= 0:
        raise UnreadableSource(path, 1, 1, "a cell holds a NUL character, which Python does not accept")
    return Document(path, notebook.text, notebook.code, "utf-8", json_text.bom, raw, notebook.cells, notebook.broken)


def document_from_text(text: str, path: str) -> Document:
    """The document of text that is already decoded (an editor's buffer, a string); for `.ipynb`, of its JSON.

    Its `raw` bytes are the text in the encoding that it declares, or UTF-8. Raises `UnreadableSource`.
    """
    raw = text.encode("utf-8", errors="surrogatepass")
    encoding = "utf-8" if path.endswith(".ipynb") else codec_name(coding_cookie(raw)[0]) or "utf-8"
    if encoding == "utf-8":
        return decode_document(raw, path)
    try:
        return decode_document(text.encode(encoding), path)
    except UnicodeError:
        return Document(path, text, text, encoding, b"", raw)
