"""Containers of an object that its methods fill: what they hold where they are read and shipped by themselves."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """\
import multiprocessing


class Task:
    def __init__(self, function, *arguments):
        self.function, self.arguments = function, arguments


class Jobs:
    def __init__(self):
        self.waiting = {container}

    def add(self, function):
        {put}

    def run(self):
        with multiprocessing.Pool(1) as pool:
            return pool.map(work, self.waiting)


def work(task):
    return task


def main():
    jobs = Jobs()
    jobs.add(lambda row: row)
    {ships}


if __name__ == "__main__":
    main()
"""
POOL = "with multiprocessing.Pool(1) as pool:\n        print(pool.{0})"
BY_METHOD = "jobs.run()"


@pytest.mark.parametrize(
    ("container", "put", "ships"),
    [
        ("[]", "self.waiting.append(function)", BY_METHOD),
        ("[]", "self.waiting.append(Task(function, 1))", BY_METHOD),
        ("[]", "self.waiting.extend([1, function])", BY_METHOD),
        ("[]", "self.waiting.append(function)", POOL.format("map(work, jobs.waiting)")),
        ("[]", "self.waiting.append(Task(function))", POOL.format("apply(work, (jobs.waiting,))")),
    ],
)
def test_what_was_put_in_is_shipped(container: str, put: str, ships: str) -> None:
    assert (27, "LP102") in marks(TEXT.format(container=container, put=put, ships=ships))


@pytest.mark.parametrize(
    ("container", "put", "ships"),
    [
        ("{}", "self.waiting[1] = function", BY_METHOD),  # A mapping gives its keys.
        ("[]", "self.waiting.append(function(1))", BY_METHOD),
        ("[]", "print(function)", BY_METHOD),
    ],
)
def test_what_is_not_shipped(container: str, put: str, ships: str) -> None:
    assert marks(TEXT.format(container=container, put=put, ships=ships)) == []


TAKEN_OUT = """\
import multiprocessing
import threading


class Job:
    def __init__(self):
        self.lock = threading.Lock()
        self.size = 4

    def loop(self):
        print(self.size)


def main():
    job = Job()
    {steps}
    process = multiprocessing.Process(target=job.loop)
    process.start()
    process.join()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    "steps",
    [
        "job.__dict__.pop('lock')",
        "lock = vars(job).pop('lock', None)",
        "for name in ('lock', 'cache'):\n        setattr(job, name, None)",
        "for name in ('lock', 'cache'):\n        if hasattr(job, name):\n            setattr(job, name, None)",
    ],
)
def test_what_is_taken_out_first(steps: str) -> None:
    assert marks(TAKEN_OUT.format(steps=steps)) == []


@pytest.mark.parametrize(
    "steps",
    [
        "job.__dict__.pop('size')",
        "job.__dict__.get('lock')",
        "for name in ('size', 'cache'):\n        setattr(job, name, None)",
        "for name in ('lock', 'cache'):\n        if job.size:\n            setattr(job, name, None)",
        "if job.size:\n        job.__dict__.pop('lock')",
    ],
)
def test_what_stays(steps: str) -> None:
    assert [code for _, code in marks(TAKEN_OUT.format(steps=steps))] == ["LP111"]
