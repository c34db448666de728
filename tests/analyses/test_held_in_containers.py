"""Shared values and queues that containers of modules hold. Measured with CPython 3.11: forked workers share them with
the main process, spawned ones make their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict
from tests.migration.test_verdicts import migrated, worst

CODE = """\
import multiprocessing as mp
import threading


class Tally:
    def __init__(self, counter):
        self.counter = counter
        self.title = "ports"

    def add(self, n=1):
        with self.counter.get_lock():
            self.counter.value += n

    def describe(self):
        return self.title


opened, closed = {values}
OPENED = mp.Value("i", 0)
{table}


class Board:
    tallies = {{True: mp.Value("i", 0), False: mp.Value("i", 0)}}
    words = {{True: "open", False: "closed"}}


def prepare(tallies):
    global TALLIES
    TALLIES = tallies


def scan(port):
    {use}


def main():
    with mp.Pool(2{pool}) as pool:
        pool.map(scan, range(20))
    print(OPENED.value)


if __name__ == "__main__":
    main()
"""
OBJECTS = "TALLIES = {True: Tally(OPENED), False: Tally(OPENED)}"
VALUES = "TALLIES = {True: OPENED, False: mp.Value('i', 0)}"
PLAIN = "TALLIES = {True: 'open', False: 'closed'}"


def said(folder: Path, table: str, use: str, pool: str = "") -> Verdict:
    return worst(migrated(folder, CODE.format(table=table, use=use, pool=pool, values="1, 2")))


@pytest.mark.parametrize(
    ("table", "use"),
    [
        (OBJECTS, "TALLIES[port > 9].add()"),
        (OBJECTS, "for tally in TALLIES.values():\n        tally.add()"),
        (OBJECTS, "TALLIES[port > 9].counter.value += 1"),
        (VALUES, "TALLIES[port > 9].value += 1"),
        (VALUES, "TALLIES.get(port > 9).value += 1"),
        ("TALLIES = [mp.Value('i', 0), OPENED]", "TALLIES[port > 9].value += 1"),
        ("TALLIES = [mp.Value('i', 0) for _ in range(20)]", "TALLIES[port].value += 1"),
        ("TALLIES = {'ports': {True: OPENED}}", "TALLIES['ports'][True].value += 1"),
        (PLAIN, "Board.tallies[port > 9].value += 1"),
    ],
)
def test_each_worker_has_its_own(table: str, use: str, tmp_path: Path) -> None:
    assert said(tmp_path, table, use) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("table", "use", "pool"),
    [
        (PLAIN, "print(TALLIES[port > 9])", ""),
        (PLAIN, "print(Board.words[port > 9])", ""),
        (OBJECTS, "print(len(TALLIES), port > 9)", ""),
        (OBJECTS, "print(TALLIES[port > 9].describe())", ""),
        (VALUES, "print(port in TALLIES)", ""),
        ("TALLIES = {True: threading.Lock(), False: threading.Lock()}", "TALLIES[port > 9].acquire()", ""),
    ],
)
def test_what_is_no_shared_object_or_is_passed(table: str, use: str, pool: str, tmp_path: Path) -> None:
    assert said(tmp_path, table, use, pool) is Verdict.READY


def test_what_the_initializer_gives_workers(tmp_path: Path) -> None:
    use, pool = "TALLIES[port > 9].value += 1", ", initializer=prepare, initargs=(TALLIES,)"
    assert said(tmp_path, VALUES, use, pool) not in (Verdict.CHANGES, Verdict.BREAKS)


QUEUES = """\
import multiprocessing as mp

QUEUES = {{"low": mp.Queue(), "high": mp.Queue()}}


def scan(number):
    QUEUES["low" if number < 2 else "high"].put(number)


def main():
    workers = [mp.Process(target=scan, args=(each,)) for each in range(2)]
    for worker in workers:
        worker.start()
    {take}
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("take", ['print(QUEUES["low"].get())', 'print(QUEUES["low"].get(timeout=5))'])
def test_a_main_process_that_waits_at_its_own(take: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, QUEUES.format(take=take))) is Verdict.BREAKS
