"""`sys.set_int_max_str_digits` in the main process alone: workers still have 4300 digits. Measured with CPython 3.11:
forked workers make a text of a longer number, others raise a ValueError; 0 is no limit at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

PROGRAM = """\
import contextlib
import math
import multiprocessing
import sys


@contextlib.contextmanager
def wide(digits):
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(digits)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def begin():
    {begin}


def digits(number):
    return {reads}


def main():
    {sets}:
        with multiprocessing.Pool(1, initializer=begin) as pool:
            print(pool.map(digits, [2500]))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
TEXT = "len(str(math.factorial(number)))"


def said(
    folder: Path, sets: str, reads: str = TEXT, begin: str = "pass", to: StartMethod = StartMethod.SPAWN
) -> Verdict:
    return worst(migrated(folder, PROGRAM.format(sets=sets, reads=reads, begin=begin), to))


@pytest.mark.parametrize("to", [StartMethod.SPAWN, StartMethod.FORKSERVER])
@pytest.mark.parametrize(
    "sets",
    [
        "with wide(50_000)",
        "with wide(0)",
        "sys.set_int_max_str_digits(50_000)\n    if True",
        "sys.set_int_max_str_digits(0)\n    if True",
    ],
)
def test_longer_numbers_than_by_default_break(sets: str, to: StartMethod, tmp_path: Path) -> None:
    assert said(tmp_path, sets, to=to) is Verdict.BREAKS


@pytest.mark.parametrize("sets", ["with wide(1000)", "sys.set_int_max_str_digits(1_000)\n    if True"])
def test_a_lower_limit_changes_what_raises(sets: str, tmp_path: Path) -> None:
    assert said(tmp_path, sets) is Verdict.CHANGES


def test_asking_for_the_limit_raises_nothing(tmp_path: Path) -> None:
    assert said(tmp_path, "with wide(50_000)", "sys.get_int_max_str_digits()") is Verdict.CHANGES


@pytest.mark.parametrize(
    ("reads", "begin"), [("number.bit_length()", "pass"), (TEXT, "sys.set_int_max_str_digits(50_000)")]
)
def test_workers_that_need_no_limit_of_main(reads: str, begin: str, tmp_path: Path) -> None:
    assert said(tmp_path, "with wide(50_000)", reads, begin) is Verdict.READY
