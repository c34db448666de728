"""LP202: local-function-worker-function."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP202"


_CHOSEN = """\
from concurrent.futures import ProcessPoolExecutor

JOBS = {}


def timed(function):
    def wrapper(*given):
        return function(*given)

    return wrapper


def checked(function):
    return function


def job(name, timing=False):
    def register(function):
        JOBS[name] = CHOICE
        return function

    return register


@job("longest", timing=True)
def longest(text):
    return max(text.split(), key=len)


if __name__ == "__main__":
    with ProcessPoolExecutor(2) as pool:
        for name, function in JOBS.items():
            print(pool.submit(function, name).result())
"""


@pytest.mark.parametrize(
    ("choice", "is_found"),
    [
        ("timed(function) if timing else function", True),
        ("function if not timing else timed(function)", True),
        ("checked(function) if timing else function", False),
    ],
)
def test_a_decorator_keeps_one_of_two_values(choice: str, is_found: bool) -> None:
    found = lint(_CHOSEN.replace("CHOICE", choice)).diagnostics
    assert ("LP202" in [each.code for each in found]) is is_found


_REGISTRY = """\
import functools
import multiprocessing as mp

HANDLERS = {}


def handler(function):
    {wraps}
    def guarded(job):
        return function(job)

    HANDLERS[function.__name__] = guarded
    return guarded


@handler
def square(job):
    return job * job


def main(name):
    with mp.get_context("spawn").Pool(2) as pool:
        print(pool.apply_async(HANDLERS[name], (3,)).get())


if __name__ == "__main__":
    main("square")
"""


@pytest.mark.parametrize(("wraps", "expected"), [("@functools.wraps(function)", []), ("print(function)", ["LP202"])])
def test_a_wrapper_that_its_decorator_keeps(wraps: str, expected: list[str]) -> None:
    """With `wraps`, the name of what it is put around leads to it; which that is, the registry does not say."""
    found = [each.code for each in lint(_REGISTRY.replace("{wraps}", wraps)).diagnostics]
    assert [each for each in found if each == "LP202"] == expected
