"""The editor's texts, kept in step with it.

pygls splits lines with `str.splitlines`, which also splits at form feeds and other characters that no editor takes
for a line end, and so corrupts such documents at the first edit; therefore changes are applied here.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.workspace import TextDocument, Workspace

from lintpickle.server.positions import Units
from lintpickle.source.lines import LineIndex


class EditorText(TextDocument):
    """A text that changes as the protocol says: rows end at `\\r\\n`, `\\r` or `\\n` and nowhere else.

    One that the editor has not opened is empty: pygls would read whatever its URI names, a device too.
    """

    @property
    def source(self) -> str:
        return self._source or ""

    @property
    def lines(self) -> Sequence[str]:
        index = LineIndex(self.source)
        starts = [index.row_span(row).start for row in range(1, index.row_count + 1)]
        rows = [self.source[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]
        return tuple(row for row in rows if row)

    def apply_change(self, change: lsp.TextDocumentContentChangeEvent) -> None:
        if not isinstance(change, lsp.TextDocumentContentChangePartial):
            self._source = change.text
            return
        units = Units(encoding_name(self.position_codec.encoding))
        index = LineIndex(self.source)
        start, end = units.offset(index, change.range.start), units.offset(index, change.range.end)
        self._source = self.source[:start] + change.text + self.source[max(start, end) :]


class EditorWorkspace(Workspace):
    """A workspace of `EditorText`s."""

    def _create_text_document(
        self, doc_uri: str, source: str | None = None, version: int | None = None, language_id: str | None = None
    ) -> EditorText:
        return EditorText(
            doc_uri,
            source=source,
            version=version,
            language_id=language_id,
            sync_kind=self._sync_kind,
            position_codec=self._position_codec,
        )

    def update_text_document(
        self, text_doc: lsp.VersionedTextDocumentIdentifier, change: lsp.TextDocumentContentChangeEvent
    ) -> None:
        """Change an open text; a change of any other means nothing."""
        if unquote(text_doc.uri) in self.text_documents:
            super().update_text_document(text_doc, change)

    def update_notebook_document(self, params: lsp.DidChangeNotebookDocumentParams) -> None:
        """Change an open notebook; a change of any other means nothing."""
        if unquote(params.notebook_document.uri) in self.notebook_documents:
            super().update_notebook_document(params)


def encoding_name(encoding: lsp.PositionEncodingKind | str | None) -> str:
    """ "utf-8", "utf-16" or "utf-32"."""
    return str(getattr(encoding, "value", encoding) or "utf-16")
