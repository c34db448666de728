"""Fixture projects: where they are, what is expected of them, and how they are linted.

A fixture project is a folder of `tests/fixtures` with a `pyproject.toml`. Its environment holds stub packages, with
just enough in them for the project's shape. What is expected stands in two places:

* `# LP101` (or `# LP101, LP202`) at the end of the line at which diagnostics are expected;
* `trails.txt`, if the project has one: every diagnostic with each step of its trail, in order. Read it as carefully as
  code before you commit it; `python -m tests.programs NAME …` writes what is found now.
"""

from __future__ import annotations

import os
import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

import lintpickle
from lintpickle.api import lint_paths
from lintpickle.diagnostics import Diagnostic
from lintpickle.settings import SettingsResolver
from lintpickle.source.discovery import discover

TRAILS = "trails.txt"
FIXTURES = Path(__file__).parent / "fixtures"
_MARK = re.compile(r"#[ ]*(LP\d{3}(?:,[ ]*LP\d{3})*)(?:$|[ ]+#)")

Mark = tuple[str, int, str]
"""Path relative to the project, 1-based row, code."""


def programs() -> list[Path]:
    """The folders of all fixture projects, sorted."""
    return sorted(marker.parent for marker in FIXTURES.glob("*/pyproject.toml"))


def files(program: Path) -> list[Path]:
    """The files that a run over the project checks."""
    return [Path(path) for path in discover([program], SettingsResolver(cwd=program)).files]


def lint(program: Path, paths: Sequence[Path | str] = (".",)) -> tuple[Diagnostic, ...]:
    """Lint paths of a project as a user does who stands in its folder."""
    resolver = SettingsResolver(cwd=program)
    return lint_paths([str(program / path) for path in paths], resolver=resolver).diagnostics


@cache
def found(program: Path) -> tuple[Diagnostic, ...]:
    """What a run over a whole project finds, by which other runs are measured. The first test of a process that asks
    runs it, as lintpickle is then: whoever patches lintpickle asks before."""
    return lint(program)


def expected_marks(program: Path) -> list[Mark]:
    """What the comments beside the lines expect."""
    return sorted(_marks(program))


def _marks(program: Path) -> Iterator[Mark]:
    for file in files(program):
        for row, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            for match in _MARK.finditer(line):
                for code in re.findall(r"LP\d{3}", match[1]):
                    yield file.relative_to(program).as_posix(), row, code


def found_marks(program: Path, diagnostics: Sequence[Diagnostic]) -> list[Mark]:
    """What a run found, in the form of the expectations."""
    return sorted((_relative(d.location.path, program), d.location.start.row, d.code) for d in diagnostics)


def trails(program: Path, diagnostics: Sequence[Diagnostic]) -> str:
    """The diagnostics with their trails, as `trails.txt` has them."""
    return "\n".join(_trail(program, diagnostic) for diagnostic in diagnostics)


def _trail(program: Path, diagnostic: Diagnostic) -> str:
    place = f"{_relative(diagnostic.location.path, program)}:{diagnostic.location.start.row}"
    lines = [f"{diagnostic.code} {diagnostic.confidence.value} {place}"]
    for number, step in enumerate(diagnostic.trail, 1):
        lines.append(f"  {number}. {step.message}")
        lines.append(f"     {_relative(step.location.path, program)}:{step.location.start.row}")
    for related in diagnostic.related:
        lines.append(f"  also: {related.message}")
        lines.append(f"     {_relative(related.location.path, program)}:{related.location.start.row}")
    return "".join(f"{line}\n" for line in lines)


EACH = [pytest.param(each, id=each.name, marks=pytest.mark.xdist_group(each.name)) for each in programs()]
"""All projects, as parameters of tests. The tests of one of them run in one process."""


def in_turn() -> list[Path]:
    """A third of the fixture projects: which one, lintpickle's own text decides, so that each has its turn.

    Tests that compare two ways of lintpickle to one result take these. `LINTPICKLE_TESTS_EVERY_PROGRAM=1` lets them
    take all."""
    if os.environ.get("LINTPICKLE_TESTS_EVERY_PROGRAM"):
        return programs()
    modules = sorted(Path(lintpickle.__file__).parent.rglob("*.py"))
    turn = zlib.crc32(b"".join(module.read_bytes() for module in modules)) % 3
    return programs()[turn::3]


EACH_IN_TURN = [each for each in EACH if FIXTURES / str(each.id) in in_turn()]
"""The same of `in_turn`."""


def _relative(path: str, program: Path) -> str:
    return Path(path).relative_to(program).as_posix().replace("env/lib/python3.11/site-packages/", "<env>/")


if __name__ == "__main__":
    for folder in (FIXTURES / name for name in sys.argv[1:]):
        (folder / TRAILS).write_text(trails(folder, lint(folder)), encoding="utf-8")
