"""What fixing does, as a unified diff that `patch` and `git apply` understand."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence

from lintpickle.diagnostics import FileChange
from lintpickle.report.context import ReportContext
from lintpickle.terminal import Style

_ROW = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def unified_diff(changes: Sequence[FileChange], context: ReportContext) -> str:
    """The diff of all changes, in their order."""
    return "".join(part for change in changes for part in _file_diff(change, context))


def _file_diff(change: FileChange, context: ReportContext) -> Iterator[str]:
    path = context.relative(change.path).replace("\\", "/")
    rows = difflib.unified_diff(_ROW.findall(change.before), _ROW.findall(change.after), fromfile=path, tofile=path)
    for row in rows:
        yield _paint(row, context.style)
        if not row.endswith(("\n", "\r")):
            yield "\n\\ No newline at end of file\n"


def _paint(row: str, style: Style) -> str:
    if not style.color:
        return row
    content = row.rstrip("\r\n")
    newline = row[len(content) :]
    if row.startswith(("---", "+++")):
        return style.bold(content) + newline
    painters = {"@": style.accent, "-": style.bad, "+": style.good}
    return painters.get(row[0], str)(content) + newline
