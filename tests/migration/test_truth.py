"""What `migrate` says of programs that were run under every start method, beside what happened (`truth.tsv`)."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Verdict
from lintpickle.settings import SettingsResolver

from .runner import METHODS, TRUTH, name_of, programs

pytestmark = pytest.mark.xdist_group("migration")  # What is said of a program is asked for by several tests.

_MOST_OPEN = 0.2
"""The share of programs of which `migrate` may say that it cannot tell."""


@cache
def truth() -> dict[str, dict[str, str]]:
    """What each program printed, by start method."""
    head, *rows = (row.split("\t") for row in TRUTH.read_text(encoding="utf-8").splitlines())
    assert tuple(head[1:]) == METHODS
    return {name: dict(zip(METHODS, outcomes, strict=True)) for name, *outcomes in rows}


def happened(name: str) -> Verdict:
    """What became of a program under forkserver."""
    outcomes = truth()[name]
    if outcomes["forkserver"] == outcomes["fork"]:
        return Verdict.READY
    return Verdict.BREAKS if outcomes["forkserver"].startswith(("error", "hang")) else Verdict.CHANGES


@cache
def said(script: Path) -> Verdict:
    """What `migrate` says of a program: of its boundaries, the one with most work."""
    with TemporaryDirectory() as folder:  # where nothing around belongs to the program
        copied = Path(folder) / name_of(script)
        copied.mkdir()
        for path in script.parent.glob("*.py") if script.name == "main.py" else [script]:
            shutil.copy(path, copied)
        resolver = SettingsResolver(isolated=True, cwd=copied, overrides={"target-version": "==3.11"})
        found = migrate([str(copied)], resolver, StartMethod.FORKSERVER, "3.11").boundaries
    assert found, "there is a boundary in each program"
    return min((boundary.verdict for boundary in found), key=list(Verdict).index)


def test_every_program_was_run() -> None:
    assert {name_of(script) for script in programs()} == set(truth())


def test_there_are_many_and_half_of_them_have_a_twin_that_is_fine() -> None:
    fine = {name for name in truth() if happened(name) is Verdict.READY}
    assert len(truth()) - len(fine) >= 40
    assert len(fine) >= 20


@pytest.mark.parametrize("script", list(programs()), ids=name_of)
def test_what_is_said_is_what_happened(script: Path) -> None:
    verdict, truly = said(script), happened(name_of(script))
    if truly is Verdict.READY:
        assert verdict in (Verdict.READY, Verdict.CANNOT_TELL)
    else:
        assert verdict is not Verdict.READY


def test_little_is_left_open() -> None:
    found = [said(script) for script in programs()]
    assert found.count(Verdict.CANNOT_TELL) <= _MOST_OPEN * len(found)


@pytest.mark.parametrize(
    "name",
    [
        "class_filled_where_imported_fine",
        "environment_before_server_by_object_fine",
        "environment_entered_once_fine",
        "global_handed_over_fine",
        "globals_set_from_arguments_fine",
        "keys_passed_fine",
        "lines_shared_out_fine",
        "object_filled_where_given_fine",
        "options_as_keywords_fine",
        "options_of_class_passed_fine",
        "options_of_global_passed_fine",
        "object_read_where_given_fine",
        "own_context_as_decorator_fine",
        "own_context_by_name_fine",
        "own_context_of_method_fine",
        "own_object_filled_where_given_fine",
        "pipes_transposed_fine",
        "read_around_other_fine",
        "registry_of_class_fine",
        "section_by_name_fine",
        "section_unread_by_workers_fine",
        "settings_updated_by_name_fine",
        "texts_of_command_line_fine",
    ],
)
def test_of_some_it_can_be_told_that_they_are_ready(name: str) -> None:
    assert said(next(script for script in programs() if name_of(script) == name)) is Verdict.READY


@pytest.mark.parametrize(
    "name",
    sorted(
        name for name, outcomes in truth().items() if outcomes["fork"] != "hang" and outcomes["forkserver"] == "hang"
    ),
)
def test_of_what_waits_for_ever_it_is_told_that_it_breaks(name: str) -> None:
    assert said(next(script for script in programs() if name_of(script) == name)) is Verdict.BREAKS


@pytest.mark.parametrize(
    "name",
    [
        "environment_entered_twice",
        "environment_set_twice",
        "event_awaited_for_a_second",
        "globals_told_by_keys",
        "parent_asked",
        "parent_kept_by_object",
        "queue_asked_for_a_second",
    ],
)
def test_of_some_it_can_be_told_that_they_change(name: str) -> None:
    assert said(next(script for script in programs() if name_of(script) == name)) is Verdict.CHANGES
