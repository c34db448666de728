"""Reads TOML text, and finds the line of a key or a value."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lintpickle import disk
from lintpickle.diagnostics import LintpickleError
from lintpickle.toml_text import BadToml, read_toml

SHARED_NAME = "pyproject.toml"
_HEADER = re.compile(r"^\s*\[\[?([^\[\]]+)\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""^\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=""")
_PART = re.compile(r"""([A-Za-z0-9_-]+)|"([^"]*)"|'([^']*)'""")


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """The table that `text` holds. Raises `LintpickleError` naming `where` and the line."""
    try:
        return read_toml(text)
    except BadToml as error:
        position = f":{error.row}:{error.column}" if error.row is not None else ""
        raise LintpickleError(f"{where}{position}: this is not valid TOML: {error.reason}") from None


def read_text(path: Path) -> str:
    """The text of a configuration file. Raises `LintpickleError`."""
    try:
        return disk.text(path)
    except UnicodeDecodeError as error:
        raise LintpickleError(f"{path}: this is not UTF-8 ({error.reason} at byte {error.start})") from None
    except OSError as error:
        raise LintpickleError(f"{path}: cannot be read: {error.strerror or error}") from None


def project_table(folder: Path, word: str) -> Mapping[str, object]:
    """The `[project]` table of the pyproject.toml that lies directly in a folder; an empty one if the file does not
    hold the word, or cannot be read."""
    path = folder / SHARED_NAME
    if not disk.is_file(path):
        return {}
    try:
        text = read_text(path)
        project = parse_toml(text, str(path)).get("project") if word in text else None
    except LintpickleError:
        return {}  # A file that is not ours to judge: nothing is known.
    return project if isinstance(project, dict) else {}


def row_of_key(text: str, key_path: Sequence[str]) -> int | None:
    """The 1-based row of the key, or of the nearest enclosing table, or None. The parser does not report rows, so the
    text is searched: table headers and dotted keys are followed, and a key of an inline table has the row of its first
    occurrence.
    """
    wanted = list(key_path)
    table: list[str] = []
    for row, line in enumerate(text.split("\n"), start=1):
        header = _HEADER.match(line)
        if header:
            table = _parts(header[1])
            if table == wanted:
                return row
            continue
        key = _KEY.match(line)
        if key and table + _parts(key[1]) == wanted:
            return row
    return _row_of_inline_key(text, wanted)


def row_of_string(text: str, value: str, first_row: int | None) -> int | None:
    """The 1-based row of the first TOML string with this value, from `first_row` on."""
    for row, line in enumerate(text.split("\n"), start=1):
        if row >= (first_row or 1) and (f'"{value}"' in line or f"'{value}'" in line):
            return row
    return first_row


def _row_of_inline_key(text: str, wanted: Sequence[str]) -> int | None:
    pattern = re.compile(rf"""(?<![\w-])["']?{re.escape(wanted[-1])}["']?\s*=""")
    for row, line in enumerate(text.split("\n"), start=1):
        if pattern.search(line):
            return row
    return row_of_key(text, wanted[:-1]) if len(wanted) > 1 else None


def _parts(dotted: str) -> list[str]:
    return ["".join(groups) for groups in _PART.findall(dotted)]
