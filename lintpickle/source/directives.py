"""The syntax of comments that suppress diagnostics. What they achieve is decided elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from msgspec import Struct

from lintpickle.diagnostics import Edit, Span
from lintpickle.source.document import Document


class DirectiveKind(Enum):
    """What a comment asks for; the values are how it is written."""

    NOQA = "noqa"
    FILE_NOQA = "flake8: noqa"
    IGNORE = "ignore"
    FILE_IGNORE = "file-ignore"
    DISABLE = "disable"
    ENABLE = "enable"

    @property
    def is_own(self) -> bool:
        """Whether only lintpickle uses this form."""
        return self not in (DirectiveKind.NOQA, DirectiveKind.FILE_NOQA)


class DirectiveName(Struct, frozen=True):
    """A rule's code or name as written, and where."""

    text: str
    span: Span


class Directive(Struct, frozen=True):
    """One request in one comment; a comment can hold several, each behind its own `#`.

    `span` runs from `#` to the last name or bracket; `segment` runs on over the reason, up to the next `#`
    or the end of the comment, which is `comment`. `row` counts in the document's joined text. `blanket` says
    that no names are given; `own_line` that the comment stands alone on its row.
    """

    kind: DirectiveKind
    names: tuple[DirectiveName, ...]
    blanket: bool
    span: Span
    segment: Span
    comment: Span
    row: int
    own_line: bool


_OWN = re.compile(
    r"(?<![^\s#])\#\s*lintpickle\s*:\s*(?P<verb>file-ignore|ignore|disable|enable)(?![\w-])"
    r"(?:\s*\[(?P<names>[^\]]*)\]|(?!\s*\[))"
)
_CODE = r"[A-Za-z]+[0-9]+(?![\w-])"
_KEBAB = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+(?![\w-])"
_NOQA = re.compile(
    rf"(?<![^\s#])\#\s*(?P<file>(?:flake8|ruff)\s*[:=]\s*)?noqa(?!\w)"
    rf"(?:\s*:\s*(?P<names>(?:{_CODE}|{_KEBAB})(?:[,\s]+{_CODE}|\s*,\s*{_KEBAB})*))?",
    re.IGNORECASE,
)
_NAME = re.compile(r"[^\s,]+")
_NEXT_SEGMENT = re.compile(r"(?<=\s)#(?!\d)")


def read_directives(document: Document) -> tuple[Directive, ...]:
    """All directives of a document, in order. Only a file that mentions one is scanned for comments."""
    lowered = document.text.lower()
    if "noqa" not in lowered and "lintpickle" not in lowered:
        return ()
    return tuple(directive for comment in document.layout.comments for directive in _read_comment(document, comment))


def directives_on_row(document: Document, row: int) -> tuple[Directive, ...]:
    """The directives in the comment of one row of the joined text."""
    span = document.lines.row_span(row)
    comments = (item for item in document.layout.comments if span.start <= item.start <= span.end)
    return tuple(directive for comment in comments for directive in _read_comment(document, comment))


def _read_comment(document: Document, comment: Span) -> Iterator[Directive]:
    text = document.code[comment.start : comment.end]
    matches = sorted([*_OWN.finditer(text), *_NOQA.finditer(text)], key=lambda match: match.start())
    if not matches:
        return
    row = document.lines.row(comment.start)
    own_line = _is_alone(document, comment, row)
    for match in matches:
        kind = _kind(match)
        blanket = match["names"] is None
        if kind is DirectiveKind.FILE_NOQA and (blanket or not own_line):
            continue
        following = _NEXT_SEGMENT.search(text, match.end())
        segment_end = following.start() if following else len(text)
        yield Directive(
            kind,
            tuple(_names(match, comment.start)),
            blanket,
            Span(comment.start + match.start(), comment.start + match.end()),
            Span(comment.start + match.start(), comment.start + segment_end),
            comment,
            row,
            own_line,
        )


def _is_alone(document: Document, comment: Span, row: int) -> bool:
    """Whether nothing but the comment stands on its row, and no backslash joins the row to the one above."""
    start = document.lines.row_span(row).start
    if document.code[start : comment.start].strip():
        return False
    first_of_cell = any(span.start == start for span in document.cell_spans)
    return first_of_cell or document.lines.row_span(row - 1).end in document.layout.open_ends


def _kind(match: re.Match[str]) -> DirectiveKind:
    groups = match.groupdict()
    if "verb" in groups:
        return DirectiveKind(groups["verb"])
    return DirectiveKind.FILE_NOQA if groups["file"] else DirectiveKind.NOQA


def _names(match: re.Match[str], offset: int) -> Iterator[DirectiveName]:
    if match["names"] is None:
        return
    for name in _NAME.finditer(match["names"]):
        start = offset + match.start("names") + name.start()
        yield DirectiveName(name[0], Span(start, start + len(name[0])))


def removal(document: Document, directive: Directive, names: tuple[DirectiveName, ...]) -> Edit:
    """The edit that removes some names from a directive, or the whole directive if none is left. The rest of the
    comment is kept; white space and an emptied row are tidied up."""
    left = [name for name in directive.names if name not in names]
    if left:
        text = document.text
        first, last = directive.names[0].span, directive.names[-1].span
        separator = text[first.end : directive.names[1].span.start]
        return Edit(Span(first.start, last.end), separator.join(name.text for name in left))
    return Edit(_removed_span(document, directive), "")


def _removed_span(document: Document, directive: Directive) -> Span:
    segment, comment = directive.segment, directive.comment
    if segment.end < comment.end:
        return segment
    if segment.start == comment.start and directive.own_line:
        row = document.lines.row_span(directive.row)
        last = directive.row == document.lines.row_count
        return Span(row.start, row.end if last else document.lines.row_span(directive.row + 1).start)
    start = segment.start
    while document.text[start - 1] in " \t\f":
        start -= 1
    return Span(start, segment.end)
