"""Context managers of the program's own that give the pool which they make: what is done with it is judged, and the
settings that they make are not those of its workers. The program was run with CPython 3.11 under fork, spawn and
forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
import multiprocessing
import sys


def total(number):
    {first}
    return 0 if number == 0 else number + total(number - 1)


class DeepPool:
    def __init__(self, workers, limit):
        {made}
        self.workers = workers

    def __enter__(self):
        {entered}
        self.pool = multiprocessing.Pool(self.workers)
        return {given}

    def __exit__(self, *error):
        self.pool.terminate()
        {left}


def main():
    with DeepPool(2, limit=6000) as pool:
        print({run}.map(total, [100, 2500]))


if __name__ == "__main__":
    main()
"""
SETS = "sys.setrecursionlimit(6000)"


def said(
    folder: Path,
    made: str = "pass",
    entered: str = "pass",
    left: str = "pass",
    first: str = "pass",
    given: str = "self.pool",
    run: str = "pool",
) -> Verdict:
    code = CODE.format(made=made, entered=entered, left=left, first=first, given=given, run=run)
    return worst(migrated(folder, code))


@pytest.mark.parametrize(("given", "run"), [("self.pool", "pool"), ("self", "pool.pool")])
def test_what_is_set_as_it_is_made_or_entered(given: str, run: str, tmp_path: Path) -> None:
    assert said(tmp_path, made="sys.setrecursionlimit(limit)", given=given, run=run) is Verdict.BREAKS
    assert said(tmp_path, entered=SETS, given=given, run=run) is Verdict.BREAKS
    kept = "self.before = sys.getrecursionlimit(); sys.setrecursionlimit(limit)"
    left = "sys.setrecursionlimit(self.before)"
    assert said(tmp_path, made=kept, left=left, given=given, run=run) is Verdict.BREAKS


@pytest.mark.parametrize("wanted", [{}, {"made": SETS, "first": SETS}])
def test_what_workers_have_too(wanted: dict[str, str], tmp_path: Path) -> None:
    assert said(tmp_path, **wanted) is Verdict.READY
