"""Items of a mapping of the module of which a comprehension keeps some."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
import argparse
import multiprocessing as mp
import threading

SIZES = {sizes}


def work(name, size):
    print(name, size)


def whole(sizes):
    print(sorted(sizes))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only")
    args = parser.parse_args()
    chosen = {{name: size for name, size in SIZES.items() if {test}}}
    {start}


if __name__ == "__main__":
    main()
"""
PLAIN = '{"docs": 3, "music": 2}'
LOCKED = '{"docs": threading.Lock(), "music": 2}'
TESTS = ["args.only in (None, name)", "size and name.startswith(args.only)", "name == args.only"]
STARTS = [
    "for name, size in chosen.items():\n        mp.Process(target=work, args=(name, size)).start()",
    "for name in chosen:\n        mp.Process(target=work, args=(name, chosen[name])).start()",
    "mp.Process(target=whole, args=(chosen,)).start()",
]


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("start", STARTS)
def test_all_that_may_be_left_is_data(tmp_path: Path, test: str, start: str) -> None:
    assert worst(migrated(tmp_path, CODE.format(sizes=PLAIN, test=test, start=start))) is Verdict.READY


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("start", STARTS)
def test_what_does_not_pickle_may_be_left(tmp_path: Path, test: str, start: str) -> None:
    assert worst(migrated(tmp_path, CODE.format(sizes=LOCKED, test=test, start=start))) is Verdict.CANNOT_TELL
