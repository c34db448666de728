"""Tasks that objects of `operator` are: `pool.map(attrgetter("total"), orders)`; and what main reads by them."""

from __future__ import annotations

import pytest

from tests.support import marks

TASKS = """\
import threading
from multiprocessing import Pool
from multiprocessing.pool import ThreadPool
from operator import attrgetter, methodcaller


class Inner:
    def __init__(self, number):
        self.number = number

    @property
    def guard(self):
        return threading.Lock()

    def locked(self, number=0):
        return threading.Lock()

    def plain(self):
        return self.number


class Box:
    def __init__(self, number):
        self.inner = Inner(number)

    @property
    def title(self):
        return str(self.inner.number)


def main(numbers):
    boxes, inners = [Box(each) for each in numbers], [Inner(each) for each in numbers]
    with Pool(2) as pool, ThreadPool(2) as threads:
        print(list({task}))


if __name__ == "__main__":
    main([1, 2])
"""


@pytest.mark.parametrize(
    ("task", "row"),
    [
        ("pool.map(attrgetter('guard'), inners)", 13),
        ("pool.map(attrgetter('inner.guard'), boxes)", 13),
        ("pool.map(attrgetter('title', 'inner.guard'), boxes)", 13),
        ("pool.imap(methodcaller('locked', 3), inners)", 16),
        ("pool.map(methodcaller('locked'), [Inner(3)])", 16),
    ],
)
def test_what_is_sent_back(task: str, row: int) -> None:
    assert marks(TASKS.format(task=task)) == [(row, "LP206")]


@pytest.mark.parametrize(
    "task",
    [
        "pool.map(attrgetter('number'), inners)",
        "pool.map(attrgetter('title'), boxes)",
        "pool.map(attrgetter('inner'), boxes)",
        "pool.map(attrgetter('real'), numbers)",
        "pool.map(methodcaller('plain'), inners)",
        "threads.map(attrgetter('guard'), inners)",
        "map(attrgetter('guard'), inners)",
        "pool.map(print, [attrgetter('guard')])",
    ],
)
def test_what_can_be_or_is_not_sent_back(task: str) -> None:
    assert marks(TASKS.format(task=task)) == []


READS = """\
from multiprocessing import Pool
from operator import attrgetter


class State:
    def __init__(self):
        self.done = False


class Job:
    def __init__(self, number):
        self.number = number
        self.done = False

    def go(self):
        self.done = True


def run(job):
    job.go()


def main(numbers):
    jobs, states = [Job(each) for each in numbers], [State()]
    with Pool(2) as pool:
        pool.map(run, jobs)
    {read}


if __name__ == "__main__":
    main([1, 2])
"""


@pytest.mark.parametrize(
    ("read", "fires"),
    [
        ("print(all(map(attrgetter('done'), jobs)))", True),
        ("print(sorted(jobs, key=attrgetter('number', 'done')))", True),
        ("print(attrgetter('done')(jobs[0]))", True),
        ("key = attrgetter('done'); print(max(jobs, key=key))", True),
        ("print(all(map(attrgetter('number'), jobs)))", False),
        ("print(all(map(attrgetter('done'), states)))", False),
        ("print(attrgetter('done'))", False),
    ],
)
def test_what_main_reads(read: str, fires: bool) -> None:
    assert marks(READS.format(read=read)) == ([(16, "LP207")] if fires else [])
