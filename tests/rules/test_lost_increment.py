"""LP238: lost-increment."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import changed, marks


class TestPage(PageTests):
    code = "LP238"


PROGRAM = """
import functools
import multiprocessing as mp
import os


def scan(job, shared, lock, number=0):
    rows = []
    for path in job:
        rows.append(path)
        {change}


def main(jobs):
    manager = mp.Manager()
    lock = manager.Lock()
    shared = {made}
    workers = [mp.Process(target=scan, args=(job, shared, lock)) for job in jobs]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main([["a"], ["b"]])
"""


def found(change: str, made: str, *changes: tuple[str, str]) -> bool:
    text = changed(PROGRAM.format(change=change.replace("\n", "\n        "), made=made), *changes)
    return "LP238" in [code for _, code in marks(text)]


COUNT, VALUE = "shared.value += 1", 'mp.Value("i", 0)'
LIST = "[mp.Process(target=scan, args=(job, shared, lock)) for job in jobs]"
STARTED = "    for worker in workers:\n        worker.start()\n"


@pytest.mark.parametrize(
    ("change", "made"),
    [
        (COUNT, VALUE),
        (COUNT, 'mp.Value("i", lock=False)'),
        (COUNT, 'mp.RawValue("i", 0)'),
        (COUNT, 'manager.Value("i", 0)'),
        ("shared.value -= len(path)", VALUE),
        ("shared.value = shared.value + 1", VALUE),
        ("done = shared.value\nshared.value = done + 1", VALUE),
        ("shared.done += 1", "manager.Namespace(done=0)"),
        ("shared['rows'] += 1", "manager.dict(rows=0)"),
        ("shared['rows'] = shared['rows'] + 1", "manager.dict(rows=0)"),
        ("shared['rows'] = shared.get('rows', 0) + 1", "manager.dict()"),
        ("rows = shared['rows']\nrows.append(path)\nshared['rows'] = rows", "manager.dict(rows=[])"),
        ("for word in path.split():\n    shared[word] = shared.get(word, 0) + 1", "manager.dict()"),
        ("size = len(path)\nshared[size] += 1", "manager.list([0] * 99)"),
        ("size = len(path)\nkey = (size, 1)\nshared[key] = shared.get(key, 0) + 1", "manager.dict()"),
        ("shared[hash(path) % 8] += 1", 'mp.Array("i", 8)'),
        ("shared[0] += 1", 'mp.Array("i", 2)'),
        ("shared[0] += 1", 'manager.Array("i", [0])'),
        ("shared[0] += 1", "manager.list([0])"),
        ("if rows:\n    shared.value += 1", VALUE),
        ("with open(path) as file:\n    shared.value += len(file.read())", VALUE),
        ("with lock:\n    print(path)\nshared.value += 1", VALUE),
    ],
)
def test_a_change_without_a_lock(change: str, made: str) -> None:
    assert found(change, made)


@pytest.mark.parametrize(
    ("change", "made"),
    [
        pytest.param("with shared.get_lock():\n    shared.value += 1", VALUE, id="its own lock"),
        pytest.param("with lock:\n    shared.value += 1", VALUE, id="a lock that is given"),
        pytest.param("with lock, open(path):\n    shared.value += 1", VALUE, id="a lock and a file"),
        pytest.param("with open(path), lock:\n    shared.value += 1", VALUE, id="a file and a lock"),
        pytest.param("lock.acquire()\nshared.value += 1\nlock.release()", VALUE, id="acquired"),
        pytest.param("with shared.get_lock():\n    if rows:\n        shared.value += 1", VALUE, id="further inside"),
        pytest.param("with exclusive(path):\n    shared.value += 1", VALUE, id="a context manager that is not known"),
        pytest.param("shared.value = 1", VALUE, id="only written"),
        pytest.param("print(shared.value + 1)", VALUE, id="only read"),
        pytest.param("rows += [shared.value]", VALUE, id="a list of its own"),
        pytest.param("shared[path] += 1", "manager.dict()", id="a key of the data"),
        pytest.param("row = path\nkey = (row, 1)\nshared[key] += 1", "manager.dict()", id="a key made of the data"),
        pytest.param("shared[number] += 1", 'mp.Array("i", 8)', id="an index that is given"),
        pytest.param("shared[os.getpid()] = shared.get(os.getpid(), 0) + 1", "manager.dict()", id="its own number"),
        pytest.param("name = mp.current_process().name\nshared[name] += 1", "manager.dict()", id="its own name"),
        pytest.param("shared[number % 8] += 1", 'mp.Array("i", 8)', id="an index made of its number"),
        pytest.param("shared[os.getpid() % 8] += 1", 'mp.Array("i", 8)', id="an index made of that of the process"),
        pytest.param("shared['rows'] = len(rows)", "manager.dict()", id="an item that is only written"),
        pytest.param("shared['rows'] = shared.get('bytes', 0) + 1", "manager.dict()", id="another item is read"),
        pytest.param("shared.append(path)", "manager.list()", id="one request"),
        pytest.param("shared.update(rows=1)", "manager.dict()", id="an update"),
        pytest.param("if number == 0:\n    shared.value += 1", VALUE, id="one of the workers"),
        pytest.param("if is_main(number):\n    shared.value += 1", VALUE, id="the main one"),
        pytest.param("shared.value += 1", "argparse.Namespace(value=0)", id="an object of its own"),
        pytest.param("shared['rows'] += 1", "{'rows': 0}", id="a dict of its own"),
        pytest.param("shared[0] += 1", "[0]", id="a list of its own"),
        pytest.param("own = mp.Value('i', 0)\nown.value += 1", VALUE, id="made by the worker"),
    ],
)
def test_no_change_that_others_make(change: str, made: str) -> None:
    assert not found(change, made)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(
            ((LIST, "[]\n    for job in jobs:\n        workers.append(" + LIST[1:-17] + ")"),), id="a for loop"
        ),
        pytest.param(((LIST, f"[{LIST[1:-17]} for job in jobs for _ in range(2)]"),), id="two loops"),
        pytest.param(((LIST, LIST.replace("(job, shared, lock)", "(job,), kwargs={'shared': shared, 'lock': lock}")),)),
        pytest.param(
            (
                (LIST, "[]"),
                (
                    STARTED,
                    "    one = mp.Process(target=scan, args=(jobs[0], shared, lock))\n"
                    "    two = mp.Process(target=scan, args=(jobs[1], shared, lock))\n"
                    "    one.start()\n    two.start()\n",
                ),
            ),
            id="two processes",
        ),
        pytest.param(
            (
                ("        shared.value += 1", "        add(shared)"),
                ("def main", "def add(total):\n    total.value += 1\n\n\ndef main"),
            ),
            id="in a function",
        ),
        pytest.param(
            (("rows = []", "total, rows = shared, []"), ("shared.value", "total.value")), id="by another name"
        ),
        pytest.param(
            (("args=(job, shared, lock)", "args=(job, (shared, 3), lock)"), ("shared.value", "shared[0].value")),
            id="in a tuple",
        ),
    ],
)
def test_ways_to_start_several(changes: tuple[tuple[str, str], ...]) -> None:
    assert found(COUNT, VALUE, *changes)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(((LIST, "[mp.Process(target=scan, args=(jobs[0], shared, lock))]"),), id="one process"),
        pytest.param(((LIST, LIST.replace("mp.Process", "threading.Thread")),), id="threads"),
        pytest.param(((LIST, LIST.replace("shared, lock", "mp.Value('i', 0), lock")),), id="each its own"),
        pytest.param(
            (
                (LIST, LIST.replace("job, shared", "job, shared[0]")),
                ("shared = ", "shared = [mp.Value('i', 0) for _ in jobs]\n    other = "),
            ),
            id="one of a list",
        ),
        pytest.param(
            (
                (
                    LIST,
                    "[]\n    for job in jobs:\n        worker = mp.Process(target=scan, args=(job, shared, lock))\n"
                    "        worker.start()\n        worker.join()",
                ),
                (STARTED, ""),
            ),
            id="one after the other",
        ),
        pytest.param(
            (
                (
                    LIST,
                    "[]\n    for job in jobs:\n        shared = mp.Value('i', 0)\n"
                    "        workers.append(mp.Process(target=scan, args=(job, shared, lock)))",
                ),
            ),
            id="made in each round",
        ),
        pytest.param(
            (
                (LIST, "[]"),
                (
                    STARTED,
                    "    one = mp.Process(target=scan, args=(jobs[0], shared, lock))\n"
                    "    two = mp.Process(target=scan, args=(jobs[1], mp.Value('i', 0), lock))\n"
                    "    one.start()\n    two.start()\n",
                ),
            ),
            id="two processes, two values",
        ),
        pytest.param(
            (
                (LIST, "[]"),
                (
                    STARTED,
                    "    one = mp.Process(target=scan, args=(jobs[0], shared, lock))\n    one.start()\n    one.join()\n"
                    "    two = mp.Process(target=scan, args=(jobs[1], shared, lock))\n    two.start()\n",
                ),
            ),
            id="two processes, one after the other",
        ),
        pytest.param(
            (
                (LIST, "[]"),
                (
                    STARTED,
                    "    if jobs:\n        one = mp.Process(target=scan, args=(jobs[0], shared, lock))\n"
                    "    else:\n        one = mp.Process(target=scan, args=([], shared, lock))\n    one.start()\n",
                ),
            ),
            id="one process or the other",
        ),
        pytest.param(
            (
                ("        shared.value += 1", "        with lock:\n            add(shared)"),
                ("def main", "def add(total):\n    total.value += 1\n\n\ndef main"),
            ),
            id="the caller holds it",
        ),
        pytest.param(
            (
                (
                    "    rows = []\n",
                    "    with lock:\n        scan_all(job, shared)\n\n\ndef scan_all(job, shared):\n    rows = []\n",
                ),
            ),
            id="the caller holds it for all",
        ),
        pytest.param((("def scan(", "@locked\ndef scan("),), id="a decorator"),
    ],
)
def test_one_at_a_time(changes: tuple[tuple[str, str], ...]) -> None:
    assert not found(COUNT, VALUE, *changes)


POOL = """
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor
from functools import partial

done = None
lock = None


def begin(value, mutex):
    global done, lock
    done, lock = value, mutex


def task(path):
    {change}
    return len(path)


def main(paths):
    value, mutex = mp.Value("i", 0), mp.Lock()
    manager = mp.Manager()
    with {pool} as pool:
        {tasks}


if __name__ == "__main__":
    main(["a", "b"])
"""
BEGIN = "initializer=begin, initargs=(value, mutex)"


def found_in_pool(change: str, pool: str, tasks: str) -> bool:
    text = POOL.format(change=change.replace("\n", "\n    "), pool=pool, tasks=tasks)
    return "LP238" in [code for _, code in marks(text)]


@pytest.mark.parametrize(
    ("pool", "tasks"),
    [
        (f"mp.Pool(4, {BEGIN})", "pool.map(task, paths)"),
        (f"mp.Pool({BEGIN})", "list(pool.imap_unordered(task, paths))"),
        (f"mp.Pool(4, {BEGIN})", "jobs = [pool.apply_async(task, (each,)) for each in paths]"),
        (f"ProcessPoolExecutor({BEGIN})", "list(pool.map(task, paths))"),
        (f"ProcessPoolExecutor(4, {BEGIN})", "jobs = [pool.submit(task, each) for each in paths]"),
    ],
)
def test_what_the_workers_of_a_pool_begin_with(pool: str, tasks: str) -> None:
    assert found_in_pool("done.value += 1", pool, tasks)
    assert not found_in_pool("with done.get_lock():\n    done.value += 1", pool, tasks)
    assert not found_in_pool("with lock:\n    done.value += 1", pool, tasks)
    assert not found_in_pool("print(done.value)", pool, tasks)


@pytest.mark.parametrize(
    ("pool", "tasks"),
    [
        pytest.param(f"mp.Pool(1, {BEGIN})", "pool.map(task, paths)", id="one worker"),
        pytest.param(f"ProcessPoolExecutor(max_workers=1, {BEGIN})", "pool.map(task, paths)", id="one of an executor"),
        pytest.param(
            f"mp.Pool(4, {BEGIN})", "for each in paths:\n            pool.apply(task, (each,))", id="apply waits"
        ),
        pytest.param(
            f"ProcessPoolExecutor({BEGIN})",
            "for each in paths:\n            print(pool.submit(task, each).result())",
            id="waited for each",
        ),
        pytest.param(f"mp.Pool(4, {BEGIN})", "pool.apply_async(task, ('a',))", id="one task"),
    ],
)
def test_one_task_at_a_time(pool: str, tasks: str) -> None:
    assert not found_in_pool("done.value += 1", pool, tasks)


SERVICE = """
from multiprocessing import Process, Value


class Service:
    def __init__(self):
        self.done = Value("i", 0)

    def start(self):
        self.workers = [Process(target=self.work, args=(number,)) for number in range(4)]
        for worker in self.workers:
            worker.start()

    def work(self, number):
        while number:
            self.done.value += 1


class Worker(Process):
    def __init__(self, total):
        super().__init__()
        self.total = total
        self.own = Value("i", 0)

    def run(self):
        for _ in range(9):
            self.total.value += 1
            self.own.value += 1


def main():
    Service().start()
    total = Value("i", 0)
    workers = [Worker(total) for _ in range(3)]
    for worker in workers:
        worker.start()


if __name__ == "__main__":
    main()
"""


def test_values_of_objects() -> None:
    lines = SERVICE.splitlines()
    told = [lines[line - 1].strip() for line, code in marks(SERVICE) if code == "LP238"]
    assert told == ["self.done.value += 1", "self.total.value += 1"]


def test_what_each_process_does_once_is_only_possible() -> None:
    text = PROGRAM.format(change="pass\n    shared.value += 1", made=VALUE)
    assert "LP238" not in [code for _, code in marks(text)]


def test_a_decision_before_a_write_is_not_told() -> None:
    assert not found("if shared.value < len(path):\n    shared.value = len(path)", VALUE)  # gap: the best of all


def test_a_key_of_the_data_is_not_told() -> None:
    assert not found(
        "shared[path.lower()] = shared.get(path.lower(), 0) + 1", "manager.dict()"
    )  # gap: may be another's
