"""LP254: first-of-end-marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import PageTests
from tests.support import lint, lint_files


class TestPage(PageTests):
    code = "LP254"


_PROGRAM = """\
import multiprocessing as mp
import threading

STOP = "stop"
MARK = object()


def read(names, queue, ready, turn):
    {puts}
    {mark}


def write(rows):
    for row in iter(rows.get, None):
        print(row)


def items(queue):
    while True:
        item = queue.get()
        if item is None:
            return
        yield item


def main(sources):
    queue, other = {made}, mp.Queue()
    ready, turn = mp.Barrier(3), mp.Lock()
    {started}
    for reader in readers:
        reader.start()
    {reads}
    for reader in readers:
        reader.join()


if __name__ == "__main__":
    main([["a.png", "b.png"], ["c.png"]])
"""
_STARTED = "readers = [mp.Process(target=read, args=(each, queue, ready, turn)) for each in sources]"


def _found(
    puts: str = "for name in names: queue.put(name)",
    mark: str = "queue.put(None)",
    made: str = "mp.Queue()",
    started: str = _STARTED,
    reads: str = "for row in iter(queue.get, None): print(row)",
) -> bool:
    text = _PROGRAM.format(puts=puts, mark=mark, made=made, started=started, reads=reads)
    found = [each.location.start.row for each in lint(text).diagnostics if each.code == "LP254"]
    assert len(found) <= 1
    return bool(found)


@pytest.mark.parametrize(
    "program",
    [
        {},
        {"made": "mp.SimpleQueue()"},
        {"made": "mp.JoinableQueue()"},
        {"made": "mp.Manager().Queue()"},
        {"mark": "queue.put(STOP)", "reads": "for row in iter(queue.get, 'stop'): print(row)"},
        {"mark": "queue.put(STOP)", "reads": "for row in iter(queue.get, STOP): print(row)"},
        {"reads": "while True:\n        row = queue.get()\n        if row is None:\n            break"},
        {"reads": "while (row := queue.get()) is not None:\n        print(row)"},
        {"reads": "write(queue)"},
        {"reads": "found = list(iter(queue.get, None))"},
        {"reads": "for row in items(queue):\n        print(row)"},
        {"reads": "writer = mp.Process(target=write, args=(queue,))\n    writer.start()"},
        {"puts": "try:\n        for name in names: queue.put(name)\n    finally:", "mark": "    queue.put(None)"},
        {"puts": "with turn:\n        for name in names: queue.put(name)"},
        {"puts": "read_all(names, queue)"},
        {"puts": "queue.put(', '.join(names))"},
        {
            "started": "readers = []\n    for each in sources:\n"
            "        readers.append(mp.Process(target=read, args=(each, queue, ready, turn)))"
        },
        {
            "started": "first = mp.Process(target=read, args=(sources[0], queue, ready, turn))\n"
            "    second = mp.Process(target=read, args=(sources[1], queue, ready, turn))\n"
            "    first.start()\n    second.start()\n    readers = [first, second]"
        },
    ],
)
def test_the_reader_leaves_at_the_first(program: dict[str, str]) -> None:
    assert _found(**program)


@pytest.mark.parametrize(
    "program",
    [
        pytest.param({"reads": "for _ in readers:\n        write(queue)"}, id="as often as there are processes"),
        pytest.param({"reads": "for _ in readers:\n        for row in iter(queue.get, None): print(row)"}, id="nested"),
        pytest.param({"reads": "[write(queue) for _ in readers]"}, id="in a comprehension"),
        pytest.param({"reads": "write(queue)\n    write(queue)"}, id="twice"),
        pytest.param(
            {
                "reads": "left = len(readers)\n    while left:\n        row = queue.get()\n"
                "        if row is None:\n            left -= 1\n            continue\n        print(row)"
            },
            id="counted down",
        ),
        pytest.param(
            {
                "reads": "ended = 0\n    while True:\n        row = queue.get()\n        if row is None:\n"
                "            ended += 1\n            if ended == len(readers):\n                break"
            },
            id="counted up",
        ),
        pytest.param(
            {"reads": "write(queue)\n    while not queue.empty():\n        print(queue.get())"}, id="the rest"
        ),
        pytest.param({"reads": "threading.Thread(target=write, args=(queue,)).start()\n    write(queue)"}, id="thread"),
        pytest.param(
            {
                "reads": "writers = [mp.Process(target=write, args=(queue,)) for _ in readers]\n"
                "    for writer in writers:\n        writer.start()"
            },
            id="as many readers",
        ),
        pytest.param({"started": _STARTED.replace("in sources", "in [sources[0]]")}, id="one process"),
        pytest.param({"mark": "if names[-1] == 'c.png': queue.put(None)"}, id="one of them puts it"),
        pytest.param({"mark": "ready.wait()\n    queue.put(None)"}, id="they wait for each other"),
        pytest.param({"mark": "queue.join()\n    queue.put(None)"}, id="all is worked off"),
        pytest.param({"mark": "queue.put(MARK)", "reads": "for row in iter(queue.get, MARK): print(row)"}, id="object"),
        pytest.param({"mark": "queue.put('end')"}, id="another mark"),
        pytest.param({"mark": "pass"}, id="no mark"),
        pytest.param({"puts": "pass"}, id="nothing but the mark"),
        pytest.param({"reads": "write(queue)\n    for reader in readers: reader.terminate()"}, id="the first will do"),
        pytest.param({"reads": "write(other)\n    other.put(None)"}, id="another queue"),
        pytest.param(
            {"started": _STARTED.replace("queue, ready", "mp.Queue(), ready")}, id="each has a queue of its own"
        ),
        pytest.param(
            {
                "started": "readers = []\n    for each in sources:\n"
                "        one = mp.Process(target=read, args=(each, queue, ready, turn))\n"
                "        one.start()\n        write(queue)\n        one.join()"
            },
            id="one after the other",
        ),
    ],
)
def test_each_mark_is_read_or_wanted(program: dict[str, str]) -> None:
    assert not _found(**program)


_CLASS = """\
import multiprocessing as mp


class Reader(mp.Process):
    def __init__(self, names, queue):
        super().__init__()
        self.names = names
        self.queue = queue

    def run(self):
        for name in self.names:
            self.queue.put(name)
        self.queue.put(None)


class Board:
    def __init__(self, sources):
        self.queue = mp.Queue()
        self.readers = [Reader(each, self.queue) for each in sources]

    def start(self):
        for reader in self.readers:
            reader.start()

    def collect(self):
        return [row for row in iter(self.queue.get, None)]


def main(sources):
    board = Board(sources)
    board.start()
    {collects}


if __name__ == "__main__":
    main([["a.png", "b.png"], ["c.png"]])
"""


@pytest.mark.parametrize(
    ("collects", "rows"),
    [
        ("print(board.collect())", [26]),
        ("print([board.collect() for _ in sources])", []),
        ("for reader in board.readers:\n        print(board.collect())", []),
    ],
)
def test_processes_of_a_class(collects: str, rows: list[int]) -> None:
    found = lint(_CLASS.format(collects=collects)).diagnostics
    assert [each.location.start.row for each in found if each.code == "LP254"] == rows


_TASKS = """\
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor


def read(names, queue):
    for name in names:
        queue.put(name)
    queue.put(None)


def main(sources):
    queue = mp.Manager().Queue()
    with {pool} as pool:
        {gives}
        for row in iter(queue.get, None):
            print(row)


if __name__ == "__main__":
    main([["a.png", "b.png"], ["c.png"]])
"""


@pytest.mark.parametrize(
    ("pool", "gives", "rows"),
    [
        ("mp.Pool(2)", "for names in sources:\n            pool.apply_async(read, (names, queue))", [16]),
        ("ProcessPoolExecutor(2)", "futures = [pool.submit(read, names, queue) for names in sources]", [15]),
        ("ProcessPoolExecutor(2)", "pool.submit(read, sources[0], queue)", []),
    ],
)
def test_tasks_of_a_pool(pool: str, gives: str, rows: list[int]) -> None:
    found = lint(_TASKS.format(pool=pool, gives=gives)).diagnostics
    assert [each.location.start.row for each in found if each.code == "LP254"] == rows


def test_gap_a_thread_reads() -> None:
    thread = "thread = threading.Thread(target=write, args=(queue,))\n    thread.start()\n    thread.join()"
    assert not _found(reads=thread)  # gap: whether it is the only reader


def test_in_modules_of_their_own(tmp_path: Path) -> None:
    files = {
        "messages.py": 'DONE = "done"\n',
        "producer.py": (
            "from messages import DONE\n\n\nclass Producer:\n    def __init__(self, queue, items):\n"
            "        self.queue = queue\n        self.items = items\n\n    def __call__(self):\n"
            "        for item in self.items:\n            self.queue.put(('item', item))\n"
            "        self.queue.put((DONE, None))\n"
        ),
        "consumer.py": (
            "import messages\n\n\nclass Consumer:\n    def __init__(self, queue):\n        self.queue = queue\n\n"
            "    def run(self):\n        while True:\n            kind, item = self.queue.get()\n"
            "            if kind == messages.DONE:\n                break\n            print(item)\n"
        ),
        "main.py": (
            "from multiprocessing import Process, Queue\n\nfrom consumer import Consumer\n"
            "from producer import Producer\n\n\ndef main(chunks):\n    queue = Queue()\n"
            "    consumer = Consumer(queue)\n    workers = []\n    for chunk in chunks:\n"
            "        worker = Process(target=Producer(queue, chunk))\n        worker.start()\n"
            "        workers.append(worker)\n    consumer.run()\n    for worker in workers:\n"
            "        worker.join()\n\n\nif __name__ == '__main__':\n    main([[1, 2], [3]])\n"
        ),
    }
    found = [each for each in lint_files(tmp_path, files) if each.code == "LP254"]
    assert [(Path(each.location.path).name, each.location.start.row) for each in found] == [("consumer.py", 10)]
