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


@pytest.mark.parametrize(
    "reads",
    [
        "str(2**number)",
        "str(10 ** (number * 2) + 1)",
        "str(1 << number)",
        "repr(pow(3, number))",
        "f'{math.comb(number, 40)}'",
        "'%d' % math.factorial(number)",
        "'{}'.format(2**number)",
        "int('9' * number)",
        "int('9' * number + '1')",
        "str(max(2**number, 1))",
        "str(grown(number))",
        "str(handed(number))",
        "str(fibonacci(number))",
        "len(str(number - 7**number))",
    ],
)
def test_numbers_that_are_seen_to_grow_break(reads: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, program(reads))) is Verdict.BREAKS


@pytest.mark.parametrize("reads", ["str(number)", "int(number)", "repr(number)"])
@pytest.mark.parametrize(("given", "verdict"), [("[sum(sys.argv)]", Verdict.CANNOT_TELL), ("[2500]", Verdict.READY)])
def test_of_what_workers_are_given_it_cannot_be_told(reads: str, given: str, verdict: Verdict, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, program(reads).replace("[2500]", given))) is verdict


@pytest.mark.parametrize(("type_", "verdict"), [("int", Verdict.CANNOT_TELL), ("pathlib.Path", Verdict.READY)])
def test_declared_types_of_what_they_are_given(type_: str, verdict: Verdict, tmp_path: Path) -> None:
    code = program("str(number)").replace("def digits(number)", f"def digits(number: {type_})")
    assert worst(migrated(tmp_path, code.replace("[2500]", "[sum(sys.argv)]"))) is verdict


@pytest.mark.parametrize(
    "reads",
    [
        "str(os.getpid())",
        "str(number + 1)",
        "str(2**10)",
        "str(number**2)",
        "str(1.5**number)",
        "str(1 / 2**number)",
        "str(2**number % 97)",
        "str(pow(2, number, 97))",
        "str(len([2**number]))",
        "str(math.factorial(5))",
        "str((2**number).bit_length())",
        "str(10**-number)",
        "int('9' * 5)",
        "int(number, 16)",
        "f'{number}'",
        "hex(2**number)",
        "str(short(number))",
    ],
)
def test_numbers_that_stay_short_do_not(reads: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, program(reads))) is Verdict.READY


def program(reads: str) -> str:
    return PROGRAM.format(sets="with wide(50_000)", reads=reads, begin="pass").replace(
        "def main():", "import os\n\n\n" + HELPERS + "\n\ndef main():"
    )


HELPERS = """\
def grown(number):
    product = 1
    for factor in range(1, number):
        product *= factor
    return product


def handed(number):
    return grown(number)


def fibonacci(number):
    a, b = 0, 1
    for _ in range(number):
        a, b = b, a + b
    return a


def short(number):
    total = 0
    for each in range(number):
        total += each
    return total
"""
