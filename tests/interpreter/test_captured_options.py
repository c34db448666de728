"""Tests of what a nested function, or a method of a nested class, reads of the function around it, and tests that NumPy
connects."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import multiprocessing
import sys

import numpy as np


def made(row, mock=True, quiet=False):
    {nested}


def task(row):
    return made(row, {options})


if __name__ == "__main__":
    with multiprocessing.Pool(2) as pool:
        print(pool.map(task, [1, 2]))
"""
FUNCTION = """\
def check():
        if {test}:
            sys.exit()

    check()
    return row
"""
METHOD = """\
class Box:
        def __init__(self, row):
            self.row = row
            if {test}:
                self.check()

        def check(self):
            sys.exit()

    return Box(row).row
"""
REBOUND = """\
mock = not mock

    def check():
        if {test}:
            sys.exit()

    check()
    return row
"""
BOUND_INSIDE = """\
def change():
        nonlocal mock
        mock = False

    def check():
        if {test}:
            sys.exit()

    change()
    check()
    return row
"""


def _found(nested: str, test: str, options: str, pedantic: bool = False) -> bool:
    text = PROGRAM.format(nested=nested.format(test=test), options=options)
    return [code for _, code in marks(text, pedantic=pedantic)] == ["LP239"]


@pytest.mark.parametrize("nested", [FUNCTION, METHOD])
@pytest.mark.parametrize(
    ("test", "options", "holds"),
    [
        ("not mock", "mock=True", False),
        ("not mock", "mock=False", True),
        ("not mock", "", False),
        ("quiet", "", False),
        ("np.logical_and(not mock, not quiet)", "mock=False, quiet=True", False),
        ("np.logical_and(not mock, not quiet)", "mock=False", True),
        ("np.logical_or(not mock, quiet)", "quiet=True", True),
        ("np.logical_or(not mock, quiet)", "", False),
    ],
)
def test_options_of_the_function_around(nested: str, test: str, options: str, holds: bool) -> None:
    assert _found(nested, test, options) is holds


@pytest.mark.parametrize("nested", [REBOUND, BOUND_INSIDE])
def test_options_that_are_bound_anew_are_not_decided(nested: str) -> None:
    assert _found(nested, "not mock", "mock=True", pedantic=True)
