"""LP310: lock-held-at-fork."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import PageTests
from tests.support import lint, lint_files


class TestPage(PageTests):
    code = "LP310"


_PROGRAM = """\
import multiprocessing
import threading
import time

LOCK = threading.Lock()
PRICES = {{}}


def refresh():
    {takes}:
        PRICES["bread"] = 3.2


def keep_fresh(seconds):
    {repeats}
        refresh()
        time.sleep(seconds)


class Refresher(threading.Thread):
    def __init__(self, seconds):
        super().__init__(daemon=True)
        self.seconds = seconds

    def run(self):
        keep_fresh(self.seconds)


def price(name):
    {asks}
        return PRICES.get(name)


def begin():
    {makes}


def sell(names):
    {before}
    with {pool} as pool:
        print(pool.map(price, names))
    {after}


if __name__ == "__main__":
    sell(["bread", "milk"])
"""
_TAKES, _ASKS, _REPEATS, _POOL = "with LOCK", "with LOCK:", "while True:", "multiprocessing.Pool(2)"
_MAKES = "threading.Thread(target=keep_fresh, args=(5,), daemon=True).start()"
_ROW = 30


def _found(
    takes: str = _TAKES,
    asks: str = _ASKS,
    repeats: str = _REPEATS,
    pool: str = _POOL,
    makes: str = _MAKES,
    before: str = "begin()",
    after: str = "pass",
) -> list[int]:
    text = _PROGRAM.format(takes=takes, asks=asks, repeats=repeats, pool=pool, makes=makes, before=before, after=after)
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP310"]


@pytest.mark.parametrize(
    "makes",
    [
        _MAKES,
        "Refresher(5).start()",
        "threading.Timer(1, keep_fresh, [5]).start()",
        "return threading.Thread(None, keep_fresh, 'prices', (5,)).start()",
        "threading.Thread(target=lambda: keep_fresh(5), daemon=True).start()",
    ],
)
def test_a_thread_that_is_started_before(makes: str) -> None:
    assert _found(makes=makes) == [_ROW]


@pytest.mark.parametrize("pool", [_POOL, "multiprocessing.get_context('fork').Pool(2)"])
def test_workers_that_may_be_forked(pool: str) -> None:
    assert _found(pool=pool) == [_ROW]


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_workers_that_are_not_forked(method: str) -> None:
    assert _found(pool=f"multiprocessing.get_context('{method}').Pool(2)") == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("pass", "begin()"),
        ("thread = threading.Thread(target=refresh); thread.start(); thread.join()", "pass"),
        ("pass", "threading.Thread(target=keep_fresh, args=(5,)).start()"),
        ("thread = threading.Thread(target=keep_fresh, args=(5,))", "thread.start()"),
        ("thread = Refresher(5)", "thread.start()"),
    ],
)
def test_a_thread_that_does_not_run_at_the_fork(before: str, after: str) -> None:
    assert _found(before=before, after=after) == []


@pytest.mark.parametrize(
    ("takes", "asks"),
    [
        ("if True", _ASKS),
        (_TAKES, "if True:"),
        (_TAKES, "if LOCK.acquire(timeout=1):"),
        (_TAKES, "if LOCK.acquire(blocking=False):"),
        ("with OTHER", _ASKS),
    ],
)
def test_a_lock_that_is_not_waited_for_on_both_sides(takes: str, asks: str) -> None:
    assert _found(takes=takes, asks=asks) == []


def test_a_thread_that_takes_it_once() -> None:
    assert _found(repeats="if seconds:") == []


def test_a_thread_that_is_started_by_its_name() -> None:
    assert _found(before="thread = threading.Thread(target=keep_fresh, args=(5,)); thread.start()") == [_ROW]
    assert _found(before="thread = Refresher(5)\n    thread.start()") == [_ROW]


def test_a_lock_that_is_renewed_in_forked_processes() -> None:
    renewed = "begin(); import os; os.register_at_fork(after_in_child=LOCK._at_fork_reinit)"
    assert _found(before=renewed) == []


_OBJECT = """\
import threading
from multiprocessing import Process, SimpleQueue


class Cache:
    {body}

    def __init__(self):
        {stores}
        self.quotes = {{}}

    def refresh(self):
        with self.lock:
            self.quotes["EUR"] = 1.08

    def quote(self, currency):
        self.lock.acquire()
        try:
            return self.quotes[currency]
        finally:
            self.lock.release()


cache = Cache()


def keep_fresh(cache):
    while True:
        cache.refresh()


def convert(currency, out):
    out.put({asked}.quote(currency))


class App:
    def __init__(self):
        self.thread = threading.Thread(target=keep_fresh, args=({given},), daemon=True)
        self.out = SimpleQueue()

    def run(self):
        self.thread.start()
        worker = Process(target=convert, args=("EUR", self.out))
        worker.start()
        worker.join()


if __name__ == "__main__":
    App().run()
"""


@pytest.mark.parametrize(
    ("body", "stores", "given", "asked", "rows"),
    [
        ("pass", "self.lock = threading.Lock()", "cache", "cache", [17]),
        ("lock = threading.Lock()", "pass", "cache", "cache", [17]),
        ("lock = threading.Lock()", "pass", "Cache()", "Cache()", [17]),
        ("pass", "self.lock = threading.Lock()", "Cache()", "cache", []),
        ("pass", "self.lock = threading.Lock()", "cache", "Cache()", []),
    ],
)
def test_a_lock_of_an_object(body: str, stores: str, given: str, asked: str, rows: list[int]) -> None:
    text = _OBJECT.format(body=body, stores=stores, given=given, asked=asked)
    assert [each.location.start.row for each in lint(text).diagnostics if each.code == "LP310"] == rows


_KEPT_FRESH = """\
import threading
from multiprocessing import Process, SimpleQueue


class Cache:
    def __init__(self):
        self.lock = threading.Lock()
        self.quotes = {{}}
        {made}

    def start(self):
        {started}

    def keep_fresh(self):
        while True:
            with self.lock:
                self.quotes["EUR"] = 1.08

    def quote(self, currency):
        with self.lock:
            return self.quotes[currency]


cache = Cache()
other = Cache()


def convert(currency, out):
    out.put(cache.quote(currency))


def begin():
    cache.start()


def main():
    out = SimpleQueue()
    {before}
    worker = Process(target=convert, args=("EUR", out))
    worker.start()
    {after}
    worker.join()


if __name__ == "__main__":
    main()
"""
_STARTED = "threading.Thread(target=self.keep_fresh, daemon=True).start()"
_KEPT = "self.thread = threading.Thread(target=self.keep_fresh, daemon=True)"


@pytest.mark.parametrize(
    ("made", "started", "before", "after", "rows"),
    [
        pytest.param("pass", _STARTED, "cache.start()", "pass", [20], id="at once"),
        pytest.param("pass", f"{_KEPT}\n        self.thread.start()", "cache.start()", "pass", [21], id="kept"),
        pytest.param("pass", _STARTED, "begin()", "pass", [20], id="by a function"),
        pytest.param(_STARTED, "pass", "pass", "pass", [20], id="as it is made"),
        pytest.param("pass", _STARTED, "other.start()", "pass", [], id="of another object"),
        pytest.param("pass", _STARTED, "Cache().start()", "pass", [], id="of a new object"),
        pytest.param("pass", _STARTED, "pass", "cache.start()", [], id="afterwards"),
        pytest.param("pass", _STARTED, "other.start()", "cache.start()", [], id="of another object before"),
        pytest.param("pass", _STARTED.replace("self.", "Cache()."), "cache.start()", "pass", [], id="of a local one"),
    ],
)
def test_a_thread_that_a_method_of_the_object_starts(
    made: str, started: str, before: str, after: str, rows: list[int]
) -> None:
    text = _KEPT_FRESH.format(made=made, started=started, before=before, after=after)
    assert [each.location.start.row for each in lint(text).diagnostics if each.code == "LP310"] == rows


_TELEMETRY = """\
import multiprocessing
import queue
import threading


class Sink:
    def __init__(self):
        self._points = queue.Queue()
        self._lock = threading.Lock()
        self.totals = {{}}
        threading.Thread(target=self._drain, daemon=True).start()

    def _drain(self):
        while True:
            {waits}
            with self._lock:
                self.totals[name] = self.totals.get(name, 0) + value

    def emit(self, name, value):
        self._points.put((name, value))

    def flush(self):
        with self._lock:
            totals, self.totals = self.totals, {{}}
        return totals


sink = Sink()


def normalise(values):
    sink.emit("normalised", len(values))
    return [value / max(values) for value in values]


def prepare(values):
    found = normalise(values)
    sink.emit("prepared", len(found))
    return found, sink.flush()


def main(blocks):
    {before}
    with multiprocessing.Pool(2) as pool:
        print(pool.map(prepare, blocks))


if __name__ == "__main__":
    main([[1, 2], [3, 4]])
"""
_GETS = "name, value = self._points.get()"


def _of_telemetry(waits: str, before: str) -> list[int]:
    found = lint(_TELEMETRY.format(waits=waits, before=before)).diagnostics
    return [each.location.start.row for each in found if each.code == "LP310"]


@pytest.mark.parametrize(
    ("waits", "before"),
    [
        (_GETS, "sink.emit('blocks', len(blocks))"),
        (_GETS, "print(normalise(blocks[0]))"),
        (_GETS, "sink._points.put(('blocks', len(blocks)))"),
        ("name, value = self._points.get(timeout=1)", "pass"),
        ("name, value = 'beat', 1", "pass"),
    ],
)
def test_a_thread_to_which_the_main_process_gives_work(waits: str, before: str) -> None:
    assert _of_telemetry(waits, before) == [23]


def test_a_thread_to_which_only_workers_would_give_work() -> None:
    assert _of_telemetry(_GETS, "pass") == []
    assert _of_telemetry(f"{_GETS}; print(name)", "print(len(blocks))") == []


_IN_TURN = """\
import threading
from multiprocessing import get_context

lock = threading.Lock()
events = []


def log(event):
    with lock:
        events.append(event)


def capture(source):
    for packet in source:
        log(packet)


def work(number):
    log(number)


def init():
    for number in range(4):
        get_context("fork").Process(target=work, args=(number,)).start()


def monitor(sources):
    for source in sources:
        threading.Thread(target=capture, args=(source,)).start()


def main():
    {first}
    {second}


if __name__ == "__main__":
    main()
"""
_CAPTURED = "monitor([iter('ab'), iter('cd')])"


def codes_of_turns(first: str, second: str) -> list[str]:
    return [each.code for each in lint(_IN_TURN.format(first=first, second=second)).diagnostics]


def test_threads_that_another_function_starts_before_the_workers() -> None:
    assert "LP310" in codes_of_turns(_CAPTURED, "init()")


@pytest.mark.parametrize(("first", "second"), [("init()", _CAPTURED), ("init()", "pass")])
def test_threads_that_another_function_starts_after_the_workers(first: str, second: str) -> None:
    assert "LP310" not in codes_of_turns(first, second)


_ONCE = """\
import contextlib
import json
import multiprocessing
import threading
import time


class Log:
    def __init__(self):
        self._guard = threading.Lock()
        self.rows = []

    @contextlib.contextmanager
    def frozen(self):
        with self._guard:
            yield list(self.rows)

    def add(self, row):
        with self._guard:
            self.rows.append(row)


LOG = Log()


class Saver:
    def __init__(self, log):
        self.log = log
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._write, daemon=True)

    def save(self):
        self.thread.start()

    def _write(self):
        {takes}
            {does}
        {then}

    def to_disk(self, rows):
        with open("rows.json", "w") as file:
            json.dump(rows, file)


def score(number):
    LOG.add(number)


def main():
    saver = Saver(LOG)
    saver.save()
    {before}
    with multiprocessing.get_context("fork").Pool(2) as pool:
        pool.map(score, range(4))
    saver.thread.join()


if __name__ == "__main__":
    main()
"""
_SLEEPS, _FROZEN = "time.sleep(1)", "with self.log.frozen() as rows:"


def _of_one_save(takes: str = _FROZEN, does: str = _SLEEPS, then: str = "pass", before: str = "pass") -> list[str]:
    found = lint(_ONCE.format(takes=takes, does=does, then=then, before=before)).diagnostics
    return [each.code for each in found if each.code == "LP310"]


@pytest.mark.parametrize(
    ("takes", "does"),
    [
        (_FROZEN, _SLEEPS),
        (_FROZEN, "json.dump(rows, open('rows.json', 'w'))"),
        (_FROZEN, "self.to_disk(rows)"),
        ("with LOG._guard:", "self.to_disk(LOG.rows)"),
        (_FROZEN, "self.done.set(); time.sleep(1)"),
    ],
)
def test_a_thread_that_takes_it_once_for_as_long_as_something_slow_takes(takes: str, does: str) -> None:
    assert _of_one_save(takes, does) == ["LP310"]


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"does": "self.count = len(rows)"}, id="a moment"),
        pytest.param({"does": "self.count = len(rows)", "then": _SLEEPS}, id="slow behind"),
        pytest.param({"takes": "if True:"}, id="no lock"),
        pytest.param({"before": "saver.thread.join()"}, id="joined"),
        pytest.param({"then": "self.done.set()", "before": "saver.done.wait()"}, id="told"),
    ],
)
def test_a_thread_that_takes_it_once_for_a_moment(changed: dict[str, str]) -> None:
    assert _of_one_save(**changed) == []


_METER = """\
import threading
import time


class Meter:
    def __init__(self, sink=None):
        self._lock = threading.Lock()
        self._counts = {}
        self._sink = sink or (lambda counts: time.sleep(1))
        self._thread = threading.Thread(target=self._loop, daemon=True)

    def start(self):
        self._thread.start()

    def add(self, key):
        with self._lock:
            self._counts[key] = 1

    def _loop(self):
        while True:
            with self._lock:
                self._sink(self._counts)
"""
_METERED = """\
import multiprocessing as mp

from meter import Meter

meter = Meter()


def work(row):
    {work}
    return row


if __name__ == "__main__":
    meter.start()
    with mp.get_context("fork").Pool(2) as pool:
        print(pool.map(work, [1, 2]))
"""


@pytest.mark.parametrize(("work", "expected"), [("meter.add(row)", [("meter.py", 16)]), ("print(row)", [])])
def test_a_lock_of_an_object_whose_constructor_has_a_function_of_its_own(
    work: str, expected: list[tuple[str, int]], tmp_path: Path
) -> None:
    found = lint_files(tmp_path, {"meter.py": _METER, "main.py": _METERED.format(work=work)})
    told = [(Path(each.location.path).name, each.location.start.row) for each in found if each.code == "LP310"]
    assert told == expected
