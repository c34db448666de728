"""Source frames and fix diffs for people: rows of source text with carets at the right display column."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from lintpickle.diagnostics import Edit, Fix, Location, Position, Severity, Span
from lintpickle.fixes.edits import apply_edits
from lintpickle.source.document import Document
from lintpickle.source.lines import LineIndex
from lintpickle.terminal import Style, text_width, visible

CONTEXT_ROWS = 2
LONGEST_SPAN = 6
LONGEST_ROW = 160
_CROP_BEFORE = 60


class CodeFrame(Struct, frozen=True):
    """A location shown in its source. Rows count from the start of the file, or of the notebook cell."""

    document: Document
    start: Position
    end: Position
    first_row: int
    row_count: int

    @classmethod
    def of(cls, location: Location, document: Document) -> CodeFrame | None:
        """The frame of a location in a document, or None when the document has no such place."""
        try:
            first_row = document.joined_row(1, location.cell)
        except ValueError:
            return None
        row_count = document.lines.row_count
        if location.cell is not None:
            cell = next(cell for cell in document.cells or () if cell.number == location.cell)
            row_count = document.lines.row(max(cell.span.start, cell.span.end - 1)) - first_row + 1
        if not 1 <= location.start.row <= location.end.row <= document.lines.row_count - first_row + 1:
            return None
        return cls(document, location.start, location.end, first_row, row_count)

    def text(self, row: int) -> str:
        return self.document.lines.row_text(self.first_row + row - 1)

    def rows(self) -> range:
        """The rows to show: those of the span and some around, without blank rows at the edges."""
        last_span_row = self._last_row()
        first = max(1, self.start.row - CONTEXT_ROWS)
        last = max(last_span_row, min(last_span_row + CONTEXT_ROWS, self.row_count))
        while first < self.start.row and not self.text(first).strip():
            first += 1
        while last > last_span_row and not self.text(last).strip():
            last -= 1
        return range(first, last + 1)

    def _last_row(self) -> int:
        """The last row of the span. Before the first character of a row is the end of the row above."""
        if self.end.row > self.start.row and self.end.column <= 1:
            return self.end.row - 1
        return self.end.row

    def render(self, style: Style, severity: Severity, margin: int) -> Iterator[str]:
        """The lines of the frame; row numbers take `margin` columns."""
        paint = style.error if severity is Severity.ERROR else style.warning
        empty = " " * margin + " " + style.gutter("|")
        last_row = self._last_row()
        yield empty
        if last_row == self.start.row:
            for row in self.rows():
                text, start, end = _crop(self.text(row), *self._columns(row))
                yield _numbered(row, margin, visible(text), style)
                if row == self.start.row:
                    yield f"{empty} {paint(_carets(text, start, end))}"
        else:
            yield from self._render_rows(style, paint, margin)
        yield empty

    def _columns(self, row: int) -> tuple[int, int]:
        """The half-open range of characters of a row, from 0, that the span covers."""
        length = len(self.text(row))
        start = self.start.column - 1 if row == self.start.row else 0
        end = self.end.column - 1 if row == self.end.row else length
        return min(start, length), min(max(end, start), length)

    def _render_rows(self, style: Style, paint: Callable[[str], str], margin: int) -> Iterator[str]:
        """The rows of a span over several rows, with a bar along it."""
        empty = " " * margin + " " + style.gutter("|")
        last_row = self._last_row()
        first_text = self.text(self.start.row)
        at_indent = not first_text[: self.start.column - 1].strip()
        bar = paint("|")
        elided = last_row - self.start.row + 1 > LONGEST_SPAN
        for row in self.rows():
            text, start, end = _crop(self.text(row), *self._columns(row))
            shown = visible(text)
            if row < self.start.row or row > last_row:
                yield _numbered(row, margin, f"  {shown}".rstrip(), style)
            elif row == self.start.row and at_indent:
                yield _numbered(row, margin, f"{paint('/')} {shown}", style)
            elif row == self.start.row:
                yield _numbered(row, margin, f"  {shown}", style)
                yield f"{empty} {paint(' ' + '_' * (_display_column(text, start) + 1) + '^')}"
            elif elided and self.start.row + 2 < row < last_row - 1:
                if row == self.start.row + 3:
                    yield f"{style.gutter('...')}{' ' * margin}{bar}"
            else:
                yield _numbered(row, margin, f"{bar} {shown}".rstrip(), style)
            if row == last_row:
                width = _display_column(text, max(end - 1, 0)) + 1
                yield f"{empty} {paint('|' + '_' * width + '^')}"


def _numbered(row: int, margin: int, text: str, style: Style) -> str:
    return f"{style.gutter(f'{row:>{margin}} |')} {text}".rstrip()


def _display_column(text: str, index: int) -> int:
    return text_width(visible(text[:index]))


def _carets(text: str, start: int, end: int) -> str:
    before = _display_column(text, start)
    return " " * before + "^" * max(1, _display_column(text, end) - before)


def _crop(text: str, start: int, end: int) -> tuple[str, int, int]:
    """A long row, cut down to the part around the span, with the new span."""
    if len(text) <= LONGEST_ROW:
        return text, start, end
    left = max(0, start - _CROP_BEFORE)
    right = left + LONGEST_ROW
    head, tail = ("…" if left else ""), ("…" if right < len(text) else "")
    shift = left - len(head)
    cropped = head + text[left:right] + tail
    return cropped, start - shift, min(end - shift, len(cropped))


class _Hunk(Struct, frozen=True):
    """Rows that a fix changes, before and after. `row` is the row in the document of the first one."""

    row: int
    before: Sequence[str]
    after: Sequence[str]


def render_fix(fix: Fix, document: Document, style: Style, margin: int) -> Iterator[str]:
    """The fix as a diff with row numbers, which count as in a `CodeFrame`. Its edits lie in the document."""
    lines = document.lines
    empty = " " * margin + " " + style.gutter("|")
    yield empty
    added = 0
    for number, hunk in enumerate(_hunks(fix.edits, document)):
        if number:
            yield style.gutter("...")
        first_row = _first_row(hunk.row, document)
        shift = added - first_row + 1
        above, below = hunk.row - 1, hunk.row + len(hunk.before)
        if above >= first_row and lines.row_text(above).strip():
            yield _numbered(above + shift, margin, visible(lines.row_text(above)), style)
        for text in hunk.before:
            yield " " * margin + " " + style.bad(f"- {visible(text)}".rstrip())
        for offset, text in enumerate(hunk.after):
            row = style.gutter(f"{hunk.row + shift + offset:>{margin}}")
            yield f"{row} {style.good(f'+ {visible(text)}'.rstrip())}"
        added += len(hunk.after) - len(hunk.before)
        shift += len(hunk.after) - len(hunk.before)
        same_cell = below <= lines.row_count and _first_row(below, document) == first_row
        if same_cell and lines.row_text(below).strip():
            yield _numbered(below + shift, margin, visible(lines.row_text(below)), style)
    yield empty


def _first_row(row: int, document: Document) -> int:
    """The row of the document from which the rows of this row's cell count; 1 in a plain file."""
    cell = document.cell_at(document.lines.row_span(row).start)
    return 1 if cell is None else document.lines.row(cell.span.start)


def _hunks(edits: Sequence[Edit], document: Document) -> Iterator[_Hunk]:
    """The changed rows, edits of neighbouring rows taken together."""
    lines = document.lines
    groups: list[list[Edit]] = []
    for edit in sorted(edits):
        if groups and lines.row(edit.span.start) <= lines.row(groups[-1][-1].span.end) + 2:
            groups[-1].append(edit)
        else:
            groups.append([edit])
    for group in groups:
        first, last = lines.row(group[0].span.start), lines.row(group[-1].span.end)
        start, end = lines.row_span(first).start, lines.row_span(last).end
        local = [Edit(Span(edit.span.start - start, edit.span.end - start), edit.content) for edit in group]
        after = LineIndex(apply_edits(document.text[start:end], local))
        yield _trim(
            _Hunk(
                first,
                [lines.row_text(row) for row in range(first, last + 1)],
                [after.row_text(row) for row in range(1, after.row_count + 1)],
            )
        )


def _trim(hunk: _Hunk) -> _Hunk:
    """The hunk without the rows that are the same before and after, at both ends."""
    row, before, after = hunk.row, list(hunk.before), list(hunk.after)
    while before and after and before[-1] == after[-1]:
        before.pop()
        after.pop()
    while before and after and before[0] == after[0]:
        del before[0], after[0]
        row += 1
    return _Hunk(row, before, after)
