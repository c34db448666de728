"""Queues and locks of the program's own: what a class that derives from one of multiprocessing adds does not arrive.

Measured with CPython 3.11: `AttributeError: 'Counted' object has no attribute 'size'` under spawn and forkserver."""

from __future__ import annotations

import pytest

from tests.support import changed, lint

PROGRAM = """\
import multiprocessing as mp
from multiprocessing.queues import Queue


class Counted(Queue):
    def __init__(self, maxsize=0):
        super().__init__(maxsize, ctx=mp.get_context())
        self.size = mp.Value("i", 0)

    def put(self, item, block=True, timeout=None):
        with self.size.get_lock():
            self.size.value += 1
        super().put(item, block, timeout)

    def waiting(self):
        return self.size.value


def work(number, queue):
    queue.put(number)


def main():
    queue = Counted()
    workers = [mp.Process(target=work, args=(number, queue)) for number in range(3)]
    for worker in workers:
        worker.start()
    print(queue.waiting(), [queue.get() for _ in workers])


if __name__ == "__main__":
    main()
"""


def _found(*changes: tuple[str, str]) -> list[tuple[str, str]]:
    text = changed(PROGRAM, *changes)
    return [(each.code, each.confidence.value) for each in lint(text).diagnostics if each.code == "LP604"]


def test_one_cause_is_told_once() -> None:
    text = PROGRAM.replace("def work(", "def ask(queue):\n    print(queue.waiting())\n\n\ndef work(")
    text = text.replace("for worker in w", "workers.append(mp.Process(target=ask, args=(queue,)))\n    for worker in w")
    found = [each for each in lint(text).diagnostics if each.code == "LP604"]
    lines = [text.splitlines()[each.location.start.row - 1].strip() for each in found]
    assert lines == ['self.size = mp.Value("i", 0)']


STATE = (
    "    def __getstate__(self):\n        return super().__getstate__(), self.size\n\n"
    "    def __setstate__(self, state):\n        super().__setstate__(state[0])\n        self.size = state[1]\n\n"
)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param((), id="by a method that it overrides"),
        pytest.param((("import Queue", "import JoinableQueue"), ("(Queue)", "(JoinableQueue)")), id="joinable"),
        pytest.param((("queue.put(number)", "print(queue.waiting())"),), id="by another method"),
        pytest.param((("self.size", "self._size"),), id="a private one"),
        pytest.param(
            (("from multiprocessing.queues", "from torch.multiprocessing.queue"),),
            id="of torch",
        ),
        pytest.param((("Counted", "Queue"),), id="called like its base"),
        pytest.param((("args=(number, queue)", "args=(number,), kwargs={'queue': queue}"),), id="by keyword"),
        pytest.param(
            (
                ("from multiprocessing.queues import Queue", "from multiprocessing import queues"),
                ("(Queue)", "(queues.Queue)"),
            )
        ),
    ],
)
def test_an_attribute_that_the_queue_does_not_send(changes: tuple[tuple[str, str], ...]) -> None:
    assert _found(*changes) == [("LP604", "likely")]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param((("    def put(", f"{STATE}    def put("),), id="in its state"),
        pytest.param((("self.size", "self._maxsize"),), id="an attribute of every queue"),
        pytest.param((("    def put(", f"{STATE}    def put("), ("self.size", "self._size")), id="a private one in it"),
        pytest.param((("queue.put(number)", "queue.put_nowait(number)"),), id="a method that is not its own"),
        pytest.param((("queue.put(number)", "print(number)"),), id="not used by the worker"),
        pytest.param((("    queue.put(number)", "    number.put(queue)"),), id="a method of something else"),
        pytest.param((("mp.Process(", "threading.Thread("),), id="threads"),
        pytest.param((("self.size = mp", "size = mp"), ("self.size", "self.size_of()")), id="no attribute"),
        pytest.param(
            (
                ("    def __init__", "    size = None\n\n    def __init__"),
                ("with self.size", "with self.size or mp.Value('i')"),
            ),
            id="the class has it, too",
        ),
        pytest.param(
            (("        with self", '        if hasattr(self, "size"):\n            print(1)\n        with self'),)
        ),
        pytest.param((("from multiprocessing.queues", "from queue"), (", ctx=mp.get_context()", "")), id="of threads"),
    ],
)
def test_what_arrives_or_is_not_used(changes: tuple[tuple[str, str], ...]) -> None:
    assert _found(*changes) == []


LOCKS = """\
import multiprocessing as mp
from multiprocessing import synchronize


class Named(synchronize.Lock):
    def __init__(self, name):
        super().__init__(ctx=mp.get_context())
        self.name = name

    def shown(self):
        return f"<{self.name}>"


def work(lock):
    print(lock.name)


def main():
    lock = Named("prices")
    process = mp.Process(target=work, args=(lock,))
    process.start()
    process.join()


if __name__ == "__main__":
    main()
"""


def _found_of_locks(*changes: tuple[str, str]) -> list[tuple[str, str | None]]:
    return [(each.code, each.error) for each in lint(changed(LOCKS, *changes)).diagnostics if each.code == "LP604"]


ENTERS = ("    def shown(self):", "    def __enter__(self):\n        print(self.name)\n\n    def shown(self):")


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param((), id="read by the worker"),
        pytest.param((("print(lock.name)", "print(lock.shown())"),), id="read by a method"),
        pytest.param((("print(lock.name)", "with lock:\n        pass"), ENTERS), id="read as it is entered"),
        *(
            pytest.param((("synchronize.Lock", f"synchronize.{name}"),), id=name)
            for name in ("RLock", "Semaphore", "BoundedSemaphore", "Condition", "Barrier")
        ),
        pytest.param(
            (("import synchronize", "import queues"), ("synchronize.Lock", "queues.Queue")), id="read of a queue"
        ),
    ],
)
def test_an_attribute_that_the_lock_does_not_send(changes: tuple[tuple[str, str], ...]) -> None:
    assert _found_of_locks(*changes) == [("LP604", "AttributeError: 'Named' object has no attribute 'name'")]


HIDDEN = ("    def shown(self):", "    def acquire(self):\n        print(self.name)\n\n    def shown(self):")


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param((("synchronize.Lock", "synchronize.Event"),), id="an event sends all"),
        pytest.param((("print(lock.name)", "print(lock)"),), id="not read"),
        pytest.param((("print(lock.name)", "lock.name = 'other'"),), id="set by the worker"),
        pytest.param((("print(lock.name)", "lock.acquire()"), HIDDEN), id="a method that the lock hides"),
        pytest.param((("self.name", "self._semlock"), ("lock.name", "lock._semlock")), id="its own"),
        pytest.param((("mp.Process(", "threading.Thread("),), id="threads"),
        pytest.param((("print(lock.name)", 'print(getattr(lock, "name", ""))'),), id="asked for with a default"),
    ],
)
def test_what_a_lock_sends_or_nobody_reads(changes: tuple[tuple[str, str], ...]) -> None:
    assert _found_of_locks(*changes) == []
