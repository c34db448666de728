"""LP255: state-of-each-worker."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Confidence
from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP255"


_PROGRAM = """\
import multiprocessing as mp
import os
import threading
import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

WORKERS = 3
barrier = mp.Barrier(3)
{made}


class Tally:
    total = 0
    words = Counter()

    def __init__(self):
        self.found = 0

    def add(self, word):
        self.found += len(word)


tally = Tally()


def begin():
    {begins}


def count(word):
    {fills}
    return len(word)


def take({given}):
    {takes}


def main(words):
    with {pool} as pool:
        print(sum(pool.map({task}, words)))
        {asks}
        print(parts)


if __name__ == "__main__":
    main(["a", "b"])
"""


def _found(
    made: str = "counts = Counter()",
    begins: str = "print()",
    fills: str = "counts[word] += 1",
    given: str = "_",
    takes: str = "return dict(counts)",
    pool: str = "mp.Pool(WORKERS)",
    task: str = "count",
    asks: str = "parts = pool.map(take, range(WORKERS), chunksize=1)",
) -> list[Confidence]:
    text = _PROGRAM.format(
        made=made, begins=begins, fills=fills, given=given, takes=takes, pool=pool, task=task, asks=asks
    )
    return [each.confidence for each in lint(text, pedantic=True).diagnostics if each.code == "LP255"]


@pytest.mark.parametrize(
    "program",
    [
        {},
        {"given": "unused"},
        {"takes": "return counts"},
        {"takes": "return counts.copy()"},
        {"takes": "return list(counts.items())"},
        {"takes": "return os.getpid(), counts"},
        {"takes": "return {'pid': os.getpid(), 'counts': dict(counts)}"},
        {"takes": "return sum(counts.values())"},
        {"takes": "part = dict(counts)\n    counts.clear()\n    return part"},
        {"takes": "return len(counts)"},
        {"made": "counts = []", "fills": "counts.append(word)", "takes": "return list(counts)"},
        {"made": "counts = defaultdict(list)", "fills": "counts[word[0]].append(word)"},
        {"made": "counts = {}", "fills": "counts.setdefault(word, []).append(1)"},
        {"made": "counts: dict = {}", "fills": "counts.update({word: 1})"},
        {"made": "seen = 0", "fills": "global seen\n    seen += 1", "takes": "return seen"},
        {"made": "counts = None", "begins": "global counts\n    counts = Counter()"},
        {"fills": "tally.add(word)", "takes": "return tally"},
        {"fills": "tally.found += 1", "takes": "return tally.found"},
        {"fills": "Tally.words[word] += 1", "takes": "return Tally.words"},
        {"asks": "parts = pool.map(take, [None] * WORKERS)"},
        {"asks": "parts = list(pool.imap_unordered(take, range(WORKERS)))"},
        {"asks": "parts = pool.map_async(take, range(WORKERS)).get()"},
        {"asks": "parts = [pool.apply_async(take, (each,)) for each in range(WORKERS)]"},
        {"given": "", "asks": "parts = [pool.apply_async(take) for _ in range(WORKERS)]"},
        {"pool": "ProcessPoolExecutor(WORKERS)", "asks": "parts = list(pool.map(take, range(WORKERS)))"},
        {"pool": "ProcessPoolExecutor()", "asks": "parts = [pool.submit(take, each) for each in range(WORKERS)]"},
        {"pool": "mp.Pool()", "asks": "parts = pool.map(take, range(os.cpu_count()), chunksize=1)"},
        {"pool": "mp.Pool(4)", "asks": "parts = pool.map(take, range(4), chunksize=1)"},
    ],
)
def test_each_worker_is_to_be_asked(program: dict[str, str]) -> None:
    assert _found(**program) == [Confidence.LIKELY]


def test_more_tasks_than_workers() -> None:
    assert _found(pool="mp.Pool(4)", asks="parts = pool.map(take, range(100))") == [Confidence.POSSIBLE]


@pytest.mark.parametrize(
    "program",
    [
        pytest.param({"given": "word", "takes": "return counts[word]"}, id="of an item"),
        pytest.param({"given": "word", "takes": "return word, dict(counts)"}, id="uses the item"),
        pytest.param({"takes": "barrier.wait()\n    return dict(counts)"}, id="waits at a barrier"),
        pytest.param({"takes": "time.sleep(1)\n    return dict(counts)"}, id="takes its time"),
        pytest.param({"takes": "return os.getpid()"}, id="no state"),
        pytest.param({"takes": "counts.clear()"}, id="returns nothing"),
        pytest.param({"takes": "return counts['a'] * 2"}, id="computes something of it"),
        pytest.param({"fills": "return word"}, id="nobody fills it"),
        pytest.param({"fills": "counts = {}\n    counts[word] = 1"}, id="fills its own"),
        pytest.param({"fills": "print(counts[word])"}, id="only read"),
        pytest.param({"task": "len"}, id="filled by no task of the pool"),
        pytest.param({"pool": "mp.Pool(1)"}, id="one worker"),
        pytest.param({"pool": "ThreadPoolExecutor(WORKERS)"}, id="threads"),
        pytest.param({"asks": "parts = list(map(take, range(WORKERS)))"}, id="in the main process"),
        pytest.param({"made": "counts = mp.Manager().dict()"}, id="shared by a manager"),
        pytest.param(
            {"made": "total = mp.Value('i')", "fills": "total.value += 1", "takes": "return total.value"}, id="shared"
        ),
        pytest.param(
            {
                "made": "counts = None",
                "begins": "print()\n\n\ndef keep(given):\n    global counts\n    counts = given",
                "pool": "mp.Pool(WORKERS, initializer=keep, initargs=(mp.Manager().dict(),))",
            },
            id="given to the workers",
        ),
    ],
)
def test_other_tasks(program: dict[str, str]) -> None:
    assert _found(**program) == []


def test_gap_one_task_asks_one_worker() -> None:
    asks = "parts = pool.apply(take, (0,))"  # gap: the others are not asked at all
    assert _found(asks=asks) == []
