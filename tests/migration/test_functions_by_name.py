"""Functions of another module that workers choose by a name which they are given: what these read of the main process
counts. The programs were run with CPython 3.11 under fork and spawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CLOCK = "def today():\n    return 5\n"
CASES = """\
import clock

LIMIT = 3


def first():
    return {first}


def second():
    return LIMIT
"""
MAIN = """\
import multiprocessing

import cases
import clock


def work(name):
    {called}


if __name__ == "__main__":
    clock.today = lambda: 7
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, ["first", "second"]))
"""
AT_ONCE = "return getattr(cases, name)()"


@pytest.mark.parametrize(
    ("called", "first", "verdict"),
    [
        (AT_ONCE, "clock.today()", Verdict.CHANGES),
        ("case = getattr(cases, name)\n    return case()", "clock.today()", Verdict.CHANGES),
        (AT_ONCE, "LIMIT + 1", Verdict.READY),
        ('return name, getattr(cases, "second")()', "clock.today()", Verdict.READY),
    ],
)
def test_functions_chosen_by_name(tmp_path: Path, called: str, first: str, verdict: Verdict) -> None:
    (tmp_path / "clock.py").write_text(CLOCK, encoding="utf-8")
    (tmp_path / "cases.py").write_text(CASES.format(first=first), encoding="utf-8")
    assert worst(migrated(tmp_path, MAIN.format(called=called))) is verdict
