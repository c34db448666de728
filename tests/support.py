"""How tests reach the linter: the only place that knows how `lint_source` is called."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from lintpickle.api import FixMode, lint_paths, lint_source
from lintpickle.diagnostics import Diagnostic, Outcome
from lintpickle.settings import SettingsResolver
from tests.trees import write


def lint(
    text: str,
    *,
    fix: bool = False,
    unsafe: bool = False,
    also: str | None = None,
    only: str | None = None,
    pedantic: bool = False,
) -> Outcome:
    """Lint `text` with default settings for Python 3.11 and later, whatever configuration surrounds the tests.

    With `fix`, the outcome has what fixing would do; with `unsafe`, that includes unsafe fixes. `also` is the code
    of a rule to turn on beside the default ones, `only` that of one to ask instead of them. With `pedantic`, what is
    only possible is there too.
    """
    overrides = {
        "unsafe-fixes": unsafe,
        "extend-select": [also] if also else [],
        **({"select": [only]} if only else {}),
        "target-version": "3.11",
        "pedantic": pedantic,
    }
    resolver = SettingsResolver(isolated=True, overrides=overrides)
    mode = FixMode.DIFF if fix else FixMode.NONE
    return lint_source(text, str(Path("example.py").absolute()), resolver=resolver, fix=mode)


def lint_files(folder: Path, files: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """What is found in `folder` once `files` are written there, whatever configuration surrounds the tests."""
    write(folder, files)
    return lint_paths([str(folder)], resolver=SettingsResolver(isolated=True, cwd=folder)).diagnostics


def changed(text: str, *changes: tuple[str, str]) -> str:
    """`text` with one part after the other replaced, each of which has to be there."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def lint_library(text: str) -> Outcome:
    """Lint `text` as the top package of a library, which offers its users all classes in it."""
    resolver = SettingsResolver(isolated=True, overrides={"target-version": "3.11"})
    with TemporaryDirectory() as folder:
        (Path(folder) / "pyproject.toml").write_text("[project]\nname = 'library'\n")
        package = Path(folder) / "library" / "__init__.py"
        package.parent.mkdir()
        package.write_text(text)
        return lint_source(text, str(package), resolver=resolver)


def marks_in_library(text: str) -> list[tuple[int, str]]:
    """The same as `marks` for the top package of a library."""
    return [(each.location.start.row, each.code) for each in lint_library(text).diagnostics]


def marks(text: str, also: str | None = None, pedantic: bool = False) -> list[tuple[int, str]]:
    """The row and code of every diagnostic in `text`; `also` is the code of a rule that is off by default."""
    return [(each.location.start.row, each.code) for each in lint(text, also=also, pedantic=pedantic).diagnostics]


def fixed(text: str, *, unsafe: bool, pedantic: bool = False) -> str:
    """`text` after fixing; the same text if nothing could be fixed."""
    changes = lint(text, fix=True, unsafe=unsafe, pedantic=pedantic).changes
    return changes[0].after if changes else text
