"""Objects that messages write out: `f"{job}"` calls `__str__`, where it stands and if the run gets there."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """\
import threading
from multiprocessing import Process


class Job:
    def __init__(self, name):
        self.name = name
        self.guard = None

    def __str__(self):
        if self.guard is None:
            self.guard = threading.Lock()
        with self.guard:
            return self.name

    def run(self):
        print(self.name)


def tell(job, verbose):
    if verbose:
        print(f"starting {job}")


def tell_twice(job):
    print(f"starting {job}")
    print(f"in a moment: {job}")


def tell_anew(job):
    print(f"starting {job}")
    job.guard = None
    print(f"in a moment: {job}")


def tell_and_forget(job):
    print(f"starting {job}")
    job.guard = None


def start(name, verbose=False):
    job = Job(name)
    {before}
    process = Process(target=job.run)
    process.start()
    process.join()
    {after}


if __name__ == "__main__":
    start("a")
"""


@pytest.mark.parametrize(
    "before",
    [
        'print(f"starting {job}")',
        'print(f"{len(name)} letters: {job!s:>20}")',
        'if not verbose:\n        print(f"starting {job}")',
        "tell(job, True)",
        "tell_twice(job)",
        "tell_anew(job)",
    ],
)
def test_what_is_written_out_before_it_is_shipped(before: str) -> None:
    assert marks(TEXT.replace("{before}", before).replace("{after}", "pass")) == [(12, "LP111")]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("pass", "pass"),
        ('if verbose:\n        print(f"starting {job}")', "pass"),
        ("tell(job, False)", "pass"),
        ('print(f"starting {job}")\n    job.guard = None', "pass"),
        ('print(f"starting {job.name}")', "pass"),
        ("pass", 'print(f"done: {job}")'),
    ],
)
def test_what_is_not(before: str, after: str) -> None:
    assert marks(TEXT.replace("{before}", before).replace("{after}", after)) == []


def test_what_a_helper_takes_back() -> None:
    """# gap: what a helper stores and what it only implies are not followed in their order."""
    text = TEXT.replace("{before}", "tell_and_forget(job)").replace("{after}", "pass")
    assert marks(text) == [(12, "LP111")]
