"""What tests of LP5xx have in common."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from lintpickle.api import lint_paths
from lintpickle.diagnostics import Diagnostic
from lintpickle.settings import SettingsResolver
from tests.support import marks


def written(text: str) -> list[tuple[int, str]]:
    return [mark for mark in marks(dedent(text)) if mark[1].startswith("LP5")]


def lint_files(folder: Path, files: dict[str, str]) -> list[Diagnostic]:
    for name, text in {"pyproject.toml": "[project]\n", **files}.items():
        (folder / name).write_text(dedent(text))
    found = lint_paths([str(folder)], resolver=SettingsResolver(isolated=True)).diagnostics
    return [each for each in found if each.code.startswith("LP5")]
