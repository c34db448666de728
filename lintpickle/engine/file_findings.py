"""Diagnostics of the engine itself: files that cannot be read, or were left out. They are rare, so their rules are
loaded when there is one."""

from __future__ import annotations

import sys

from lintpickle.diagnostics import Confidence, Diagnostic, Location, Position, Severity, Span
from lintpickle.program.module import Unread

_READING = (
    f"lintpickle, here on Python {sys.version_info.major}.{sys.version_info.minor}, reads the syntax of Python 3.10 to "
    "3.15; newer syntax needs a newer one"
)


def syntax_error(unread: Unread) -> Diagnostic:
    """The diagnostic of a file that cannot be read."""
    from lintpickle.rules.syntax_error import SyntaxErrorRule

    start = Position(unread.row, max(unread.column, 1))
    location, span = Location(unread.path, start, start), Span(0, 0)
    if unread.document is not None and unread.row <= unread.document.lines.row_count:
        offset = unread.document.lines.offset(start)
        span = Span(offset, offset)
        location = unread.document.location(span)
    return Diagnostic(
        code=SyntaxErrorRule.code,
        name=SyntaxErrorRule.name,
        message=f"the file cannot be read as Python: {unread.reason}",
        help=_READING,
        severity=Severity.ERROR,
        confidence=Confidence.CERTAIN,
        location=location,
        span=span,
        noqa_row=location.start.row,
    )


def not_analysed(path: str, reason: str) -> Diagnostic:
    """The diagnostic of a file that was left out."""
    from lintpickle.rules.not_analysed import NotAnalysedRule

    start = Position(1, 1)
    return Diagnostic(
        code=NotAnalysedRule.code,
        name=NotAnalysedRule.name,
        message=NotAnalysedRule.message.format(reason=reason),
        help=NotAnalysedRule.help,
        severity=NotAnalysedRule.severity,
        confidence=Confidence.CERTAIN,
        location=Location(path, start, start),
        span=Span(0, 0),
        noqa_row=1,
    )
