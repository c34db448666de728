"""Programs on disk."""

from __future__ import annotations

from pathlib import Path

from .composing import Program


def write(program: Program, folder: Path) -> None:
    """Write the files of a program."""
    for path, text in program.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
