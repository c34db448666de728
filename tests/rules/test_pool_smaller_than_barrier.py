"""LP319: pool-smaller-than-barrier."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP319"


_PROGRAM = """\
import argparse
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor
from functools import partial

NAMES = ["a", "b", "c"]
_gate = None


def start(gate):
    global _gate
    _gate = gate


def run(number):
    _gate.wait()
    return number


def run_with_time(number):
    _gate.wait(5)


def run_perhaps(number):
    if number < 2:
        _gate.wait()


def run_at(gate, number):
    gate.wait()


def names_of(path):
    return open(path).read().split()


class Runner:
    def __init__(self, names, jobs=2):
        self.names = names
        self.jobs = jobs

    def run(self):
        gate = mp.Barrier(len(self.names))
        with mp.Pool(self.jobs, start, (gate,)) as pool:
            return pool.map(run, self.names, chunksize=1)


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def main():
    BODY


if __name__ == "__main__":
    main()
"""
_POOL = "gate = {}\nwith mp.Pool({}, start, (gate,)) as pool:\n    print(pool.map({}, NAMES, chunksize=1))"


def _found(body: str) -> list[str]:
    text = _PROGRAM.replace("BODY", body.replace("\n", "\n    "))
    return [each.message for each in lint(text).diagnostics if each.code == "LP319"]


def _in_pool(barrier: str = "mp.Barrier(3)", workers: str = "2", task: str = "run") -> str:
    return _POOL.format(barrier, workers, task)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(_in_pool(), id="numbers"),
        pytest.param(_in_pool("mp.Barrier(parties=3)"), id="by keyword"),
        pytest.param(_in_pool("mp.Barrier(len(NAMES))"), id="length of a list"),
        pytest.param(_in_pool("mp.Barrier(len(NAMES))", "parse().jobs"), id="an option by default"),
        pytest.param(
            "gate = mp.Barrier(3)\nwith mp.Pool(2, start, (gate,)) as pool:\n    pool.apply_async(run, (1,)).get()",
            id="single tasks",
        ),
        pytest.param(
            "gate = mp.Barrier(3)\n"
            "with ProcessPoolExecutor(max_workers=2, initializer=start, initargs=(gate,)) as pool:\n"
            "    print(list(pool.map(run, NAMES)))",
            id="an executor",
        ),
        pytest.param(
            "gate = mp.Manager().Barrier(3)\nwith mp.Pool(2) as pool:\n"
            "    print(pool.map(partial(run_at, gate), NAMES))",
            id="a manager's",
        ),
        pytest.param("Runner(NAMES).run()", id="kept by an object"),
    ],
)
def test_pools_with_too_few_workers(body: str) -> None:
    [message] = _found(body)
    assert "counts `3`" in message
    assert "in a pool of 2" in message


@pytest.mark.parametrize("body", ["Runner(names_of('names')).run()", "Runner(names_of('names'), parse().jobs).run()"])
def test_barriers_that_count_all_tasks(body: str) -> None:
    [message] = _found(body)
    assert "counts `len(self.names)`" in message


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(_in_pool(workers="3"), id="as many"),
        pytest.param(_in_pool(workers="len(NAMES)"), id="as many as the list"),
        pytest.param(_in_pool("mp.Barrier(2)", "3"), id="more workers"),
        pytest.param(_in_pool(workers=""), id="as many as there are processors"),
        pytest.param(_in_pool("mp.Barrier(3, timeout=5)"), id="a time"),
        pytest.param(_in_pool("mp.Barrier(3, None, 5)"), id="a time by place"),
        pytest.param(_in_pool(task="run_with_time"), id="a time at the task"),
        pytest.param(_in_pool(task="run_perhaps"), id="on a condition"),
        pytest.param(
            "gate = mp.Barrier(3)\nwith mp.Pool(2, start, (gate,)) as pool:\n"
            "    pool.map_async(run, NAMES)\n    gate.wait()",
            id="the main process waits, too",
        ),
        pytest.param(_in_pool(task="len"), id="a task that does not wait"),
        pytest.param("Runner(names_of('names'), None).run()", id="size not known"),
        pytest.param(
            "gate = mp.Barrier(3)\nfor number in range(3):\n    mp.Process(target=run_at, args=(gate, number)).start()",
            id="processes",
        ),
        pytest.param(
            "gate = mp.Barrier(len(names_of('names')))\nwith mp.Pool(2, start, (gate,)) as pool:\n"
            "    print(pool.map(run, NAMES))",
            id="number not known",
        ),
    ],
)
def test_pools_that_are_large_enough_or_not_known(body: str) -> None:
    assert _found(body) == []
