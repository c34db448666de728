"""How NumPy treats errors, told by what workers catch: the arrays themselves may come from anywhere (`migrate`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

RATIOS = """\
import multiprocessing as mp

import numpy as np


def ratio(frame):
    signal, background = frame
    {first}
    try:
        return (signal / background).mean()
    except {caught}:
        return None


def frames(n):
    for i in range(n):
        yield np.ones(8), np.arange(8) + i % 2


def main():
    {main}
    with mp.Pool(2) as pool:
        print(list(pool.imap(ratio, frames(4))))


if __name__ == "__main__":
    main()
"""
RAISES = 'np.seterr(divide="raise", invalid="raise")'


@pytest.mark.parametrize("caught", ["FloatingPointError", "(FloatingPointError, ValueError)"])
def test_workers_that_catch_what_numpy_raises_only_in_main_change(caught: str, tmp_path: Path) -> None:
    code = RATIOS.format(first="pass", caught=caught, main=RAISES)
    assert worst(migrated(tmp_path, code)) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("first", "caught", "main"),
    [
        pytest.param(RAISES, "FloatingPointError", RAISES, id="workers set it, too"),
        pytest.param("pass", "FloatingPointError", "pass", id="nobody sets it"),
        pytest.param("pass", "FloatingPointError", 'np.seterr(under="ignore")', id="nothing is raised in main either"),
        pytest.param("np.errstate(divide='raise').__enter__()", "FloatingPointError", RAISES, id="of its own"),
    ],
)
def test_other_workers_are_ready(first: str, caught: str, main: str, tmp_path: Path) -> None:
    code = RATIOS.format(first=first, caught=caught, main=main)
    assert worst(migrated(tmp_path, code)) is Verdict.READY
