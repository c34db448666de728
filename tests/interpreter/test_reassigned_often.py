"""A variable that is assigned anew in many branches has as many values as there are ways through them: following it
takes no longer than the branches are many."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from textwrap import indent

import pytest

from lintpickle.api import lint_source
from lintpickle.settings import SettingsResolver

_BRANCHES = 26
_SECONDS = 60
"""CPU time. One of these takes less than a second on a machine that is slow."""

PROGRAM = """
import multiprocessing as mp
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.shared_memory import SharedMemory

import numpy as np
import torch
from torch.utils.data import DataLoader


class Node:
    def __init__(self, left, right):
        self.left = left
        self.right = right


def either(x, y):
    return x if y else [y, x]


class Job:
    def work(self, x, y, flag):
        self.x = x
{assignments}
        return x

    def start(self, x, y, flag):
{assignments}
        process = mp.Process(target=self.work, args=(x, y, flag))
        process.start()
        queue = mp.Queue()
        queue.put(x)
        with mp.Pool(2) as pool:
            results = pool.map(self.work, x)
        with ProcessPoolExecutor() as executor:
            future = executor.submit(self.work, x, y, flag)
        torch.save(x, "x.pt")
        for batch in DataLoader(x, num_workers=2):
            print(batch)
        process.join()
        return results, future.result()


if __name__ == "__main__":
    memory = SharedMemory(create=True, size=100)
    Job().start(np.ndarray((10,), buffer=memory.buf), np.zeros(10), int(sys.argv[1]))
    Job().start(open("table"), lambda: 0, int(sys.argv[1]))
"""


@pytest.fixture
def _ends_soon() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError(f"{_SECONDS} seconds of CPU time are gone")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


@pytest.mark.usefixtures("_ends_soon")
@pytest.mark.parametrize(
    "assignment",
    [
        "x = x.T",
        "x, y = x + y, y + x",
        "x = dict(x, key{i}=y)",
        "x = {**x, **y}",
        "x = either(x, y)",
        "x = Node(x, y)",
        "x['key{i}'] = y; y['key{i}'] = x",
        "x.append(y); y.append(x)",
        "x = [*x, *y]",
        "x = f'{x}{y}'",
    ],
)
def test_it_ends(assignment: str) -> None:
    branches = [
        f"if flag > {i}:\n" + indent("\n".join(assignment.replace("{i}", str(i)).split("; ")), "    ")
        for i in range(_BRANCHES)
    ]
    text = PROGRAM.replace("{assignments}", indent("\n".join(branches), " " * 8))
    outcome = lint_source(text, "example.py", resolver=SettingsResolver(isolated=True))
    assert outcome.defects == ()
    assert outcome.diagnostics
