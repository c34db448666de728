"""Whole projects: what is found, by which trails, and that it does not matter how the run is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.source.patterns import Patterns

from .programs import EACH, FIXTURES, TRAILS, expected_marks, files, found, found_marks, lint, programs, trails

each_program = pytest.mark.parametrize("program", EACH)
with_trails = pytest.mark.parametrize("program", [each for each in EACH if (FIXTURES / str(each.id) / TRAILS).exists()])


@each_program
def test_exactly_the_marked_lines_are_found(program: Path) -> None:
    assert found_marks(program, found(program)) == expected_marks(program)


@with_trails
def test_every_step_of_every_trail_is_as_written_down(program: Path) -> None:
    written = program / TRAILS
    assert trails(program, found(program)) == written.read_text(encoding="utf-8")


@each_program
def test_a_file_named_alone_has_the_diagnostics_of_the_whole_run(program: Path) -> None:
    whole = found(program)
    for file in files(program):
        assert lint(program, [file]) == tuple(d for d in whole if d.location.path == str(file))


@each_program
def test_the_order_of_paths_does_not_matter(program: Path) -> None:
    named = files(program)
    forwards, backwards = lint(program, named), lint(program, named[::-1])
    assert forwards == backwards == found(program)


@each_program
def test_a_second_run_gives_the_same_in_whichever_folder(
    program: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first = found(program)
    monkeypatch.chdir(tmp_path)
    assert lint(program) == first


def test_there_is_as_much_that_must_be_silent() -> None:
    """Every project has code that looks alike and is right, or the marks would prove little."""
    for program in programs():
        marked = {path for path, _, _ in expected_marks(program)}
        assert marked
        assert marked != {file.relative_to(program).as_posix() for file in files(program)}


def test_no_fixture_is_left_out_by_the_ignore_file() -> None:
    """Else they would be missing from a checkout and from the source distribution."""
    root = FIXTURES.parent.parent
    ignored = Patterns((root / ".gitignore").read_text(encoding="utf-8").splitlines())
    assert ignored.verdict("build", is_folder=True)
    for path in FIXTURES.rglob("*"):
        if "__pycache__" not in path.parts:
            assert not ignored.verdict(path.relative_to(root).as_posix(), path.is_dir()), path
