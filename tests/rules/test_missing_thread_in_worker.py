"""LP311: missing-thread-in-worker."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP311"


_PROGRAM = """\
import multiprocessing as mp
import os
import queue
import threading

rows, done, found = queue.Queue(), threading.Event(), queue.Queue()


def drain():
    {repeats}
        {part}


class Drain(threading.Thread):
    def run(self):
        drain()


def begin():
    {makes}


def work(number):
    {work}
    return number


{top}


def main():
    {before}
    with {pool} as pool:
        pool.map(work, range(4))
    {after}


if __name__ == "__main__":
    main()
"""
_REPEATS, _PART, _WORK = "while True:", "rows.get(); rows.task_done()", "rows.put(number); rows.join()"
_MAKES, _POOL = "threading.Thread(target=drain, daemon=True).start()", "mp.Pool(2)"
_ROW = 24


def _found(
    repeats: str = _REPEATS,
    part: str = _PART,
    work: str = _WORK,
    makes: str = _MAKES,
    pool: str = _POOL,
    top: str = "begin()",
    before: str = "pass",
    after: str = "pass",
) -> list[int]:
    text = _PROGRAM.format(
        repeats=repeats, part=part, work=work, makes=makes, pool=pool, top=top, before=before, after=after
    )
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP311"]


@pytest.mark.parametrize(
    ("top", "before", "after", "is_missed"),
    [
        ("begin()", "pass", "pass", True),
        (_MAKES, "pass", "pass", True),
        ("pass", "begin()", "pass", True),
        ("pass", _MAKES, "pass", True),
        ("pass", "thread = Drain()\n    thread.start()", "pass", True),
        ("pass", "pass", "begin()", False),
        ("pass", "pass", "pass", False),
        ("pass", "thread = Drain()", "thread.start()", False),
        ("pass", "thread = Drain()\n    thread.start()\n    thread.join()", "pass", False),
    ],
)
def test_where_the_thread_is_started(top: str, before: str, after: str, is_missed: bool) -> None:
    assert _found(top=top, before=before, after=after) == [_ROW] * is_missed


@pytest.mark.parametrize(
    ("work", "part"),
    [
        (_WORK, _PART),
        ("rows.put(number)", "rows.get()"),
        ("rows.put(number)", "print(rows.get(timeout=1))"),
        ("rows.put_nowait(number)", "print(list(iter(rows.get, None)))"),
        ("rows.join()", "rows.task_done()"),
        ("done.wait()", "done.set()"),
        ("number = found.get()", "found.put(1)"),
        ("number = found.get(True)", "found.put_nowait(1)"),
    ],
)
def test_what_a_worker_waits_for_or_leaves_to_it(work: str, part: str) -> None:
    assert _found(work=work, part=part) == [_ROW]


@pytest.mark.parametrize(
    ("work", "part"),
    [
        ("pass", _PART),
        ("rows.qsize()", _PART),
        ("rows.put(number)", "found.get()"),
        ("rows.put(number); rows.get()", "rows.get()"),
        ("done.wait(5)", "done.set()"),
        ("done.is_set()", "done.set()"),
        ("done.set(); done.wait()", "done.set()"),
        ("found.get(timeout=3)", "found.put(1)"),
        ("found.get(False)", "found.put(1)"),
        ("found.get_nowait()", "found.put(1)"),
        ("own = queue.Queue(); own.put(number)", _PART),
        ("print(','.join(['a']))", _PART),
        ("begin(); rows.put(number); rows.join()", _PART),
        ("if os.getpid() != 1: rows.put(number)", _PART),
        ("rows.put(number)", "print('alive')"),
    ],
)
def test_what_needs_no_thread(work: str, part: str) -> None:
    assert _found(work=work, part=part) == []


@pytest.mark.parametrize(
    ("pool", "is_missed"),
    [
        (_POOL, True),
        ("mp.get_context('fork').Pool(2)", True),
        ("mp.get_context('spawn').Pool(2)", False),
        ("mp.get_context('forkserver').Pool(2)", False),
        ("mp.Pool(2, initializer=begin)", False),
        ("mp.pool.ThreadPool(2)", False),
    ],
)
def test_how_workers_start(pool: str, is_missed: bool) -> None:
    assert _found(pool=pool) == [_ROW] * is_missed


def test_a_thread_that_does_it_once() -> None:
    assert _found(repeats="if True:") == []


def test_a_thread_that_is_started_again_after_the_fork() -> None:
    assert _found(top="begin()\nos.register_at_fork(after_in_child=begin)") == []


_OBJECT = """\
import queue
import threading
from concurrent.futures import ProcessPoolExecutor


class Sink:
    def __init__(self):
        self.points = queue.Queue()
        self.thread = threading.Thread(target=self.drain, daemon=True)
        self.thread.start()

    def drain(self):
        while True:
            print(self.points.get())

    def emit(self, value):
        self.points.put(value)


{made}


def begin():
    global sink
    sink = Sink()


def work(number):
    {work}


def main():
    with ProcessPoolExecutor({given}) as executor:
        list(executor.map(work, range(4)))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("made", "work", "given", "rows"),
    [
        ("sink = Sink()", "sink.emit(number)", "2", [17]),
        ("sink = Sink()", "sink.points.put(number)", "2", [29]),
        ("sink = Sink()", "Sink().emit(number)", "2", []),
        ("sink = None", "sink.emit(number)", "2, initializer=begin", []),
        ("sink = Sink()", "sink.emit(number)", "2, initializer=begin", []),
        ("sink = Sink()", "print(sink.thread.name)", "2", []),
    ],
)
def test_an_object_with_a_thread(made: str, work: str, given: str, rows: list[int]) -> None:
    found = lint(_OBJECT.format(made=made, work=work, given=given)).diagnostics
    assert [each.location.start.row for each in found if each.code == "LP311"] == rows


_LAZY = """\
import os
import queue
import threading
from concurrent.futures import ProcessPoolExecutor


class Sink:
    def __init__(self):
        self.points = queue.Queue()
        self.thread = None

    def start(self):
        {start}
            self.thread = threading.Thread(target=self.drain, daemon=True)
            self.thread.start()

    def drain(self):
        while True:
            print(self.points.get())
            self.points.task_done()

    def emit(self, value):
        self.start()
        self.points.put(value)

    def flush(self):
        self.points.join()


sink = Sink()


def begin():
    {begin}


def work(number):
    {work}


def main():
    {before}
    with ProcessPoolExecutor({given}) as executor:
        list(executor.map(work, range(4)))
    {after}


if __name__ == "__main__":
    main()
"""


def _lazily(
    start: str = "if self.thread is None:",
    work: str = "sink.emit(number); sink.flush()",
    before: str = "sink.emit('begin')",
    after: str = "pass",
    begin: str = "pass",
    given: str = "2",
) -> list[int]:
    text = _LAZY.format(start=start, work=work, before=before, after=after, begin=begin, given=given)
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP311"]


@pytest.mark.parametrize(
    ("program", "row"),
    [
        ({}, 27),
        ({"start": "if not self.thread:"}, 27),
        ({"before": "sink.start()"}, 27),
        ({"work": "sink.flush()"}, 27),
        ({"work": "sink.emit(number)"}, 24),
        ({"given": "2, initializer=begin", "begin": "print('begin')"}, 27),
    ],
)
def test_a_thread_that_is_started_when_it_is_first_needed(program: dict[str, str], row: int) -> None:
    assert _lazily(**program) == [row]


@pytest.mark.parametrize(
    "program",
    [
        {"before": "pass"},
        {"before": "pass", "after": "sink.emit('end')"},
        {"start": "if True:"},
        {"start": "if self.thread is None or not self.thread.is_alive():"},
        {"start": "if self.thread is None or self.process != os.getpid():"},
        {"work": "sink.thread = None; sink.emit(number); sink.flush()"},
        {"given": "2, initializer=begin", "begin": "sink.thread = None"},
        {"given": "2, initializer=begin", "begin": "global sink; sink = Sink()"},
        {
            "given": "2, mp_context=multiprocessing.get_context('spawn')",
            "before": "import multiprocessing; sink.start()",
        },
        {"work": "own = Sink(); own.emit(number); own.flush()"},
        {"work": "print(sink.points.qsize())"},
    ],
)
def test_a_thread_that_the_worker_starts_itself_or_does_not_need(program: dict[str, str]) -> None:
    assert _lazily(**program) == []
