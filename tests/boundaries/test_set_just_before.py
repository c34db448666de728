"""A start method that a function sets just before it makes workers."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import multiprocessing as mp
import numpy as np
import sys

START = np.random.rand(3)


def simulate(task):
    return np.random.normal(task)


def run(tasks):
{body}


if __name__ == "__main__":
    before = mp.get_start_method()
    run(range(int(sys.argv[1])))
    mp.set_start_method(sys.argv[2], force=True)
"""

SPAWNED = {
    "and set back later": """\
    before = mp.get_start_method()
    mp.set_start_method("spawn", force=True)
    pool = mp.Pool(4)
    found = pool.map(simulate, tasks)
    mp.set_start_method(before, force=True)
    return found
""",
    "in a try": """\
    try:
        mp.set_start_method(method="forkserver", force=True)
        with mp.Pool(4) as pool:
            return pool.map(simulate, tasks)
    except AttributeError:
        return list(map(simulate, tasks))
""",
    "for processes": """\
    mp.set_start_method("spawn", force=True)
    for task in tasks:
        mp.Process(target=simulate, args=(task,)).start()
""",
}
MAY_BE_FORKED = {
    "set back before": """\
    before = mp.get_start_method()
    mp.set_start_method("spawn", force=True)
    mp.set_start_method(before, force=True)
    with mp.Pool(4) as pool:
        return pool.map(simulate, tasks)
""",
    "by condition": """\
    if sys.platform == "darwin":
        mp.set_start_method("spawn", force=True)
    with mp.Pool(4) as pool:
        return pool.map(simulate, tasks)
""",
    "afterwards": """\
    with mp.Pool(4) as pool:
        found = pool.map(simulate, tasks)
    mp.set_start_method("spawn", force=True)
    return found
""",
    "fork": """\
    mp.set_start_method("fork", force=True)
    with mp.Pool(4) as pool:
        return pool.map(simulate, tasks)
""",
}


def _codes(body: str) -> list[str]:
    return [code for _, code in marks(PROGRAM.format(body=body.rstrip()))]


@pytest.mark.parametrize("body", SPAWNED.values(), ids=SPAWNED)
def test_workers_are_not_taken_to_be_forked(body: str) -> None:
    assert "LP309" not in _codes(body)


@pytest.mark.parametrize("body", MAY_BE_FORKED.values(), ids=MAY_BE_FORKED)
def test_workers_may_be_forked(body: str) -> None:
    assert "LP309" in _codes(body)
