"""Functions and classes that are passed on, and started by those that get them."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
from multiprocessing import get_context


def work(job, done=None):
    print(job, done)


def start(job, **options):
    get_context("spawn").Process(target=work, args=(job,), kwargs=options).start()


def run_here(job, **options):
    work(job, **options)


class Starts:
    def __init__(self, job):
        get_context("spawn").Process(target=work, args=(job,)).start()


class RunsHere:
    def __init__(self, job):
        work(job)


{code}

if __name__ == "__main__":
    main()
"""
KEPT = """\
class Jobs:
    def __init__(self, start):
        self._start = start

    def run(self, job):
        def done():
            print(job)

        self._start(job, done=done)


def main():
    Jobs({0}).run("a")
"""
CALLABLE = """\
class Jobs:
    def __init__(self, start_function):
        self.start_function = start_function

    def __call__(self, *args, **kwargs):
        kwargs["done"] = lambda: print(args)
        return self.start_function(*args, **kwargs)


def main():
    Jobs({0})("a")
"""
PARAMETER = """\
def each(jobs, begin=run_here):
    for job in jobs:
        begin(job, done=lambda: print(job))


def main():
    each(["a"], begin={0})
"""
MADE = """\
def make(job, backend=RunsHere):
    return backend(job)


def main():
    make(lambda: 3, backend={0})
"""


@pytest.mark.parametrize(
    ("code", "started", "found"),
    [
        (KEPT, "start", "LP103"),
        (CALLABLE, "start", "LP102"),
        (PARAMETER, "start", "LP102"),
        (MADE, "Starts", "LP102"),
    ],
)
def test_what_they_are_given_crosses(code: str, started: str, found: str) -> None:
    assert [code for _, code in marks(PROGRAM.format(code=code.format(started)))] == [found]


@pytest.mark.parametrize(
    ("code", "run"), [(KEPT, "run_here"), (CALLABLE, "run_here"), (PARAMETER, "run_here"), (MADE, "RunsHere")]
)
def test_what_runs_here_does_not(code: str, run: str) -> None:
    assert marks(PROGRAM.format(code=code.format(run))) == []


def test_a_function_that_is_passed_and_not_called() -> None:
    code = "def named(function):\n    return function.__name__\n\n\ndef main():\n    print(named(start), lambda: 3)\n"
    assert marks(PROGRAM.format(code=code)) == []


def test_what_another_object_keeps() -> None:
    code = KEPT.format("run_here") + "    Jobs(start)\n"
    assert [code for _, code in marks(PROGRAM.format(code=code))] == ["LP103"]
