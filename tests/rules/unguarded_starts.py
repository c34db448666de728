"""What tests of LP203 have in common."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from tests.support import lint, lint_files


def rows_of_starts(text: str) -> list[int]:
    """The rows of all starts, also of those that are told as related places of another."""
    found = [each for each in lint(dedent(text).lstrip()).diagnostics if each.code == "LP203"]
    return sorted(place.location.start.row for each in found for place in each.related or (each,))


def in_files(folder: Path, files: dict[str, str]) -> set[tuple[str, str]]:
    found = lint_files(folder, {"pyproject.toml": "[project]\n", **files})
    return {(Path(each.location.path).name, each.code) for each in found}


def row_of(row: str, text: str) -> int:
    return text.lstrip().splitlines().index(row) + 1
