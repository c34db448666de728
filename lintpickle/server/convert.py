"""Diagnostics and fixes in the protocol's words."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from lsprotocol import types as lsp
from msgspec import Struct

from lintpickle.diagnostics import Applicability, Diagnostic, Edit, Location, Severity, Span, Step
from lintpickle.report.common import whole_message
from lintpickle.rulebook.summaries import rule_url
from lintpickle.rules.unused_suppression import UnusedSuppressionRule
from lintpickle.server.buffers import Buffer, lsp_range, uri_of_path
from lintpickle.server.client import Client
from lintpickle.server.live_project import BufferResult
from lintpickle.server.positions import Units
from lintpickle.server.shifting import common_end, common_start
from lintpickle.source.document import Document, decode_document
from lintpickle.source.notebook import Cell
from lintpickle.suppressions.ignore_edits import add_ignore_edit

SOURCE = "lintpickle"

_SEVERITIES = {Severity.ERROR: lsp.DiagnosticSeverity.Error, Severity.WARNING: lsp.DiagnosticSeverity.Warning}

Edits = dict[str, list[lsp.TextEdit]]
"""Edits by the URI of the text."""


class ClientFinding(Struct, frozen=True):
    """A diagnostic, how the client sees it, and in which text. `id` is the same for as long as the diagnostic stays,
    whatever its place."""

    id: str
    uri: str
    diagnostic: Diagnostic
    shown: lsp.Diagnostic


class Shown(Struct, frozen=True):
    """A result as the client sees it."""

    buffer: Buffer
    findings: tuple[ClientFinding, ...]
    whole: bool

    def of_text(self, uri: str) -> list[lsp.Diagnostic]:
        """The diagnostics of one text, in order."""
        return [finding.shown for finding in self.findings if finding.uri == uri]

    def same_as(self, other: Shown | None) -> bool:
        """Whether the client would see no difference."""
        return other is not None and [(f.uri, f.shown) for f in self.findings] == [
            (f.uri, f.shown) for f in other.findings
        ]


class ClientConverter:
    """Converts for one client. `buffer_of` finds the open buffer of a path, `document_of` the document of any file."""

    def __init__(
        self,
        client: Client,
        units: Units,
        buffer_of: Callable[[str], Buffer | None],
        document_of: Callable[[str], Document | None],
    ) -> None:
        self._client = client
        self._units = units
        self._buffer_of = buffer_of
        self._document_of = document_of

    def shown(self, result: BufferResult, show_syntax_errors: bool) -> Shown:
        """A result as the client sees it."""
        findings = []
        seen: Counter[str] = Counter()
        for diagnostic in result.diagnostics:
            if diagnostic.code == "LP900" and not show_syntax_errors:
                continue
            key = hashlib.sha256(f"{diagnostic.code}\0{diagnostic.message}".encode("utf-8", "replace")).hexdigest()[:12]
            identity = f"{diagnostic.code}-{key}-{seen[key]}"
            seen[key] += 1
            uri = result.buffer.uri_of(diagnostic.location.cell)
            if result.buffer.cells and diagnostic.location.cell is None:
                uri = result.buffer.cells[0]
            findings.append(
                ClientFinding(identity, uri, diagnostic, self._diagnostic(diagnostic, identity, result.buffer))
            )
        return Shown(result.buffer, tuple(findings), result.whole)

    def _diagnostic(self, diagnostic: Diagnostic, identity: str, buffer: Buffer) -> lsp.Diagnostic:
        client = self._client
        message = whole_message(diagnostic)
        if diagnostic.trail and not client.related_information:
            message += "".join(f"\n  {self._step_line(step)}" for step in diagnostic.trail)
        unused = diagnostic.code == UnusedSuppressionRule.code
        return lsp.Diagnostic(
            range=self._range(diagnostic.location, buffer),
            severity=_SEVERITIES[diagnostic.severity],
            code=diagnostic.code,
            code_description=self._description(diagnostic) if client.code_description else None,
            source=SOURCE,
            message=message,
            tags=[lsp.DiagnosticTag.Unnecessary] if unused and client.tags else None,
            related_information=[self._related(each) for each in (*diagnostic.trail, *diagnostic.related)] or None
            if client.related_information
            else None,
            data=self._data(diagnostic, identity, buffer) if client.data else None,
        )

    def _description(self, diagnostic: Diagnostic) -> lsp.CodeDescription:
        return lsp.CodeDescription(href=rule_url(diagnostic.code, diagnostic.name))

    def _data(self, diagnostic: Diagnostic, identity: str, buffer: Buffer) -> dict[str, object]:
        fix = diagnostic.fix
        data: dict[str, object] = {
            "id": identity,
            "name": diagnostic.name,
            "confidence": diagnostic.confidence.value,
            "startMethods": [method.value for method in diagnostic.start_methods],
            "error": diagnostic.error,
            "help": diagnostic.help,
        }
        if fix is not None:
            edits = [
                {"uri": uri, "range": _plain(edit.range), "newText": edit.new_text}
                for uri, texts in self.edits(buffer, fix.edits).items()
                for edit in texts
            ]
            data["fix"] = {"title": fix.message, "applicability": fix.applicability.value, "edits": edits}
        return data

    def _range(self, location: Location, buffer: Buffer | None) -> lsp.Range:
        document = buffer.document if buffer is not None else self._document_of(location.path)
        if document is None:
            start = lsp.Position(location.start.row - 1, location.start.column - 1)
            return lsp.Range(start, start)
        return lsp_range(buffer, document, location, self._units)

    def _related(self, step: Step) -> lsp.DiagnosticRelatedInformation:
        location = step.location
        buffer = self._buffer_of(location.path)
        if buffer is not None:
            uri, where = buffer.uri_of(location.cell), self._range(location, buffer)
        elif location.cell is not None:  # a closed notebook: no client can show a place in it
            origin = lsp.Position(0, 0)
            uri, where = uri_of_path(location.path), lsp.Range(origin, origin)
        else:
            uri, where = uri_of_path(location.path), self._range(location, None)
        return lsp.DiagnosticRelatedInformation(lsp.Location(uri, where), step.message)

    def _step_line(self, step: Step) -> str:
        cell = f" cell {step.location.cell}" if step.location.cell is not None else ""
        return f"{Path(step.location.path).name}{cell}:{step.location.start.row}: {step.message}"

    def edits(self, buffer: Buffer, edits: Sequence[Edit]) -> Edits:
        """Edits of a buffer's document in the protocol's words."""
        document = buffer.document
        if document is None or not edits:
            return {}
        if buffer.cells is not None:
            return self._notebook_edits(buffer, document, edits)
        return {
            buffer.uri: [
                lsp.TextEdit(lsp_range(buffer, document, document.location(edit.span), self._units), edit.content)
                for edit in edits
            ]
        }

    def _notebook_edits(self, buffer: Buffer, document: Document, edits: Sequence[Edit]) -> Edits:
        """One edit for each cell that changes: what the file would be after the edits, compared with what it is."""
        after = decode_document(document.encode_edits(edits), document.path)
        new = {cell.number: _source(after, cell) for cell in after.cells or ()}
        found: Edits = {}
        for cell in document.cells or ():
            old, text = _source(document, cell), new.get(cell.number, "")
            if old == text:
                continue
            first = common_start(old, text)
            last = common_end(old, text, min(len(old), len(text)) - first)
            span = Span(cell.span.start + first, cell.span.start + len(old) - last)
            where = lsp_range(buffer, document, _in_cell(document, cell, span), self._units)
            found[buffer.uri_of(cell.number)] = [lsp.TextEdit(where, text[first : len(text) - last])]
        return found

    def ignore_edits(self, buffer: Buffer, diagnostic: Diagnostic) -> Edits:
        """The edits that write a comment which hides a diagnostic; none where no comment can stand."""
        if buffer.document is None:
            return {}
        location = diagnostic.location
        edit = add_ignore_edit(buffer.document, location.start.row, [diagnostic.code], cell=location.cell)
        return {} if edit is None else self.edits(buffer, (edit,))

    def workspace_edit(self, buffer: Buffer, edits: Edits) -> lsp.WorkspaceEdit:
        """The edits as the client can take them: with the version that they are for, if it knows versions."""
        if not self._client.document_changes:
            return lsp.WorkspaceEdit(changes=dict(edits))
        return lsp.WorkspaceEdit(
            document_changes=[
                lsp.TextDocumentEdit(
                    lsp.OptionalVersionedTextDocumentIdentifier(uri=uri, version=buffer.versions.get(uri)), texts
                )
                for uri, texts in edits.items()
            ]
        )


def fix_title(diagnostic: Diagnostic) -> str:
    """How a quick fix is offered."""
    fix = diagnostic.fix
    assert fix is not None
    label = " (unsafe: may change behaviour)" if fix.applicability is Applicability.UNSAFE else ""
    return f"{SOURCE} ({diagnostic.code}): {fix.message}{label}"


def _source(document: Document, cell: Cell) -> str:
    text = document.text[cell.span.start : cell.span.end]
    return text[:-1] if cell.padded else text


def _in_cell(document: Document, cell: Cell, span: Span) -> Location:
    """The location of a span of a cell, also of an empty one at its end."""
    first = document.lines.row(cell.span.start)
    start, end = document.lines.position(span.start), document.lines.position(span.end)
    return Location(
        document.path,
        type(start)(start.row - first + 1, start.column),
        type(end)(end.row - first + 1, end.column),
        cell.number,
    )


def _plain(value: lsp.Range) -> dict[str, dict[str, int]]:
    return {
        "start": {"line": value.start.line, "character": value.start.character},
        "end": {"line": value.end.line, "character": value.end.character},
    }
