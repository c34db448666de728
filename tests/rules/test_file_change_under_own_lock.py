"""LP250: file-change-under-own-lock."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import changed, lint


class TestPage(PageTests):
    code = "LP250"


PROGRAM = """\
import json
import multiprocessing as mp
import os
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd

TOTALS = "totals.json"
lock = threading.Lock()
counts = {}


def load(path):
    with open(path) as file:
        return json.load(file)


def save(path, totals):
    own = f"{path}.{os.getpid()}"
    with open(own, "w") as file:
        json.dump(totals, file)
    os.replace(own, path)


def add(number, name="n"):
    with lock:
        totals = load(TOTALS)
        totals["n"] += number
        save(TOTALS, totals)


def main(paths):
    with mp.Pool(2) as pool:
        pool.map(add, range(100))


if __name__ == "__main__":
    main(["a.json", "b.json"])
"""
MADE = "lock = threading.Lock()"
HELD = "    with lock:\n"
CHANGED = '        totals = load(TOTALS)\n        totals["n"] += number\n        save(TOTALS, totals)\n'
POOL = "    with mp.Pool(2) as pool:\n        pool.map(add, range(100))\n"


def found(*changes: tuple[str, str]) -> list[tuple[str, list[str]]]:
    told = lint(changed(PROGRAM, *changes), pedantic=True).diagnostics
    return [
        (each.confidence.value, [method.value for method in each.start_methods])
        for each in told
        if each.code == "LP250"
    ]


def body(*rows: str) -> tuple[str, str]:
    return CHANGED, "".join(f"        {each}\n" for each in rows)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param((), id="by functions"),
        pytest.param(((MADE, "lock = threading.RLock()"),), id="RLock"),
        pytest.param(((HELD, "    own = threading.Lock()\n    with own:\n"),), id="made by the task"),
        pytest.param(((HELD, "    lock.acquire()\n    if True:\n"),), id="acquired"),
        pytest.param(
            (
                (HELD, "    lock.acquire()\n    try:\n"),
                ("save(TOTALS, totals)\n", "save(TOTALS, totals)\n    finally:\n        lock.release()\n"),
            ),
            id="released at the end",
        ),
        pytest.param(
            (body("totals = json.load(open(TOTALS))", "json.dump(totals, open(TOTALS, 'w'))"),), id="open in the block"
        ),
        pytest.param(
            (body("path = Path(TOTALS)", "totals = path.read_text()", "path.write_text(totals)"),), id="of a variable"
        ),
        pytest.param((body("with open(TOTALS, 'r+') as file:", "    file.write(file.read())"),), id="open for both"),
        pytest.param((body("rows = np.load(TOTALS)", "np.save(TOTALS, rows)"),), id="numpy"),
        pytest.param((body("rows = pd.read_csv(TOTALS)", "rows.to_csv(TOTALS)"),), id="pandas"),
        pytest.param(((POOL, POOL.replace("mp.Pool", "ProcessPoolExecutor")),), id="executor"),
        pytest.param(
            ((POOL, "    for n in range(4):\n        mp.Process(target=add, args=(n,)).start()\n"),), id="processes"
        ),
        pytest.param(
            (
                ("def add(number, name", "def add(path, number, name"),
                (CHANGED, CHANGED.replace("TOTALS", "path")),
                (POOL, "    for n in range(4):\n        mp.Process(target=add, args=(paths[0], n)).start()\n"),
            ),
            id="one file that is given",
        ),
        pytest.param(
            (
                ("def add(number, name", "def add(path, number, name"),
                (CHANGED, CHANGED.replace("TOTALS", "path")),
                (
                    POOL,
                    POOL.replace(
                        "pool.map(add, range(100))",
                        "for n in range(9):\n            pool.apply_async(add, (paths[0], n))",
                    ),
                ),
            ),
            id="one file that tasks are given",
        ),
        pytest.param(
            (
                ("def main", "def work(number):\n    for each in range(number):\n        add(each)\n\n\ndef main"),
                ("map(add", "map(work"),
            ),
            id="deeper",
        ),
    ],
)
def test_a_file_is_changed_under_a_lock_of_one_process(changes: tuple[tuple[str, str], ...]) -> None:
    assert found(*changes) == [("certain", ["fork", "spawn", "forkserver"])]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(
            ((MADE, "lock = threading.Lock()\nshared = mp.Lock()"), (HELD, "    with shared, lock:\n")), id="both"
        ),
        pytest.param(((MADE, "lock = mp.Lock()"),), id="a lock of processes"),
        pytest.param(((MADE, "lock = threading.Semaphore(2)"),), id="a semaphore"),
        pytest.param(((HELD, "    with lock, exclusive(TOTALS):\n"),), id="a context manager that is not known"),
        pytest.param(((HELD, "    with lock, FileLock(TOTALS + '.lock'):\n"),), id="a lock of the file"),
        pytest.param(
            (body("with open(TOTALS, 'r+') as file:", "    fcntl.flock(file, 2)", "    file.write(file.read())"),),
            id="flock",
        ),
        pytest.param((body("counts[number] = counts.get(number, 0) + 1"),), id="memory"),
        pytest.param((body("totals = load(TOTALS)", "counts.update(totals)"),), id="only read"),
        pytest.param((body("save(TOTALS, {'n': number})"),), id="only written"),
        pytest.param((body("save(TOTALS, {'n': number})", "load(TOTALS)"),), id="read again"),
        pytest.param((body("totals = load(TOTALS)", "save('other.json', totals)"),), id="another file is written"),
        pytest.param((body("save(f'{number}.json', load(f'{number}.json'))"),), id="a file of the task"),
        pytest.param((body("path = f'{os.getpid()}.json'", "save(path, load(path))"),), id="a file of the process"),
        pytest.param((('TOTALS = "totals.json"', 'TOTALS = f"{os.getpid()}.json"'),), id="a name of the process"),
        pytest.param(
            (body("path = mp.current_process().name", "save(path, load(path))"),), id="the name of the process"
        ),
        pytest.param(
            ((CHANGED, CHANGED.replace("TOTALS", "number")), ("range(100)", "paths")), id="a file that is given"
        ),
        pytest.param(
            (
                ("def add(number, name", "def add(path, number, name"),
                (CHANGED, CHANGED.replace("TOTALS", "path")),
                (POOL, "    for path in paths:\n        start(path)\n"),
                (
                    "def main",
                    "def start(path):\n    for n in range(4):\n        mp.Process(target=add, args=(path, n)).start()\n"
                    "\n\ndef main",
                ),
            ),
            id="a file for each group",
        ),
        pytest.param(
            (
                (CHANGED, CHANGED.replace("TOTALS", "name")),
                (POOL, "    for path in paths:\n        mp.Process(target=add, args=(1, path)).start()\n"),
            ),
            id="another file for each process",
        ),
        pytest.param(
            (("def main", "def begin(path):\n    global TOTALS\n    TOTALS = path\n\n\ndef main"),),
            id="a name that is set",
        ),
        pytest.param(((POOL, POOL.replace("mp.Pool(2)", "mp.Pool(1)")),), id="one worker"),
        pytest.param(((POOL, POOL.replace("mp.Pool(2)", "ThreadPoolExecutor(2)")),), id="threads"),
        pytest.param(((POOL, "    mp.Process(target=add, args=(1,)).start()\n"),), id="one process"),
        pytest.param(
            ((POOL, "    add(1)\n    with mp.Pool(2) as pool:\n        pool.map(load, paths)\n"),), id="no worker"
        ),
        pytest.param(((HELD, "    lock.acquire()\n    lock.release()\n    if True:\n"),), id="released before"),
        pytest.param(
            ((HELD, "    if mp.parent_process().pid == 1:\n        return\n    with lock if number else None:\n"),),
            id="perhaps",
        ),
    ],
)
def test_what_others_do_not_change_meanwhile(changes: tuple[tuple[str, str], ...]) -> None:
    assert found(*changes) == []


def test_rows_that_are_appended() -> None:
    rows = body("with open(TOTALS, 'a') as file:", "    file.write('row')")
    assert found(rows) == [("possible", ["fork", "spawn", "forkserver"])]


LEDGER = """\
import json
import multiprocessing as mp
import os
import threading
from pathlib import Path


class Ledger:
    def __init__(self, path):
        self.path = Path(path)
        self.guard = threading.Lock()

    def __getstate__(self):
        state = self.__dict__.copy()
        del state["guard"]
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.guard = threading.Lock()

    def _load(self):
        return json.loads(self.path.read_text())

    def _save(self, totals):
        own = self.path.with_suffix(f".{threading.get_native_id()}.tmp")
        own.write_text(json.dumps(totals))
        own.replace(self.path)

    def add(self, number):
        with self.guard:
            totals = self._load()
            totals["n"] += number
            self._save(totals)


def work(ledger):
    ledger.add(1)


def make(number):
    Ledger("totals.json").add(number)


def main(path):
    ledger = Ledger(path)
    with mp.Pool(2) as pool:
        pool.map(ledger.add, range(100))


if __name__ == "__main__":
    main("totals.json")
"""
TOLD = "pool.map(ledger.add, range(100))"
STATE = LEDGER[LEDGER.index("    def __getstate__") : LEDGER.index("    def _load")]


def found_in_ledger(*changes: tuple[str, str]) -> list[list[str]]:
    told = lint(changed(LEDGER, *changes), pedantic=True).diagnostics
    return [[method.value for method in each.start_methods] for each in told if each.code == "LP250"]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param((), id="an object that is sent"),
        pytest.param(((TOLD, "pool.map(make, range(100))"),), id="made by the task"),
        pytest.param(
            ((TOLD, "for n in range(9):\n            pool.apply_async(work, (ledger,))"),), id="given to tasks"
        ),
        pytest.param(
            (
                (STATE, ""),
                ("        self.guard = threading.Lock()\n", ""),
                ("    def __init__", "    guard = threading.Lock()\n\n    def __init__"),
            ),
            id="of the class",
        ),
    ],
)
def test_an_object_with_a_lock(changes: tuple[tuple[str, str], ...]) -> None:
    assert found_in_ledger(*changes) == [["fork", "spawn", "forkserver"]]


def test_a_lock_that_is_only_forked() -> None:
    start = "for n in range(4):\n        mp.Process(target=ledger.add, args=(n,)).start()"
    pool = "with mp.Pool(2) as pool:\n        " + TOLD
    assert found_in_ledger((STATE, ""), (pool, start)) == [["fork"]]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(((STATE, ""),), id="it cannot be pickled"),
        pytest.param(((TOLD, 'pool.map(work, [Ledger("a"), Ledger("b")])'),), id="objects of their own"),
        pytest.param(((TOLD, "pool.map(work, [Ledger(n) for n in range(9)])"),), id="an object for each"),
        pytest.param((("Path(path)", "Path(f'{path}.{os.getpid()}')"),), id="a file of the process"),
        pytest.param(
            ((TOLD, "pool.map(make, range(100))"), ('Ledger("totals.json")', "Ledger(number)")), id="a file of the task"
        ),
        pytest.param((("self.guard = threading.Lock()", "self.guard = mp.Lock()"),), id="a lock of processes"),
    ],
)
def test_an_object_of_one_task(changes: tuple[tuple[str, str], ...]) -> None:
    assert found_in_ledger(*changes) == []
