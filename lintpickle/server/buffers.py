"""What is open in the editor, as documents that can be analysed: files, and notebooks by their cells."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lsprotocol import types as lsp
from msgspec import Struct
from pygls.uris import to_fs_path

from lintpickle.diagnostics import Location, Position, Span
from lintpickle.server.positions import Units
from lintpickle.source.document import Document, UnreadableSource, document_from_text
from lintpickle.source.lines import LineIndex

_BOM = "\ufeff"


class Buffer(Struct, frozen=True):
    """An open file or notebook.

    `uri` is the client's name of it, and `path` ours (made up for a document that was never saved). `document` is
    what it holds now; where that cannot be read, `problem` says why. `cells` are the URIs of all cells of a notebook,
    in order. `versions` are the client's version numbers by URI (of the cells, for a notebook).
    """

    uri: str
    path: str
    versions: dict[str, int | None]
    document: Document | None
    problem: UnreadableSource | None = None
    cells: tuple[str, ...] | None = None
    marked: bool = False
    """Whether the client's text starts with a byte order mark, which `document.text` leaves out."""

    def uri_of(self, cell: int | None) -> str:
        """The URI of the text that a location of this buffer is in."""
        if self.cells is None or cell is None or not 1 <= cell <= len(self.cells):
            return self.uri
        return self.cells[cell - 1]

    @property
    def text_uris(self) -> tuple[str, ...]:
        """The URIs that diagnostics are published for."""
        return (self.uri,) if self.cells is None else self.cells


def file_buffer(uri: str, path: str, text: str, version: int | None) -> Buffer:
    """The buffer of an open text document."""
    marked = text.startswith(_BOM)
    try:
        document = document_from_text(text, path)
    except UnreadableSource as error:
        return Buffer(uri, path, {uri: version}, None, error, marked=marked)
    return Buffer(uri, path, {uri: version}, document, marked=marked)


class CellText(Struct, frozen=True):
    """A cell as the client holds it."""

    uri: str
    text: str
    version: int | None
    is_code: bool
    language: str


def notebook_buffer(uri: str, path: str, cells: Sequence[CellText]) -> Buffer:
    """The buffer of an open notebook. `path` must end in `.ipynb`."""
    versions = {cell.uri: cell.version for cell in cells}
    uris = tuple(cell.uri for cell in cells)
    sources = [
        {
            "cell_type": "code" if cell.is_code else "markdown",
            "source": cell.text,
            "metadata": {"vscode": {"languageId": cell.language}},
        }
        for cell in cells
    ]
    try:
        document = document_from_text(json.dumps({"cells": sources, "metadata": {}}), path)
    except UnreadableSource as error:
        return Buffer(uri, path, versions, None, error, cells=uris)
    return Buffer(uri, path, versions, document, cells=uris)


def buffer_path(uri: str, folder: Path, suffix: str = "") -> str:
    """The absolute path that a URI stands for; for what is no file (an untitled document, an empty URI, a folder, a
    device, a name that no file can have), one in `folder` that nothing has."""
    parts = urlsplit(uri)
    path = to_fs_path(uri) if parts.scheme in ("file", "") else None
    if path and "\0" not in path and (os.path.isfile(path) or not os.path.exists(path)):
        return os.path.abspath(path)
    name = Path(unquote(parts.path).replace("\0", "")).name or "untitled"
    return str(folder / (name if not suffix or name.endswith(suffix) else name + suffix))


def uri_of_path(path: str) -> str:
    """The file URI of an absolute path."""
    return Path(path).as_uri()


def lsp_range(buffer: Buffer | None, document: Document, location: Location, units: Units) -> lsp.Range:
    """The protocol's range of a location in a document, which `buffer` holds if it is open. Cells count their own rows.

    A location outside of the document, which is newer than the location, is moved into it.
    """
    return lsp.Range(
        _position(buffer, document, location.start, location.cell, units),
        _position(buffer, document, location.end, location.cell, units),
    )


def _position(
    buffer: Buffer | None, document: Document, position: Position, cell: int | None, units: Units
) -> lsp.Position:
    try:
        text = document.lines.row_text(document.joined_row(position.row, cell))
    except ValueError:
        text = ""
    column = units.width(text[: position.column - 1])
    if position.row == 1 and buffer is not None and buffer.marked:
        column += units.width(_BOM)
    return lsp.Position(position.row - 1, column)


def span_range(buffer: Buffer, span: Span, units: Units) -> lsp.Range:
    """The protocol's range of a span of an open plain file."""
    assert buffer.document is not None
    return lsp_range(buffer, buffer.document, buffer.document.location(span), units)


def offset_at(buffer: Buffer, uri: str, position: lsp.Position, units: Units) -> int | None:
    """The offset into `buffer.document.text` of a position of the client in the text `uri` (a cell, in a notebook).
    None for a cell that is not part of the program."""
    document = buffer.document
    if document is None:
        return None
    if buffer.cells is None:
        if buffer.marked and position.line == 0:
            position = lsp.Position(0, max(position.character - units.width(_BOM), 0))
        return units.offset(document.lines, position)
    number = buffer.cells.index(uri) + 1 if uri in buffer.cells else 0
    for cell in document.cells or ():
        if cell.number == number:
            text = document.text[cell.span.start : cell.span.end]
            return cell.span.start + units.offset(LineIndex(text), position)
    return None
