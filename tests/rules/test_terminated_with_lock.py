"""LP321: terminated-with-lock."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import changed, marks


class TestPage(PageTests):
    code = "LP321"


PROGRAM = """\
import multiprocessing as mp
import signal
import sys
import threading
import time
class Ledger:
    def __init__(self, lock):
        self.lock = lock
    def record(self, job):
        with self.lock:
            time.sleep(job)
def execute(job, lock):
    with lock:
        time.sleep(job)
def count(job, lock):
    with lock:
        job += 1
def write(job, ledger):
    ledger.record(job)
def unlocked(job, lock):
    time.sleep(job)
def polite(job, lock):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with lock:
        time.sleep(job)
def run(job, lock, limit=3):
    process = mp.Process(target=execute, args=(job, lock))
    process.start()
    process.join(limit)
    if process.is_alive():
        process.terminate()
        process.join()
def main():
    lock = mp.Lock()
    for job in range(3):
        run(job, lock)
if __name__ == "__main__":
    main()
"""


def found(*changes: tuple[str, str]) -> list[str]:
    text = changed(PROGRAM, *changes)
    return [code for _, code in marks(text) if code == "LP321"]


TWICE = "    for job in range(3):\n        run(job, lock)\n", "    run(1, lock)\n    run(2, lock)\n"
ONCE = "    for job in range(3):\n        run(job, lock)\n", "    run(1, lock)\n"
IN_LOOP = """\
def main():
    lock = mp.Lock()
    for job in range(3):
        process = mp.Process(target=execute, args=(job, lock))
        process.start()
        process.join(timeout=3)
        if process.is_alive():
            process.kill()
"""


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param([], id="called in a loop"),
        pytest.param([TWICE], id="called twice"),
        pytest.param([("process.terminate()", "process.kill()")], id="killed"),
        pytest.param([("mp.Lock()", "mp.RLock()")], id="a lock that one may take twice"),
        pytest.param([("target=execute", "target=write"), ("mp.Lock()", "Ledger(mp.Lock())")], id="in a method"),
        pytest.param([("process.join(limit)", "process.join(timeout=limit)")], id="by a keyword"),
        pytest.param([(PROGRAM[PROGRAM.index("def main") : PROGRAM.index("if __name__")], IN_LOOP)], id="in a loop"),
    ],
)
def test_locks_that_stay_locked(changes: list[tuple[str, str]]) -> None:
    assert found(*changes) == ["LP321"]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param([ONCE], id="one process alone"),
        pytest.param([("target=execute", "target=unlocked")], id="no lock is taken"),
        pytest.param([("target=execute", "target=count")], id="it is held for a moment"),
        pytest.param([("target=execute", "target=polite")], id="a handler releases it"),
        pytest.param([("    lock = mp.Lock()\n", ""), ("run(job, lock)", "run(job, mp.Lock())")], id="a lock for each"),
        pytest.param([("process.join(limit)", "process.join()")], id="it has ended"),
        pytest.param([("    process.join(limit)\n", "")], id="not for the time it takes"),
        pytest.param([("        process.join()\n", "        sys.exit(1)\n")], id="the program ends"),
        pytest.param([("        process.join()\n", "        raise TimeoutError\n")], id="it fails"),
        pytest.param([("        process.join()\n", "        lock.release()\n")], id="it is released"),
        pytest.param([("mp.Process", "threading.Thread")], id="a thread"),
    ],
)
def test_what_does_not_stay_locked(changes: list[tuple[str, str]]) -> None:
    assert found(*changes) == []
