"""LP315: lock-held-at-join."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP315"


HEAD = """
import multiprocessing as mp
from contextlib import contextmanager


class Ledger:
    def __init__(self, path):
        self.path = path
        self.lock = mp.Lock()
        self.day = None

    def append(self, amount):
        with self.lock:
            with open(self.path, "a") as file:
                file.write(str(amount))

    def exclusive(self):
        return self.lock

    @contextmanager
    def closed(self):
        self.lock.acquire()
        try:
            yield self
        finally:
            self.lock.release()

    def __enter__(self):
        self.lock.acquire()
        return self

    def __exit__(self, *error):
        self.lock.release()

    def count(self):
        with open(self.path) as file:
            return len(file.readlines())


def book(ledger, amounts):
    for amount in amounts:
        ledger.append(amount)


def look(ledger, amounts):
    print(ledger.count(), amounts)


def show(lock, number):
    with lock:
        print(number)


def hand_on(lock, number):
    show(lock, number + 1)


def show_if_free(lock, number):
    if lock.acquire(timeout=1):
        print(number)
        lock.release()


def show_if_large(lock, number):
    if number > 10:
        with lock:
            print(number)


def show_without(lock, number):
    print(lock is not None, number)
"""
GUARD = "\n\nif __name__ == '__main__':\n    main()\n"
RUN = "p = mp.Process(target={target}, args={args})\n{around}:\n    p.start()\n    p.join({timeout})\n"


def found(main: str) -> bool:
    body = "".join(f"    {line}\n" for line in main.splitlines())
    text = f"{HEAD}\n\ndef main():\n    ledger = Ledger('day')\n    lock = mp.Lock()\n{body}{GUARD}"
    return "LP315" in [code for _, code in marks(text)]


def run(around: str, target: str = "show", args: str = "(lock, 3)", timeout: str = "") -> str:
    return RUN.format(around=around, target=target, args=args, timeout=timeout)


SEVERAL = (
    "    clerks = [mp.Process(target={0}, args=(ledger, [day])) for day in range(3)]\n"
    "    for clerk in clerks:\n        clerk.start()\n    for clerk in clerks:\n        clerk.join()\n"
)
BOOK = {"target": "book", "args": "(ledger, [1, 2])"}


@pytest.mark.parametrize(
    "main",
    [
        pytest.param(run("with lock"), id="a lock"),
        pytest.param(run("with lock", "hand_on"), id="handed on by the worker"),
        pytest.param("lock = mp.RLock()\n" + run("with lock"), id="a lock that only its process takes again"),
        pytest.param("lock = mp.get_context('spawn').Lock()\n" + run("with lock"), id="of a context"),
        pytest.param("lock.acquire()\n" + run("try") + "finally:\n    lock.release()\n", id="acquired before"),
        pytest.param("if __debug__:\n    " + run("with lock").replace("\n", "\n    ") + "pass\n", id="all in a branch"),
        pytest.param(run("with ledger.lock", **BOOK), id="a lock of an object"),
        pytest.param(run("with ledger.exclusive()", **BOOK), id="what a method gives"),
        pytest.param(run("with ledger.closed()", **BOOK), id="a generator that takes it"),
        pytest.param(run("with ledger", **BOOK), id="an object that takes it as it is entered"),
        pytest.param("with ledger.exclusive():\n" + SEVERAL.format("book"), id="several"),
        pytest.param("ledger.append(100)\nwith ledger.exclusive():\n" + SEVERAL.format("book"), id="used before"),
        pytest.param(
            "for day in range(3):\n    lock = mp.Lock()\n    with lock:\n        p = mp.Process(target=show, "
            "args=(lock, day))\n        p.start()\n        p.join()\n",
            id="a lock for each round",
        ),
    ],
)
def test_held_while_joined(main: str) -> None:
    assert found(main)


CLOSE = """

class Till(Ledger):
    def close(self):
        with self.lock:
            clerk = mp.Process(target=self.append, args=(1,))
            clerk.start()
            clerk.join()

    def close_other(self, other):
        with other.lock:
            clerk = mp.Process(target=self.append, args=(1,))
            clerk.start()
            clerk.join()


def main():
    Till("night").{0}
"""


def test_only_the_own_lock_of_an_object() -> None:
    text = f"{HEAD}{CLOSE.format('close()')}{GUARD}"
    rows = [row for row, code in marks(text) if code == "LP315"]
    assert rows == [text[: text.index("clerk.join()")].count("\n") + 1]


@pytest.mark.parametrize(
    "main",
    [
        pytest.param(run("with lock", timeout="5"), id="joined with a limit of time"),
        pytest.param(
            "p = mp.Process(target=show, args=(lock, 3))\nwith lock:\n"
            "    if ledger.day:\n        p.start()\n        p.join()\n",
            id="started only sometimes",
        ),
        pytest.param(run("with lock", "show_if_free"), id="the worker waits with a limit"),
        pytest.param(run("with lock", "show_if_large"), id="the worker takes it only sometimes"),
        pytest.param(run("with lock", "show_without"), id="the worker does not take it"),
        pytest.param(run("with ledger.lock", "look", "(ledger, [1])"), id="another method of the object"),
        pytest.param("other = mp.Lock()\n" + run("with other"), id="another lock"),
        pytest.param("other = Ledger('night')\n" + run("with other.lock", **BOOK), id="the lock of another object"),
        pytest.param(
            "locks = [mp.Lock() for _ in range(2)]\n" + run("with locks[0]", args="(locks[1], 3)"), id="one of several"
        ),
        pytest.param(
            "books = [Ledger(str(day)) for day in range(2)]\n" + run("with books[0].lock", "book", "(books[1], [1])"),
            id="the lock of one of several objects",
        ),
        pytest.param(
            "p = mp.Process(target=show, args=(lock, 3))\nwith lock:\n    p.start()\n    print('started')\np.join()\n",
            id="joined afterwards",
        ),
        pytest.param(
            "p = mp.Process(target=show, args=(lock, 3))\np.start()\nwith lock:\n    p.join()\n",
            id="started before: it may have had the lock by then",
        ),
        pytest.param(
            "p = mp.Process(target=show, args=(lock, 3))\nlock.acquire()\np.start()\nlock.release()\np.join()\n",
            id="released before",
        ),
        pytest.param(
            "p = mp.Process(target=show, args=(lock, 3))\nwith lock:\n    p.start()\n    p.terminate()\n    p.join()\n",
            id="ended before",
        ),
        pytest.param("lock = mp.Semaphore(2)\n" + run("with lock"), id="a semaphore that two may take"),
        pytest.param(
            "from threading import Thread\n"
            "p = Thread(target=show, args=(mp.Lock(), 3))\nwith lock:\n    p.start()\n    p.join()\n",
            id="a thread with a lock of its own",
        ),
        pytest.param(
            "def wait(p):\n    p.start()\n    p.join(1)\n"
            "p = mp.Process(target=show, args=(lock, 3))\nwith lock:\n    wait(p)\n",
            id="a helper that waits for a time",
        ),
        pytest.param(
            "def wait(p):\n    p.start()\n    lock.release()\n    p.join()\n"
            "p = mp.Process(target=show, args=(lock, 3))\nwith lock:\n    wait(p)\n",
            id="a helper that releases before",
        ),
        pytest.param(
            "def wait(p):\n    p.start()\n    if p.pid is None:\n        p.join()\n"
            "p = mp.Process(target=show, args=(lock, 3))\nwith lock:\n    wait(p)\n",
            id="a helper that waits sometimes",
        ),
        pytest.param(
            "def wait(p):\n    p.start()\n    p.join()\n"
            "p = mp.Process(target=show, args=(lock, 3))\nwith lock:\n    wait(mp.Process(target=print))\n"
            "p.start()\np.join()\n",
            id="a helper for another process",
        ),
    ],
)
def test_not_held_or_not_waited_for(main: str) -> None:
    assert not found(main)


@pytest.mark.parametrize(
    "helpers",
    [
        "def wait(p):\n    p.start()\n    p.join()\n",
        "def begin(p):\n    p.start()\ndef wait(p):\n    begin(p)\n    p.join()\n",
    ],
)
def test_a_helper_that_starts_and_joins(helpers: str) -> None:
    assert found(f"{helpers}p = mp.Process(target=show, args=(lock, 3))\nwith lock:\n    wait(p)\n")


POOLS = """
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor

journal = None
guard = None


class Journal:
    def __init__(self, path):
        self.path = path
        self.lock = mp.Lock()

    def write(self, line):
        with self.lock:
            with open(self.path, "a") as out:
                out.write(line)

    def write_if_free(self, line):
        if self.lock.acquire(timeout=1):
            self.lock.release()

    def read(self):
        with open(self.path) as text:
            return text.read()


def attach(first, second):
    global journal, guard
    journal = first
    guard = second


def attach_another(first, second):
    global guard
    guard = mp.Lock()


def write(number):
    journal.write(str(number))
    return number


def write_if_free(number):
    journal.write_if_free(str(number))


def write_some(number):
    if number > 1:
        journal.write(str(number))


def read(number):
    return journal.read()


def show(number):
    with guard:
        print(number)


def show_by_another(number):
    show(number + 1)


def take(number):
    guard.acquire()
    print(number)
    guard.release()


def take_for_a_while(number):
    guard.acquire(timeout=1)


def shadow(guard):
    with guard:
        print("mine")


def main():
    book = Journal("journal.txt")
    lock = mp.Lock()
    pool = mp.Pool(2, attach, (book, lock))
{body}

if __name__ == "__main__":
    main()
"""


def found_at_tasks(body: str) -> bool:
    text = POOLS.replace("{body}", "".join(f"    {line}\n" for line in body.splitlines()))
    return "LP315" in [code for _, code in marks(text)]


IN_EXECUTOR = (
    "with ProcessPoolExecutor(2, initializer={0}, initargs=(book, lock)) as executor:\n    with lock:\n"
    "        print(list(executor.map(show, range(3))))"
)


@pytest.mark.parametrize(
    "body",
    [
        "with lock:\n    pool.map(show, range(3))",
        "with lock:\n    pool.map(take, range(3))",
        "with lock:\n    print(pool.map(show_by_another, range(3)))",
        "with lock:\n    pool.starmap(show, [(1,), (2,)])",
        "with lock:\n    pool.apply(show, (1,))",
        "with lock:\n    for each in pool.imap(show, range(3)):\n        print(each)",
        "with book.lock:\n    print(sum(pool.imap_unordered(write, range(3))))",
        "lock.acquire()\ntry:\n    pool.map(show, range(3))\nfinally:\n    lock.release()",
        "with lock:\n    if __debug__:\n        pool.map(show, range(3))",
        IN_EXECUTOR.format("attach"),
    ],
)
def test_tasks_that_wait_for_the_lock_of_who_waits_for_them(body: str) -> None:
    assert found_at_tasks(body)


@pytest.mark.parametrize(
    "body",
    [
        "with lock:\n    print('begins')\npool.map(show, range(3))",
        "with lock:\n    pool.map(write, range(3))",
        "with book.lock:\n    pool.map(show, range(3))",
        "with book.lock:\n    pool.map(read, range(3))",
        "with book.lock:\n    pool.map(write_if_free, range(3))",
        "with book.lock:\n    pool.map(write_some, range(3))",
        "with lock:\n    pool.map(take_for_a_while, range(3))",
        "with lock:\n    pool.map(shadow, range(3))",
        "with lock:\n    rows = pool.imap(show, range(3))\nprint(list(rows))",
        "with lock:\n    rows = pool.map_async(show, range(3))\nprint(rows.get())",
        "with lock:\n    lock.release()\n    pool.map(show, range(3))\n    lock.acquire()",
        "if lock.acquire(block=False):\n    pool.map(read, range(3))\n    lock.release()",
        "with mp.Lock():\n    pool.map(show, range(3))",
        "other = mp.Pool(2)\nwith lock:\n    other.map(read, range(3))",
        IN_EXECUTOR.format("attach_another"),
    ],
)
def test_tasks_that_do_not_wait_for_it(body: str) -> None:
    assert not found_at_tasks(body)


@pytest.mark.parametrize(
    "body",
    [
        "with lock:\n    print(pool.apply_async(show, (1,)).get())",
        "with lock:\n    rows = pool.imap(show, range(3))\n    print(next(rows))",
    ],
)
def test_gaps_of_tasks(body: str) -> None:
    assert not found_at_tasks(body)  # gap: the result is asked for by another call
