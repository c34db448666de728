"""Linting what was made: what may come of it, and what must not."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable
from pathlib import Path

from lintpickle.api import FixMode, lint_paths, lint_source
from lintpickle.diagnostics import LintpickleError, Outcome
from lintpickle.settings import SettingsResolver
from lintpickle.source.document import UnreadableSource
from tests.fuzz import messages, programs
from tests.fuzz.talking import converse

KINDS: dict[str, Callable[[int], str]] = {
    "bodies": programs.body,
    "mutants": programs.mutant,
    "notebooks": programs.notebook,
    "settings": programs.settings,
    "sessions": messages.text,
}


def run(kind: str, seed: int) -> None:
    """Lint one made text, and try its fixes, or hold one session with the server. Raises whatever lintpickle did not
    foresee."""
    if kind == "sessions":
        converse(seed)
        return
    text = KINDS[kind](seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if kind == "settings":
            _with_settings(folder, text)
            return
        path = "a.ipynb" if kind == "notebooks" else "a.py"
        resolver = SettingsResolver(cwd=folder, isolated=True, overrides={"pedantic": True, "unsafe_fixes": True})
        (folder / path).write_bytes(text.encode("utf-8", "surrogatepass"))
        _expect_no_defect(lint_paths([str(folder / path)], resolver=resolver, fix=FixMode.DIFF))
        if kind == "notebooks":
            return
        with contextlib.suppress(UnreadableSource):  # which the command line tells
            _expect_no_defect(lint_source(text, path, resolver=resolver))


def _with_settings(folder: Path, text: str) -> None:
    (folder / "lintpickle.toml").write_text(text, encoding="utf-8")
    (folder / "a.py").write_text("import pickle\n\npickle.dumps(lambda: 0)\n", encoding="utf-8")
    with contextlib.suppress(LintpickleError):
        _expect_no_defect(lint_paths([str(folder / "a.py")], resolver=SettingsResolver(cwd=folder)))


def _expect_no_defect(outcome: Outcome) -> None:
    """Raises AssertionError if something failed in lintpickle itself, which costs a run only a part of its findings."""
    assert not outcome.defects, outcome.defects[0]
