"""Writing comments that suppress diagnostics: `# lintpickle: ignore[...]` at the end of a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from lintpickle.diagnostics import Diagnostic, Edit, Span
from lintpickle.source.directives import DirectiveKind, directives_on_row
from lintpickle.source.document import Document


class IgnoreEdits(Struct, frozen=True):
    """Edits that write suppression comments, in order, and the diagnostics for which there is no place."""

    edits: tuple[Edit, ...]
    left: tuple[Diagnostic, ...]


def add_ignore_edits(document: Document, diagnostics: Iterable[Diagnostic], reason: str | None = None) -> IgnoreEdits:
    """Suppress diagnostics of a document, one comment for each row (for `--add-ignore`)."""
    wanted: dict[int, list[Diagnostic]] = {}
    left: list[Diagnostic] = []
    for diagnostic in diagnostics:
        row = _comment_row(document, document.lines.row(diagnostic.span.start))
        if row is None:
            left.append(diagnostic)
        else:
            wanted.setdefault(row, []).append(diagnostic)
    edits = []
    for row, group in sorted(wanted.items()):
        edit = _ignore_edit(document, row, sorted({item.code for item in group}), reason)
        if edit is not None:
            edits.append(edit)
    return IgnoreEdits(tuple(edits), tuple(left))


def add_ignore_edit(
    document: Document, row: int, codes: Sequence[str], reason: str | None = None, cell: int | None = None
) -> Edit | None:
    """The edit that writes `# lintpickle: ignore[...]` for diagnostics that start on a row (of a notebook's
    cell).

    It goes to the end of the row, into lintpickle's comment there if there is one, or to the end of the
    logical line when the row ends with a backslash or in a string. None when there is no place for a
    comment, or nothing to add.
    """
    target = _comment_row(document, document.joined_row(row, cell))
    return None if target is None else _ignore_edit(document, target, codes, reason)


def _comment_row(document: Document, row: int) -> int | None:
    """The row whose end can hold a comment for `row`, both in the joined text."""
    content = document.lines.row_span(row)
    line = document.layout.logical_line(content.end)
    if line is None:
        return None
    end = content.end if content.end in document.layout.open_ends else line.end
    target = document.lines.row(end)
    span = document.lines.row_span(target)
    code = document.code[span.start : span.end]
    has_code = code.strip()[:1] not in ("", "#")
    is_python = code == document.text[span.start : span.end]
    return target if has_code and is_python and end in document.layout.open_ends else None


def _ignore_edit(document: Document, row: int, codes: Sequence[str], reason: str | None) -> Edit | None:
    for directive in directives_on_row(document, row):
        if directive.kind is DirectiveKind.IGNORE:
            present = {name.text.upper() for name in directive.names}
            new = [code for code in codes if code.upper() not in present]
            if directive.blanket or not new:
                return None
            place = directive.names[-1].span.end if directive.names else directive.span.end - 1
            return Edit(Span(place, place), ", " * bool(directive.names) + ", ".join(new))
    content = document.lines.row_span(row)
    kept = document.text[content.start : content.end].rstrip()
    comment = f"  # lintpickle: ignore[{', '.join(codes)}]"
    if reason:
        comment += " " + " ".join(reason.split())
    return Edit(Span(content.start + len(kept), content.end), comment)
