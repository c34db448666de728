"""The making of a pool counts by its tasks, unless there is something to say of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Migration, Verdict
from lintpickle.settings import SettingsResolver

PROGRAM = """\
import multiprocessing
from concurrent.futures import ProcessPoolExecutor


def prepare():
    pass


def work(number):
    return number + 1


def main():
    {0}


if __name__ == "__main__":
    main()
"""


def migrated(folder: Path, body: str) -> Migration:
    (folder / "main.py").write_text(PROGRAM.format(body), encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    return migrate([str(folder)], resolver, StartMethod.SPAWN, "3.11")


@pytest.mark.parametrize(
    ("body", "counted", "all_of_them"),
    [
        pytest.param("with multiprocessing.Pool(2) as pool:\n        print(pool.map(work, [1]))", 1, 2, id="a pool"),
        pytest.param("with ProcessPoolExecutor(2) as pool:\n        pool.submit(work, 1)", 1, 2, id="an executor"),
        pytest.param(
            "with multiprocessing.Pool(2) as pool:\n        pool.map(work, [1])\n        pool.map(work, [2])",
            2,
            3,
            id="two tasks",
        ),
        pytest.param("with multiprocessing.Pool(2) as pool:\n        pass", 1, 1, id="no task is seen"),
        pytest.param(
            "with multiprocessing.Pool(2, prepare) as pool:\n        print(pool.map(work, [1]))",
            2,
            2,
            id="an initializer runs",
        ),
        pytest.param("multiprocessing.Process(target=work, args=(1,)).start()", 1, 1, id="a process"),
    ],
)
def test_what_counts(body: str, counted: int, all_of_them: int, tmp_path: Path) -> None:
    found = migrated(tmp_path, body)
    assert found.count(Verdict.READY) == len(found.counted) == counted
    assert len(found.boundaries) == max(all_of_them, counted)
    assert found.is_ready


def test_a_making_with_something_to_say_counts(tmp_path: Path) -> None:
    found = migrated(
        tmp_path,
        "with multiprocessing.Pool(2, lambda: None) as pool:\n        print(pool.map(work, [1]))",
    )
    assert found.count(Verdict.BREAKS) == 1
    assert len(found.counted) == len(found.boundaries) == 2
