"""Settings that hold where one pool starts, and not where another one does that gets the same function. Measured with
NumPy 2 and CPython 3.11 under fork and spawn: only what the first pool gives is different."""

from __future__ import annotations

from pathlib import Path

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated

CODE = """\
import contextlib
import multiprocessing as mp

import numpy as np


@contextlib.contextmanager
def strict_math():
    with np.errstate(invalid="raise"):
        yield


def make_strict():
    np.seterr(invalid="raise")


def normalise(row):
    try:
        return (row / row.sum()).tolist()
    except FloatingPointError:
        return None


def main():
    rows = [np.array([1.0, 3.0]), np.array([0.0, 0.0])]
    with strict_math():
        {inside}
    {behind}


if __name__ == "__main__":
    main()
"""
IN_POOL = "with mp.Pool(2) as pool:\n            print(pool.map(normalise, rows))"
ALONE = "print([normalise(row) for row in rows])"
BEHIND = "with mp.Pool(2{}) as pool:\n        print(pool.map(normalise, rows))"


def changed(folder: Path, inside: str, behind: str) -> list[int]:
    """The rows of the boundaries at which something changes; all the others are ready."""
    boundaries = migrated(folder, CODE.format(inside=inside, behind=behind)).boundaries
    assert {each.verdict for each in boundaries} <= {Verdict.CHANGES, Verdict.READY}
    return [each.spot.row for each in boundaries if each.verdict is Verdict.CHANGES]


def test_a_pool_behind_a_context_in_which_another_one_starts(tmp_path: Path) -> None:
    assert changed(tmp_path, IN_POOL, BEHIND.format("")) == [28]


def test_a_pool_behind_it_whose_initializer_makes_the_setting(tmp_path: Path) -> None:
    assert changed(tmp_path, IN_POOL, BEHIND.format(", initializer=make_strict")) == [28]


def test_a_function_that_nothing_calls_sets_nothing(tmp_path: Path) -> None:
    assert changed(tmp_path, ALONE, BEHIND.format("")) == []


def test_a_function_that_main_calls_sets_it(tmp_path: Path) -> None:
    assert changed(tmp_path, ALONE, f"make_strict()\n    {BEHIND.format('')}") == [30]
