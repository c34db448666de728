"""What tests of LP5xx have in common."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from lintpickle.diagnostics import Diagnostic
from tests import support
from tests.support import marks


def written(text: str) -> list[tuple[int, str]]:
    return [mark for mark in marks(dedent(text)) if mark[1].startswith("LP5")]


def lint_files(folder: Path, files: dict[str, str]) -> list[Diagnostic]:
    texts = {name: dedent(text) for name, text in files.items()}
    found = support.lint_files(folder, {"pyproject.toml": "[project]\n", **texts})
    return [each for each in found if each.code.startswith("LP5")]
