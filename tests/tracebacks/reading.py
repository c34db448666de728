"""How tests reach the reader of tracebacks."""

from __future__ import annotations

from pathlib import Path

from lintpickle.catalog import load_catalog
from lintpickle.settings import SettingsResolver
from lintpickle.tracebacks import Explanation, Read, explain
from lintpickle.tracebacks.recognition import recognise

HERE = Path(__file__).parent
PROGRAM = HERE / "program"
PRINTED = HERE / "printed"
THREADS = HERE / "threads"


def printed(name: str) -> str:
    """What a program printed when `program/` failed: see `printed/README.md`."""
    return (PRINTED / f"{name}.txt").read_text(encoding="utf-8")


def reading(text: str) -> Read:
    """What a text says."""
    return recognise(text, load_catalog())


def explained(text: str, folder: Path = PROGRAM, python: str | None = None) -> Explanation:
    """What `trace` says of a text about the program in a folder."""
    overrides: dict[str, object] = {"pedantic": True, "target-version": "3.11"}
    if python is not None:
        overrides["python"] = python
    return explain(text, folder, SettingsResolver(isolated=True, overrides=overrides, cwd=folder))


def line(explanation: Explanation) -> str:
    """The line that was named first, as "file:row"; where its trail ends, if that is another."""
    diagnostic = explanation.candidates[0].diagnostic
    location = diagnostic.trail[-1].location if diagnostic.trail else diagnostic.location
    return f"{Path(location.path).name}:{location.start.row}"
