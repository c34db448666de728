"""LP230: returned-copy-looked-up."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP230"


_LOOPED = """\
import multiprocessing as mp
from collections import namedtuple
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass


{job}


def work(job):
    return {returned}


def main():
    jobs = [Job(number) for number in range(4)]
    pending = {pending}
    with {pool} as pool:
        for {target} in {results}:
            {looks}
    print(pending)


if __name__ == "__main__":
    main()
"""
_JOB = "class Job:\n    def __init__(self, number):\n        self.number = number"
_RETURNED, _PENDING, _POOL = "job", "set(jobs)", "mp.Pool(2)"
_TARGET, _RESULTS, _LOOKS = "job", "pool.imap_unordered(work, jobs)", "pending.remove(job)"


def _found(
    job: str = _JOB,
    returned: str = _RETURNED,
    pending: str = _PENDING,
    pool: str = _POOL,
    target: str = _TARGET,
    results: str = _RESULTS,
    looks: str = _LOOKS,
) -> bool:
    text = _LOOPED.format(
        job=job, returned=returned, pending=pending, pool=pool, target=target, results=results, looks=looks
    )
    found = [each.location.start.row for each in lint(text).diagnostics if each.code == "LP230"]
    assert found in ([], [text[: text.index(f"            {looks}")].count("\n") + 1])
    return bool(found)


@pytest.mark.parametrize(
    ("pending", "looks", "is_missed"),
    [
        ("set(jobs)", "pending.remove(job)", True),
        ("set(jobs)", "pending.discard(job)", True),
        ("list(jobs)", "pending.remove(job)", True),
        ("[*jobs]", "print(pending.index(job))", True),
        ("{each: 1 for each in jobs}", "pending.pop(job)", True),
        ("dict.fromkeys(jobs)", "pending.pop(job)", False),  # gap: what `fromkeys` makes is not known.
        ("{job.number for job in jobs}", "pending.remove(job.number)", False),
        ("set(jobs)", "pending.pop()", False),
        ("{each: 1 for each in jobs}", "pending.pop(job, None)", False),
        ("set()", "pending.add(job)", False),
        ("set()", "pending.add(job); pending.remove(job)", False),
        ("queued(jobs)", "pending.remove(job)", False),
        ("set(jobs)", "print(job)", False),
        ("set(jobs)", "pending.remove(jobs[job.number])", False),
    ],
)
def test_what_looks_for_it(pending: str, looks: str, is_missed: bool) -> None:
    assert _found(pending=pending, looks=looks) is is_missed


@pytest.mark.parametrize(
    ("job", "is_missed"),
    [
        (_JOB, True),
        (f"{_JOB}\n\n    def __repr__(self):\n        return str(self.number)", True),
        ("@dataclass\nclass Job:\n    number: int", False),
        ("@dataclass(frozen=True)\nclass Job:\n    number: int", False),
        ("Job = namedtuple('Job', 'number')", False),
        ("class Job(int):\n    pass", False),
        (f"{_JOB}\n\n    def __eq__(self, other):\n        return self.number == other.number", False),
        (f"{_JOB}\n\n    def __reduce__(self):\n        return known, (self.number,)", False),
        ("from jobs import Job", False),
        ("Job = str", False),
    ],
)
def test_what_equals_itself_alone(job: str, is_missed: bool) -> None:
    assert _found(job=job) is is_missed


@pytest.mark.parametrize(
    ("returned", "target", "looks", "is_missed"),
    [
        ("job", "done", "pending.remove(done)", True),
        ("job, 3", "job, _", "pending.remove(job)", True),
        ("3, job", "_, job", "pending.remove(job)", True),
        ("(job, 3)", "done", "pending.remove(done[0])", True),
        ("job.number", "job", "pending.remove(job)", False),
        ("Job(3)", "job", "pending.remove(job)", False),
        ("changed(job)", "job", "pending.remove(job)", False),
        ("job, 3", "_, job", "pending.remove(job)", False),
    ],
)
def test_what_comes_back(returned: str, target: str, looks: str, is_missed: bool) -> None:
    assert _found(returned=returned, target=target, looks=looks) is is_missed


@pytest.mark.parametrize(
    ("pool", "results", "is_missed"),
    [
        ("mp.Pool(2)", "pool.map(work, jobs)", True),
        ("mp.Pool(2)", "pool.imap(work, jobs)", True),
        ("mp.get_context('fork').Pool(2)", _RESULTS, True),
        ("ProcessPoolExecutor(2)", "pool.map(work, jobs)", True),
        ("ThreadPoolExecutor(2)", "pool.map(work, jobs)", False),
        ("mp.pool.ThreadPool(2)", _RESULTS, False),
        ("mp.Pool(2)", "map(work, jobs)", False),
        ("mp.Pool(2)", "zip(jobs, pool.map(work, jobs))", False),
    ],
)
def test_where_the_work_is_done(pool: str, results: str, is_missed: bool) -> None:
    assert _found(pool=pool, results=results) is is_missed


_CALLED = """\
import multiprocessing as mp


class Job:
    pass


def work(job):
    return job


class Board:
    def __init__(self):
        self.pending = set()

    def submit(self, pool, job):
        {adds}
        pool.apply_async(work, (job,), callback={callback})

    def finished(self, job):
        {looks}

    def failed(self, error):
        print(error)


def main():
    board = Board()
    with mp.Pool(2) as pool:
        for _ in range(4):
            board.submit(pool, Job())
        pool.close()
        pool.join()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("adds", "callback", "looks", "rows"),
    [
        ("self.pending.add(job)", "self.finished", "self.pending.remove(job)", [21]),
        ("self.pending.add(job)", "self.failed", "self.pending.remove(job)", []),
        ("self.pending.add(job)", "None", "self.pending.remove(job)", []),
        ("self.pending.add(job)", "self.finished", "print(job)", []),
        ("pass", "self.finished", "self.pending.add(job)", []),
    ],
)
def test_a_callback(adds: str, callback: str, looks: str, rows: list[int]) -> None:
    found = lint(_CALLED.format(adds=adds, callback=callback, looks=looks)).diagnostics
    assert [each.location.start.row for each in found if each.code == "LP230"] == rows
