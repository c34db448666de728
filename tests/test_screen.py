"""The screen is sound: reading everything finds the same as reading only what the screen lets through."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lintpickle.facts.methods import ReadMethod
from lintpickle.facts.read import read_facts
from lintpickle.facts.records import RoomFacts
from lintpickle.project.interest import Interest
from lintpickle.source.outline import Member, Plot
from lintpickle.source.screen import Screen, Words

from .programs import lint, programs


@pytest.mark.parametrize("program", programs(), ids=lambda program: program.name)
def test_without_the_screen_the_diagnostics_are_the_same(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screened = lint(program)
    monkeypatch.setattr(Screen, "mattering", lambda self, occurs: Words([""]))
    monkeypatch.setattr(Words, "plots_in", lambda self, code, plots: [p for p in plots if not p.bare])
    monkeypatch.setattr(Words, "pattern", re.compile(""))
    monkeypatch.setattr(Interest, "boundary_names", lambda *_: frozenset({""}))
    for method in ("in_plot", "may_be_boundary"):
        monkeypatch.setattr(Interest, method, lambda *_: True)
    assert lint(program) == screened


def test_the_screen_does_save_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the screen to let everything through, the test above would prove nothing."""
    read: list[Plot] = []

    def reading(code: str, plot: Plot, read_member: Callable[[Member], ReadMethod]) -> RoomFacts | None:
        read.append(plot)
        return read_facts(code, plot, read_member)

    monkeypatch.setattr("lintpickle.facts.read.read_facts", reading)
    for program in programs():
        lint(program)
    with_screen = len(read)
    monkeypatch.setattr(Words, "plots_in", lambda self, code, plots: [p for p in plots if not p.bare])
    monkeypatch.setattr(Interest, "in_plot", lambda *_: True)
    monkeypatch.setattr(Interest, "boundary_names", lambda *_: frozenset({""}))
    read.clear()
    for program in programs():
        lint(program)
    assert with_screen < len(read)
