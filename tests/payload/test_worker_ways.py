"""What no worker gets to, by what calls on the way pass, is not reported; what one call leads to is."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import argparse
import multiprocessing as mp
from pathlib import Path

FOLDER = None


def set_folder(folder):
    global FOLDER
    FOLDER = folder


def get_folder():
    return FOLDER  # row 14


def save(rows, folder=None, name="rows"):
    if folder is None:
        folder = get_folder()
    return folder / name


def save_all(rows, **options):
    return save(rows, **options)


def save_twice(rows, folder):
    save(rows, folder)
    return save(rows, name="again", folder=folder)


def save_if(rows, folder, is_saved=False):
    if is_saved:
        save(rows)


def save_again(rows, times):
    save_again(rows, times - 1) if times else save(rows, None)


def work(rows, folder=None):
    {}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path)
    args = parser.parse_args()
    set_folder(args.folder)
    with mp.get_context("spawn").Pool(4) as pool:
        pool.map(work, [[1], [2]])
"""
EXCLUDED = {
    "an object of a class": "save(rows, Path(rows[0]))",
    "what operators give": 'save(rows, folder=rows[0] / "x")',
    "a text": 'save(rows, folder=f"{rows[0]}")',
    "handed on": 'save_all(rows, name="x", folder=Path(rows[0]))',
    "handed on with what is not known": "save_all(rows, folder=Path(rows[0]), **rows[1])",
    "passed on": "save_twice(rows, Path(rows[0]))",
    "by a default": "if folder is not None:\n        folder = rows[0]\n        save(rows, folder)",
    "only where it is given": "if folder is not None:\n        save(rows, folder)",
    "only where it is given, passed on": "if folder is not None:\n        save_twice(rows, folder)",
    "a flag that is off": "save_if(rows, None)",
    "a flag that is off, and one of several": "save_if(rows, None)\n    save(rows, Path(rows[0]))",
}
OPEN = {
    "nothing": "save(rows)",
    "None": "save(rows, folder=None)",
    "what is not known": "save(rows, rows[0])",
    "what is not known, passed on": "save_twice(rows, rows[0])",
    "handed on without it": 'save_all(rows, name="x")',
    "handed on with what is not known": 'save_all(rows, name="x", **rows[0])',
    "one of several calls": "save(rows, Path(rows[0]))\n    save(rows)",
    "one of several calls further out": "save_twice(rows, Path(rows[0]))\n    save_twice(rows, None)",
    "given anew before": "if rows is not None:\n        rows = rows[0]\n        save(1, rows)",
    "the contrary": "if folder is None:\n        save(rows, folder)",
    "a flag that is on": "save_if(rows, None)\n    save_if(rows, None, True)",
    "a recursive function": "save_again(rows, 3)",
    "directly": "save(rows, Path(rows[0]))\n    print(get_folder())",
}


@pytest.mark.parametrize("lines", EXCLUDED.values(), ids=EXCLUDED)
def test_no_worker_gets_there(lines: str) -> None:
    assert marks(PROGRAM.format(lines)) == []


@pytest.mark.parametrize("lines", OPEN.values(), ids=OPEN)
def test_a_worker_gets_there(lines: str) -> None:
    assert marks(PROGRAM.format(lines)) == [(14, "LP208")]


READS = """\
import multiprocessing as mp
import sys

LEVEL = 0


def set_level(level):
    global LEVEL
    LEVEL = level


def leveled(rows, level=None):
    if level is None:
        level = LEVEL
    {}
    return level


def work(rows):
    return leveled(rows, level=3)


if __name__ == "__main__":
    set_level(int(sys.argv[1]))
    with mp.get_context("spawn").Pool(4) as pool:
        pool.map(work, [[1], [2]])
"""


def test_what_is_read_under_a_condition() -> None:
    assert marks(READS.format("pass")) == []


def test_what_is_read_again_elsewhere() -> None:
    assert marks(READS.format("print(LEVEL)")) == [(14, "LP208")]
