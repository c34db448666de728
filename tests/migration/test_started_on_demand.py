"""Executors that fork start all workers at once, others as tasks need them: how often an initializer runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict
from tests.migration.test_migrate import migrated
from tests.support import changed

_PROGRAM = """\
import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path


def take(folder):
    Path(folder, str(os.getpid())).write_text("taken")


def check_in(folder):
    take(folder)


def solve(number):
    return number * 2


def main(folder):
    with ProcessPoolExecutor(max_workers=3, initializer=check_in, initargs=(folder,)) as pool:
        print(pool.submit(solve, 2).result())
    print(len(os.listdir(folder)))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main(sys.argv[1])
"""
_TASK = "print(pool.submit(solve, 2).result())"
_WRITES = 'Path(folder, str(os.getpid())).write_text("taken")'


def said(folder: Path, *changes: tuple[str, str]) -> Verdict:
    found = migrated(folder, program=changed(_PROGRAM, *changes)).boundaries
    return next((each.verdict for each in found if each.verdict is not Verdict.READY), Verdict.READY)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param((_TASK, _TASK), id="one task"),
        pytest.param((_TASK, f"for _ in range(9):\n            {_TASK}"), id="one after the other"),
        pytest.param((_TASK, "print(list(pool.map(solve, [1, 2])))"), id="fewer than workers"),
        pytest.param(("max_workers=3", "max_workers=int(folder)"), id="nobody knows how many workers"),
        pytest.param((_WRITES, "print('ready')"), id="it prints"),
    ],
)
def test_how_often_it_runs_is_not_known(change: tuple[str, str], tmp_path: Path) -> None:
    assert said(tmp_path, change) is Verdict.CANNOT_TELL


@pytest.mark.parametrize(
    "change",
    [
        pytest.param((_TASK, "print(list(pool.map(solve, [1, 2, 3])))"), id="as many tasks as workers"),
        pytest.param((_TASK, "print(list(pool.map(solve, range(int(folder)))))"), id="nobody knows how many tasks"),
        pytest.param(
            (_TASK, "print([each.result() for each in [pool.submit(solve, n) for n in range(9)]])"), id="many at once"
        ),
        pytest.param((_WRITES, "global kept\n    kept = folder"), id="nothing that shows"),
        pytest.param(("initializer=check_in, initargs=(folder,)", ""), id="no initializer"),
        pytest.param(("max_workers=3", "max_workers=1"), id="one worker"),
    ],
)
def test_nothing_changes(change: tuple[str, str], tmp_path: Path) -> None:
    assert said(tmp_path, change) is Verdict.READY
