"""LP261: empty-queue-taken-for-end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import PageTests
from tests.support import lint, lint_files


class TestPage(PageTests):
    code = "LP261"


_PROGRAM = """\
import multiprocessing as mp
import os
import queue as queues
import threading
import time
from concurrent.futures import ProcessPoolExecutor

from queue import Empty


def explore(seed, out, jobs, done):
    {worker}


def show(rows):
    while not rows.empty():
        print(rows.get())


def collect(rows):
    found = []
    while not rows.empty():
        found.append(rows.get())
    return found


def launch(processes):
    for each in processes:
        each.start()


def report(number):
    print(number)


def main(seeds):
    out, jobs, done = {made}, mp.Queue(), mp.Event()
    {started}
    {between}
    {reads}
    {after}


if __name__ == "__main__":
    main([1, 2, 3])
"""
_STARTED = """procs = [mp.Process(target=explore, args=(seed, out, jobs, done)) for seed in seeds]
    for p in procs:
        p.start()"""
_JOINED = """for p in procs:
        p.join()"""
_LOOP = "found = []\n    while not out.empty():\n        found.append(out.get())"
_TASKS = """with ProcessPoolExecutor() as pool:
        tasks = [pool.submit(explore, seed, out, None, None) for seed in seeds]
        {inner}
        for task in tasks:
            task.result()"""


def _found(
    is_pedantic: bool = False,
    /,
    worker: str = "for n in range(5): out.put(seed * n)",
    made: str = "mp.Queue()",
    started: str = _STARTED,
    between: str = "",
    reads: str = _LOOP,
    after: str = _JOINED,
) -> bool:
    text = _PROGRAM.format(worker=worker, made=made, started=started, between=between, reads=reads, after=after)
    found = [each.location.start.row for each in lint(text, pedantic=is_pedantic).diagnostics if each.code == "LP261"]
    assert len(found) <= 1
    return bool(found)


@pytest.mark.parametrize(
    "program",
    [
        {},
        {"made": "mp.SimpleQueue()"},
        {"made": "mp.JoinableQueue()"},
        {"made": "mp.Manager().Queue()"},
        {"reads": "found = collect(out)"},
        {"reads": "show(out)"},
        {"reads": "found = []\n    while out.qsize():\n        found.append(out.get())"},
        {"reads": "found = []\n    while out.qsize() > 0:\n        found.append(out.get())"},
        {"reads": "found = []\n    while out.empty() is False:\n        found.append(out.get())"},
        {"reads": "found = []\n    while not out.empty() and len(found) < 9:\n        found.append(out.get())"},
        {"reads": "while not out.empty():\n        item = out.get(timeout=1)\n        print(item)"},
        {"reads": "found = [out.get() for _ in range(out.qsize())]"},
        {"reads": "for _ in range(out.qsize()):\n        print(out.get())"},
        {"reads": "while True:\n        if out.empty():\n            break\n        print(out.get())"},
        {
            "reads": "while True:\n        try:\n            item = out.get_nowait()\n"
            "        except queues.Empty:\n            break\n        print(item)"
        },
        {"reads": "try:\n        while True:\n            print(out.get(False))\n    except Empty:\n        pass"},
        {"reads": "try:\n        while 1:\n            print(out.get(block=False))\n    except Empty:\n        pass"},
        {
            "started": "procs = [mp.Process(target=explore, args=(seed, out, jobs, done)) for seed in seeds]\n"
            "    launch(procs)"
        },
        {
            "started": _STARTED.replace(
                "args=(seed, out, jobs, done)", "kwargs={'seed': seed, 'out': out, 'jobs': 0, 'done': 0}"
            )
        },
        {
            "started": "procs = []\n    for seed in seeds:\n"
            "        p = mp.Process(target=explore, args=(seed, out, jobs, done))\n"
            "        procs.append(p)\n        p.start()"
        },
        {
            "started": "p = mp.Process(target=explore, args=(1, out, jobs, done))\n    p.start()",
            "after": "p.join()",
        },
        {"between": "print('started', len(procs), ', '.join(map(str, seeds)))"},
        {"between": "report(len(procs))"},
        {"between": "jobs.put(1)"},
        {
            "started": _TASKS.format(inner=_LOOP.replace("    ", "        ")),
            "reads": "",
            "after": "",
            "made": "mp.Manager().Queue()",
        },
    ],
)
def test_the_loop_ends_before_anything_comes(program: dict[str, str]) -> None:
    assert _found(**program)


@pytest.mark.parametrize(
    "program",
    [
        pytest.param({"after": ""}, id="nothing waits for the processes"),
        pytest.param({"between": "os.walk('data')"}, id="something else is done"),
    ],
)
def test_told_only_if_asked(program: dict[str, str]) -> None:
    assert not _found(**program)
    assert _found(True, **program)


@pytest.mark.parametrize(
    "program",
    [
        pytest.param({"between": _JOINED}, id="joined before"),
        pytest.param({"between": "procs[0].join(timeout=2)"}, id="joined for a time"),
        pytest.param({"between": "time.sleep(5)"}, id="given time"),
        pytest.param({"between": "done.wait()"}, id="an event"),
        pytest.param({"between": "print(jobs.get())"}, id="another queue"),
        pytest.param({"between": "first = out.get()"}, id="the first is waited for"),
        pytest.param({"between": "while any(p.is_alive() for p in procs):\n        pass"}, id="until they have ended"),
        pytest.param(
            {"reads": "while any(p.is_alive() for p in procs) or not out.empty():\n        print(out.get())"},
            id="as long as they live",
        ),
        pytest.param(
            {
                "reads": "while any(p.is_alive() for p in procs):\n        while not out.empty():\n"
                "            print(out.get())"
            },
            id="again and again while they live",
        ),
        pytest.param(
            {"reads": "while True:\n        show(out)\n        if done.is_set():\n            break"},
            id="again and again",
        ),
        pytest.param({"reads": "for _ in range(100):\n        show(out)"}, id="a hundred times"),
        pytest.param({"reads": "show(out)\n    " + _JOINED + "\n    show(out)"}, id="the rest behind the join"),
        pytest.param({"after": _JOINED + "\n    print(out.get())"}, id="one behind the join"),
        pytest.param({"reads": "while not out.empty():\n        out.get()"}, id="cleared"),
        pytest.param({"reads": "while not out.empty():\n        print(out.get())\n        time.sleep(1)"}, id="sleeps"),
        pytest.param(
            {
                "reads": "while True:\n        try:\n            print(out.get(timeout=5))\n"
                "        except Empty:\n            break"
            },
            id="waits for a time",
        ),
        pytest.param(
            {
                "reads": "found = []\n    while len(found) < 15:\n        try:\n"
                "            found.append(out.get_nowait())\n        except Empty:\n            continue"
            },
            id="tries again",
        ),
        pytest.param({"reads": "while not jobs.empty():\n        print(jobs.get())"}, id="a queue that nobody fills"),
        pytest.param({"worker": "out.put(out.get() + 1)", "between": ""}, id="the workers read it, too"),
        pytest.param({"between": "for n in range(9): out.put(n)"}, id="main fills it"),
        pytest.param({"started": "out.put(0)\n    " + _STARTED}, id="main has filled it"),
        pytest.param(
            {"started": "threading.Thread(target=show, args=(out,)).start()\n    " + _STARTED}, id="a thread reads it"
        ),
        pytest.param(
            {"started": "reader = mp.Process(target=show, args=(out,))\n    reader.start()\n    " + _STARTED},
            id="another process reads it",
        ),
        pytest.param({"worker": "print(seed)"}, id="nothing is put there"),
        pytest.param(
            {
                "started": "procs = []\n    for seed in seeds:\n"
                "        p = mp.Process(target=explore, args=(seed, out, jobs, done))\n"
                "        procs.append(p)\n        p.start()\n        show(out)",
                "reads": "",
            },
            id="between the starts",
        ),
        pytest.param(
            {
                "started": "with ProcessPoolExecutor() as pool:\n        for seed in seeds:\n"
                "            pool.submit(explore, seed, out, None, None)",
                "after": "",
                "made": "mp.Manager().Queue()",
            },
            id="behind the executor",
        ),
        pytest.param({"reads": "print(out.empty())\n    " + _JOINED, "after": ""}, id="only asked"),
    ],
)
def test_no_hazard(program: dict[str, str]) -> None:
    assert not _found(True, **program)


_OBJECT = """\
import multiprocessing as mp


def explore(seed, out):
    out.put(seed)


class Search:
    def __init__(self, seeds):
        self.out = mp.Queue()
        self.procs = [mp.Process(target=explore, args=(seed, self.out)) for seed in seeds]

    def start(self):
        for p in self.procs:
            p.start()

    def results(self):
        found = []
        while not self.out.empty():
            found.append(self.out.get())
        return found

    def join(self):
        for p in self.procs:
            p.join()


def main():
    search = Search([1, 2, 3])
    search.start()
    {body}


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ("found = search.results()\n    search.join()\n    print(found)", True),
        ("search.join()\n    print(search.results())", False),
        ("while len(search.results()) < 3:\n        pass\n    search.join()", False),
        ("print(search.results())\n    search.join()\n    print(search.results())", False),
    ],
)
def test_an_object_that_keeps_queue_and_processes(body: str, is_found: bool) -> None:
    found = [each.code for each in lint(_OBJECT.format(body=body)).diagnostics]
    assert ("LP261" in found) is is_found


_COLLECTING = """\
def collect(rows):
    found = []
    while not rows.empty():
        found.append(rows.get())
    return found
"""
_SEARCHES = """\
import multiprocessing as mp

from collecting import collect


def explore(seed, out):
    out.put(seed)


def search(seeds):
    out = mp.Queue()
    procs = [mp.Process(target=explore, args=(s, out)) for s in seeds]
    for p in procs:
        p.start()
    found = collect(out)
    for p in procs:
        p.join()
    return found


if __name__ == "__main__":
    for n in range(4):
        print(search(range(n)))
"""


def test_a_search_in_each_round_of_a_loop(tmp_path: Path) -> None:
    found = lint_files(tmp_path, {"collecting.py": _COLLECTING, "main.py": _SEARCHES})
    assert [Path(each.location.path).name for each in found if each.code == "LP261"] == ["collecting.py"]


_SHARED = """\
import multiprocessing as mp
from multiprocessing import Lock, Manager, Pool, Process, Queue
import time
from queue import Empty

lock = Lock()


def work(jobs, out):
    {loop}


class Runner:
    def __init__(self, count):
        self.count = count

    @staticmethod
    def serve(jobs, out):
        {inner}

    def run(self, numbers):
        jobs, out = Queue(), Queue()
        for number in numbers:
            jobs.put(number)
        workers = [Process(target=self.serve, args=(jobs, out)) for _ in range(self.count)]
        for each in workers:
            each.start()
        for each in workers:
            each.join()


def main(numbers, count):
    jobs, out = {made}, Queue()
    for number in numbers:
        jobs.put(number)
    {started}
    {ends}


if __name__ == "__main__":
    main(range(50), 4)
"""
_TAKING = "while not jobs.empty():\n        out.put(jobs.get() * 2)"
_SEVERAL = """workers = [Process(target=work, args=(jobs, out)) for _ in range(count)]
    for each in workers:
        each.start()"""
_AWAITED = "for each in workers:\n        each.join()"


def _rows_of_shared(
    loop: str = _TAKING,
    started: str = _SEVERAL,
    made: str = "mp.Queue()",
    ends: str = _AWAITED,
    inner: str = "pass",
) -> list[int]:
    text = _SHARED.format(loop=loop, started=started, made=made, ends=ends, inner=inner.replace("\n", "\n    "))
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP261"]


@pytest.mark.parametrize(
    "program",
    [
        {},
        {"made": "Manager().Queue()"},
        {"made": "mp.JoinableQueue()"},
        {"loop": "while not jobs.empty():\n        item = jobs.get(True)\n        out.put(item)"},
        {"loop": "while jobs.qsize() > 0:\n        item = jobs.get(block=True)\n        out.put(item)"},
        {"loop": "while True:\n        if jobs.empty():\n            break\n        out.put(jobs.get())"},
        {"loop": "while True:\n        if jobs.empty():\n            return\n        out.put(jobs.get())"},
        {"started": _SEVERAL.replace("range(count)", "range(2)")},
        {
            "started": "one = Process(target=work, args=(jobs, out))\n"
            "    two = Process(target=work, args=(jobs, out))\n"
            "    workers = [one, two]\n    for each in workers:\n        each.start()"
        },
    ],
)
def test_several_workers_that_ask_and_then_wait(program: dict[str, str]) -> None:
    assert len(_rows_of_shared(**program)) == 1


def test_a_static_method_of_workers_that_asks_and_then_waits() -> None:
    assert len(_rows_of_shared("pass", inner=_TAKING)) == 1


@pytest.mark.parametrize(
    "program",
    [
        pytest.param({"started": _SEVERAL.replace("range(count)", "range(1)")}, id="one worker"),
        pytest.param(
            {"started": "workers = [Process(target=work, args=(jobs, out))]\n    workers[0].start()"}, id="just one"
        ),
        pytest.param({"loop": "while not jobs.empty():\n        out.put(jobs.get(timeout=1))"}, id="a limit of time"),
        pytest.param({"loop": "while not jobs.empty():\n        out.put(jobs.get(False))"}, id="no waiting"),
        pytest.param({"loop": "while not jobs.empty():\n        out.put(jobs.get_nowait())"}, id="at once"),
        pytest.param(
            {
                "loop": "while not jobs.empty():\n        if (item := jobs.get()) is None:\n            break\n"
                "        out.put(item)"
            },
            id="end marks",
        ),
        pytest.param(
            {
                "loop": "while True:\n        with lock:\n            if jobs.empty():\n                return\n"
                "            item = jobs.get()\n        out.put(item)"
            },
            id="a lock",
        ),
        pytest.param({"loop": "while not jobs.empty():\n        jobs.put(jobs.get() - 1)"}, id="put back"),
        pytest.param({"loop": "while (item := jobs.get()) is not None:\n        out.put(item)"}, id="not asked"),
        pytest.param({"loop": "while not jobs.full():\n        out.put(jobs.get())"}, id="another question"),
        pytest.param(
            {
                "started": "workers = []\n    for each in range(count):\n"
                "        jobs = Queue()\n        jobs.put(each)\n"
                "        workers.append(Process(target=work, args=(jobs, out)))\n        workers[-1].start()"
            },
            id="a queue for each",
        ),
        pytest.param({"ends": "time.sleep(9)\n    for each in workers:\n        each.terminate()"}, id="ended"),
    ],
)
def test_workers_that_do_not_wait_for_ever(program: dict[str, str]) -> None:
    assert _rows_of_shared(**program) == []
