"""Functions that call each other: no trail goes round in a circle."""

from __future__ import annotations

from pathlib import Path

from lintpickle.api import lint_source
from lintpickle.settings import SettingsResolver

SIZES = """\
from torch.utils.data import DataLoader, Subset


def slow(rows):
    for row in DataLoader(rows, num_workers=2, collate_fn=lambda rows: rows[0]):
        print(row)


def of_part(rows):
    return sizes(rows.dataset)


def sizes(rows):
    if isinstance(rows, Subset):
        return of_part(rows)
    return slow(rows)


{more}


if __name__ == "__main__":
    {call}
"""


def _trails(more: str, call: str, folder: Path) -> list[list[str]]:
    path = folder / "example.py"
    path.write_text(SIZES.format(more=more, call=call))
    outcome = lint_source(path.read_text(), str(path), resolver=SettingsResolver(isolated=True))
    found = (each for each in outcome.diagnostics if each.code == "LP201")
    return [[step.message for step in each.trail] for each in found]


def test_a_trail_comes_from_outside_of_the_circle(tmp_path: Path) -> None:
    steps = ["calls groups()", "calls sizes()", "calls slow()", "DataLoader(collate_fn=…) pickles it"]
    assert _trails("def groups(rows):\n    return sizes(rows)", "groups([1])", tmp_path) == [steps]


def test_a_circle_that_nothing_enters(tmp_path: Path) -> None:
    assert _trails("def groups(rows):\n    return sizes(rows)", "print(1)", tmp_path) == []


def test_a_circle_that_is_entered_in_its_midst(tmp_path: Path) -> None:
    (trail,) = _trails("", "of_part(Subset([1], [0]))", tmp_path)
    assert trail[0] == "calls of_part()"
