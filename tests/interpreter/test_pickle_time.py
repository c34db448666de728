"""What an object that starts processes on its own methods stores after they have been started does not cross."""

from __future__ import annotations

from textwrap import indent

import pytest

from tests.support import marks

OWNER = """\
import multiprocessing
import threading

ctx = multiprocessing.get_context("spawn")


class Pipeline:
    def __init__(self, count, go):
{}

    def work(self):
        pass


if __name__ == "__main__":
    Pipeline(2, True)
"""
STARTED = {
    "a list in an attribute": """\
        self.workers = [ctx.Process(target=self.work) for _ in range(count)]
        for worker in self.workers:
            worker.daemon = True
            worker.start()
    """,
    "a list in a variable": """\
        workers = [ctx.Process(target=self.work) for _ in range(count)]
        for worker in workers:
            worker.start()
    """,
    "what was appended": """\
        self.workers = []
        for _ in range(count):
            self.workers.append(ctx.Process(target=self.work))
        for worker in self.workers:
            worker.start()
    """,
    "under one condition": """\
        if go:
            workers = [ctx.Process(target=self.work)]
            for worker in workers:
                worker.start()
    """,
}
NOT_SURELY_STARTED = {
    "elsewhere": """\
        self.workers = [ctx.Process(target=self.work) for _ in range(count)]
    """,
    "under a condition": """\
        self.workers = [ctx.Process(target=self.work) for _ in range(count)]
        if go:
            for worker in self.workers:
                worker.start()
    """,
    "others": """\
        self.workers = [ctx.Process(target=self.work) for _ in range(count)]
        for worker in [ctx.Process(target=print)]:
            worker.start()
    """,
}
LOCK = "self.lock = threading.Lock()"


def _found(start: str, *, before: bool) -> bool:
    parts = [" " * 8 + LOCK, start.rstrip()]
    text = OWNER.format("\n".join(parts if before else reversed(parts)))
    row = text[: text.index(LOCK)].count("\n") + 1
    return (row, "LP111") in marks(text)


@pytest.mark.parametrize("start", STARTED.values(), ids=STARTED)
def test_stored_after_the_start(start: str) -> None:
    assert not _found(start, before=False)


@pytest.mark.parametrize("start", STARTED.values(), ids=STARTED)
def test_stored_before_the_start(start: str) -> None:
    assert _found(start, before=True)


@pytest.mark.parametrize("start", NOT_SURELY_STARTED.values(), ids=NOT_SURELY_STARTED)
def test_when_it_is_started_is_not_known(start: str) -> None:
    assert _found(start, before=False)


KEPT = {
    "a comprehension": """\
        self.workers = [ctx.Process(target=self.work) for _ in range(count)]
        for worker in self.workers:
            worker.start()
    """,
    "a loop, and another one that starts": """\
        self.workers = []
        for _ in range(count):
            self.workers.append(ctx.Process(target=self.work))
        for worker in self.workers:
            worker.start()
    """,
    "one loop": """\
        self.workers = []
        for _ in range(count):
            worker = ctx.Process(target=self.work)
            worker.start()
            self.workers.append(worker)
    """,
    "two attributes, each behind its option": """\
        self.log = None
        if count > 1:
            self.log = ctx.Process(target=self.work)
            self.log.start()
        if go:
            self.sender = ctx.Process(target=self.work)
            self.sender.start()
    """,
    "two attributes, started at the end": """\
        self.first = ctx.Process(target=self.work)
        self.second = ctx.Process(target=self.work)
        self.first.start()
        self.second.start()
    """,
}
NOT_KEPT = {
    "only one": """\
        self.workers = [ctx.Process(target=self.work)]
        for worker in self.workers:
            worker.start()
    """,
    "in a variable": """\
        workers = [ctx.Process(target=self.work) for _ in range(count)]
        for worker in workers:
            worker.start()
    """,
    "one of two": """\
        if count > 1:
            self.first = ctx.Process(target=self.work)
            self.first.start()
        else:
            self.second = ctx.Process(target=self.work)
            self.second.start()
    """,
    "the first one is not started": """\
        if count > 1:
            self.first = ctx.Process(target=self.work)
        if go:
            self.second = ctx.Process(target=self.work)
            self.second.start()
    """,
    "the first one may be started": """\
        self.first = ctx.Process(target=self.work)
        if go:
            self.first.start()
        self.second = ctx.Process(target=self.work)
        self.second.start()
    """,
}


@pytest.mark.parametrize("start", KEPT.values(), ids=KEPT)
def test_a_started_process_is_there_when_the_next_one_is_started(start: str) -> None:
    """Measured: `TypeError: cannot pickle 'weakref.ReferenceType' object`."""
    assert [code for _, code in marks(OWNER.format(start.rstrip()))] == ["LP111"]


@pytest.mark.parametrize("start", NOT_KEPT.values(), ids=NOT_KEPT)
def test_no_started_process_is_there(start: str) -> None:
    assert marks(OWNER.format(start.rstrip())) == []


CALLED_LATER = """\
import threading

import torch.multiprocessing as mp


class Trainer:
    def __init__(self, count):
        self.count = count

    def fit(self, task):
        if self.count > 1:
            mp.spawn(self.run, nprocs=2, args=(task,))
        else:
            self.run(0, task)

    def run(self, index, task):
        self.prepare(task)

    def prepare(self, task):
        self.lock = threading.Lock()
        task()


def main(count, task):
    trainer = Trainer(count)
{}
"""


def test_what_only_the_started_process_stores() -> None:
    assert marks(CALLED_LATER.format("    trainer.fit(task)")) == []


def test_what_is_stored_before_the_method_that_starts() -> None:
    text = CALLED_LATER.format("    trainer.prepare(task)\n    trainer.fit(task)")
    assert marks(text) == [(20, "LP111")]


STORED_BY_ANOTHER = """\
import multiprocessing
import struct

ctx = multiprocessing.get_context("spawn")


class Reader:
    def __init__(self, count):
{}

    def prepare(self):
        self.header = struct.Struct("i")  # row 12

    def load(self):
        self.prepare()

    def work(self):
        self.prepare()


class Ready(Reader):
    def __init__(self, count):
        {}
        {}


def prepare(reader):
    reader.header = struct.Struct("i")  # row 28


if __name__ == "__main__":
    Reader(2)
    Ready(2)
"""
_START = "process = ctx.Process(target=self.work)\nprocess.start()"
_IN_A_LOOP = "for _ in range(count):\n    process = ctx.Process(target=self.work)\n    process.start()"
BEHIND_THE_START = {
    "a method": f"{_START}\nself.prepare()",
    "a method that calls it": f"{_START}\nself.load()",
    "a method, behind a loop": f"if count > 0:\n    {_IN_A_LOOP.replace(chr(10), chr(10) + '    ')}\nself.prepare()",
    "a method where nothing is started": f"if count:\n    {_START.replace(chr(10), chr(10) + '    ')}\n"
    "else:\n    self.prepare()",
    "a function": f"{_START}\nprepare(self)",
}
NOT_BEHIND_THE_START = {
    "a method": (f"self.prepare()\n{_START}", 12),
    "a method that calls it": (f"self.load()\n{_START}", 12),
    "a method in the loop that starts": (f"{_IN_A_LOOP}\n    self.prepare()", 12),
    "a method before and behind": (f"self.prepare()\n{_START}\nself.prepare()", 12),
    "a function": (f"prepare(self)\n{_START}", 28),
    "directly, before and behind": ('self.header = struct.Struct("i")\n' + _START + "\nself.prepare()", 9),
    "when it is started is not known": ("self.process = ctx.Process(target=self.work)\nself.prepare()", 12),
}


def _reader(lines: str, *derived: str) -> list[tuple[int, str]]:
    return marks(STORED_BY_ANOTHER.format(indent(lines, " " * 8), *(derived or ("pass", "pass"))))


@pytest.mark.parametrize("lines", BEHIND_THE_START.values(), ids=BEHIND_THE_START)
def test_stored_by_what_is_called_after_the_start(lines: str) -> None:
    assert _reader(lines) == []


@pytest.mark.parametrize(("lines", "row"), NOT_BEHIND_THE_START.values(), ids=NOT_BEHIND_THE_START)
def test_stored_by_what_is_called_before_the_start(lines: str, row: int) -> None:
    shift = lines.count("\n")
    assert _reader(lines) == [(row + shift * (row > 9), "LP115")]


def test_stored_by_a_class_whose_base_starts() -> None:
    store, base = "self.header = struct.Struct('i')", "super().__init__(count)"
    assert _reader(_START, base, store) == []
    assert _reader(_START, store, base) == [(24, "LP115")]


STARTED_BY_A_METHOD = """\
import multiprocessing
import threading

ctx = multiprocessing.get_context("spawn")


class Pipeline:
    def __init__(self):
        {}

    def start(self):
        {}

    def restart(self):
        {}

    def work(self, row=0):
        pass


class Other:
    def __init__(self):
        self.start()

    def start(self):
        pass


if __name__ == "__main__":
    {}
"""
_STARTED = "process = ctx.Process(target=self.work)\n        process.start()"
_BEHIND_IN_A_LOOP = "for _ in range(2):\n            self.start()\n            self.lock = threading.Lock()"
_BEHIND = "self.start()\n        self.lock = threading.Lock()"


@pytest.mark.parametrize(
    "start", [_STARTED, "with ctx.Pool(2) as pool:\n            pool.map(self.work, [1])"], ids=["a process", "a pool"]
)
def test_stored_behind_the_call_of_a_method_that_starts(start: str) -> None:
    assert marks(STARTED_BY_A_METHOD.format(_BEHIND, start, "pass", "Pipeline()")) == []


@pytest.mark.parametrize(
    ("init", "start", "restart", "main", "row"),
    [
        ("self.lock = threading.Lock()\n        self.start()", _STARTED, "pass", "Pipeline()", 9),
        (_BEHIND, _STARTED, "self.start()", "Pipeline().restart()", 10),
        (_BEHIND, _STARTED, "pass", "Pipeline().start()", 10),
        (_BEHIND, "self.process = ctx.Process(target=self.work)", "self.process.start()", "Pipeline().restart()", 10),
        (_BEHIND_IN_A_LOOP, _STARTED, "pass", "Pipeline()", 11),
    ],
    ids=["before", "again by a method", "again from outside", "started elsewhere", "in a loop"],
)
def test_not_only_stored_behind_the_call_of_a_method_that_starts(
    init: str, start: str, restart: str, main: str, row: int
) -> None:
    assert marks(STARTED_BY_A_METHOD.format(init, start, restart, main)) == [(row, "LP111")]


STARTED_BY_A_PART = """\
import multiprocessing
import queue
from concurrent.futures import ProcessPoolExecutor

ctx = multiprocessing.get_context("spawn")


class Workers:
    def __init__(self, work, items):
        self.items = items
        self.done = queue.Queue()
        for number in range(2):
            {}


class Batches:
    def __init__(self):
        self.size = 4
        {}

    def items(self):
        while True:
            yield self.size

    def work(self, number=0):
        print(number, self.size)


if __name__ == "__main__":
    batches = Batches()
"""
_STARTS = "ctx.Process(target=work, args=(number,)).start()"
_KEEPS = "self.workers = Workers(self.work, self.items())"


@pytest.mark.parametrize(
    ("starts", "keeps"),
    [
        (_STARTS, _KEEPS),
        (_STARTS, "self.workers = [Workers(self.work, self.items())]"),
        (_STARTS, 'setattr(self, "workers", Workers(self.work, self.items()))'),
        ("process = ctx.Process(target=work)\n            process.start()", _KEEPS),
    ],
)
def test_what_starts_the_processes_is_kept_when_they_run(starts: str, keeps: str) -> None:
    assert marks(STARTED_BY_A_PART.format(starts, keeps)) == []


@pytest.mark.parametrize(
    ("starts", "keeps"),
    [
        (_STARTS, f"for _ in range(2):\n            {_KEEPS}"),
        (_STARTS, f"{_KEEPS}\n        Workers(self.work, ())"),
        ("self.process = ctx.Process(target=work)", f"{_KEEPS}\n        self.workers.process.start()"),
    ],
    ids=["in a loop", "before another start", "started later"],
)
def test_what_starts_the_processes_may_be_kept_before(starts: str, keeps: str) -> None:
    assert (11, "LP111") in marks(STARTED_BY_A_PART.format(starts, keeps))


def test_a_future_is_kept_before_a_thread_pickles_the_job() -> None:
    keeps = "self.future = ProcessPoolExecutor(2).submit(self.work, 1)"
    assert (19, "LP111") in marks(STARTED_BY_A_PART.format("pass", keeps))
