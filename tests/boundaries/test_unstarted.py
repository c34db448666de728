"""A process that its maker never starts, and that nothing else gets, is pickled by nobody."""

from __future__ import annotations

import pytest

from tests.support import marks

WORKER = """\
import multiprocessing, threading, unittest


class Worker(multiprocessing.Process):
    def __init__(self, lock):
        super().__init__()
        self.lock = lock

    def run(self):
        print(self.lock)


"""


def _found(text: str) -> bool:
    return [code for _, code in marks(WORKER + text)] == ["LP111"]


@pytest.mark.parametrize(
    "use",
    [
        "worker.run()",
        "worker.name = 'first'\n    worker.run()",
        "assert worker.exitcode is None",
        "try:\n        worker.run()\n    finally:\n        worker.terminate()",
    ],
)
def test_one_whose_methods_are_called_here(use: str) -> None:
    assert not _found(f"def work():\n    worker = Worker(threading.Lock())\n    {use}\n")


@pytest.mark.parametrize(
    "use",
    [
        "worker.start()",
        "for each in [worker]:\n        each.start()",
        "return worker",
        "yield worker",
        "print(worker)",
        "start = worker.start\n    start()",
        "threading.Timer(1, worker.start)",
        "WORKERS.append(worker)",
        "WORKERS[0] = worker",
        "threading.main_thread().worker = worker",
        "(lambda: worker.start())()",
        "def start():\n        worker.start()\n    start()",
        "other = worker\n    other.start()",
    ],
)
def test_one_that_is_started_or_given_away(use: str) -> None:
    assert _found(f"WORKERS = []\ndef work():\n    worker = Worker(threading.Lock())\n    {use}\n")


def test_one_that_starts_itself() -> None:
    text = "def work():\n    Worker(threading.Lock()).connect()\n"
    assert not _found(text)
    connecting = WORKER.rstrip() + "\n\n    def connect(self):\n        self.start()\n        return self\n\n\n"
    assert [code for _, code in marks(connecting + text)] == ["LP111"]


CASE = """\
class Case({base}):
    def setUp(self):
        self.lock = threading.Lock()
        self.worker = Worker(self.lock)

    def test_run(self):
        self.worker.{method}()
"""


@pytest.mark.parametrize(
    ("base", "method", "is_found"),
    [
        ("unittest.TestCase", "run", False),
        ("unittest.IsolatedAsyncioTestCase", "run", False),
        ("unittest.TestCase", "start", True),
        ("object", "run", True),  # what others do with its attribute is not known
    ],
)
def test_one_that_a_test_case_keeps(base: str, method: str, is_found: bool) -> None:
    assert _found(CASE.format(base=base, method=method)) == is_found
