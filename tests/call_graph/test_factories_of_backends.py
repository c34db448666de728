"""Static methods that make a process of what they are given, called on a class that is a parameter itself."""

from __future__ import annotations

import pytest

from tests.support import marks

BACKENDS = """\
import multiprocessing
import threading


class ThreadBackend:
    @staticmethod
    def make_worker(*args, **kwargs):
        return threading.Thread(*args, **kwargs)


class ProcessBackend:
    @staticmethod
    def make_worker(*args, **kwargs):
        worker = multiprocessing.Process(*args, **kwargs)
        worker.daemon = True
        return worker


"""

GROUP = """\
class Group:
    def __init__(self, backend, main, count):
        self.main = main
        self.guard = {guard}
        self.workers = [backend.make_worker(target=self.run, args=(rank,)) for rank in range(count)]

    def run(self, rank):
        self.main(rank)

    def start(self):
        for worker in self.workers:
            worker.start()


"""

BACKGROUND = """\
class Background:
    def __init__(self, function, **options):
        backend = options.pop("backend", ProcessBackend)
        self.worker = backend.make_worker(target=function)
        self.worker.start()


"""

MAP = """\
class MapReduce:
    def __init__(self, backend={default}, count=4):
        self.backend = backend
        self.count = count

    def map(self, function):
        group = Group(self.backend, main=function, count=self.count)
        group.start()


def show(rank):
    print(rank)


if __name__ == "__main__":
    MapReduce({given}).map(show)
"""

LOCK = "threading.Lock()"


def program(guard: str, default: str, given: str = "", between: str = "") -> str:
    return BACKENDS + GROUP.format(guard=guard) + between + MAP.format(default=default, given=given)


@pytest.mark.parametrize(
    "text",
    [
        program(LOCK, "ProcessBackend"),
        program(LOCK, "ThreadBackend", "ProcessBackend"),
        program("threading.Semaphore(0)", "ProcessBackend", between=BACKGROUND),
    ],
)
def test_what_the_caller_of_the_factory_keeps_is_shipped(text: str) -> None:
    assert [code for _, code in marks(text)] == ["LP111"]


@pytest.mark.parametrize(
    "text",
    [
        program(LOCK, "ThreadBackend"),
        program(LOCK, "ProcessBackend", "ThreadBackend"),
        program("multiprocessing.Lock()", "ProcessBackend"),
        program("None", "ProcessBackend", between=BACKGROUND),
    ],
)
def test_threads_and_what_can_cross(text: str) -> None:
    assert marks(text) == []
