"""Places, columns and fingerprints for formats that know files and rows, but no notebook cells."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from lintpickle.diagnostics import Diagnostic, Location, Position
from lintpickle.report.context import ReportContext

_START = Position(1, 1)


def file_location(location: Location) -> Location:
    """The location; for a notebook cell, whose rows mean nothing in the file, the start of the file."""
    return location if location.cell is None else Location(location.path, _START, _START)


def file_message(message: str, location: Location) -> str:
    """The message, with the place in the notebook if there is one."""
    if location.cell is None:
        return message
    return f"{message} (cell {location.cell}, row {location.start.row})"


def slashed(path: str) -> str:
    """The path with forward slashes."""
    return Path(path).as_posix()


def relative_uri(path: str, context: ReportContext) -> str | None:
    """The path from the working folder as a relative URI, or None when the file does not lie below it."""
    relative = context.relative(path)
    return None if relative == path else quote(slashed(relative))


def utf8_column(text: str, column: int) -> int:
    """The column of a row in bytes of UTF-8, from 1. Unchanged when the row's text is not known."""
    if not text:
        return column
    return len(text[: column - 1].encode("utf-8", "surrogatepass")) + 1


def utf16_character(text: str, column: int) -> int:
    """A 0-based offset in UTF-16 code units, of a 1-based column in code points."""
    if not text:
        return column - 1
    return len(text[: column - 1].encode("utf-16-le", "surrogatepass")) // 2


def fingerprints(diagnostics: Sequence[Diagnostic], context: ReportContext) -> list[str]:
    """For each finding a hash that stays when rows above it come and go, and that no other one has.

    It is made of the rule, the path, the text of the row, and how many equal ones came before.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    hashes = []
    for diagnostic in diagnostics:
        path = slashed(context.relative(diagnostic.location.path))
        row = " ".join(context.row_text(diagnostic.location, diagnostic.location.start.row).split())
        key = (diagnostic.code, path, row)
        parts = "\0".join((*key, str(seen[key])))
        seen[key] += 1
        hashes.append(hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:32])
    return hashes
