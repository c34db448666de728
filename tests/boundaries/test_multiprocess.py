"""`multiprocess`: it starts processes as multiprocessing does, and pickles with dill."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """\
import threading
from multiprocess import Pool, Process, Queue

URL = "https://example.org"


def work(number):
    return {read}


class Client:
    def __init__(self):
        self.lock = threading.Lock()
        self.key = lambda row: row

    def fetch(self, number):
        return number, self.key


def main(url):
    global URL
    URL = url
    client = Client()
    {starts}


if __name__ == "__main__":
    main("https://mirror.example.org")
"""
STARTS = [
    "with Pool(2) as pool:\n        print(pool.map(work, [1]))",
    "with Pool(2) as pool:\n        print(pool.map_async(work, [1]).get())",
    "with Pool(2) as pool:\n        print(pool.apply_async(work, (1,)).get())",
    "with Pool(2) as pool:\n        print(list(pool.imap_unordered(work, [1])))",
    "Process(target=work, args=(1,)).start()",
    "print(Pool(2, initializer=work, initargs=(1,)))",
]


@pytest.mark.parametrize("starts", STARTS)
def test_globals_that_only_the_main_process_sets(starts: str) -> None:
    assert marks(TEXT.format(read="URL, number", starts=starts)) == [(8, "LP208")]


@pytest.mark.parametrize(
    "starts",
    [
        *STARTS,
        "with Pool(2) as pool:\n        print(pool.map(lambda number: number, [1]))",
        "with Pool(2) as pool:\n        print(pool.map(client.fetch, [1]))",
        "with Pool(2) as pool:\n        print(pool.map(work, [client]))",
        "with Pool(2) as pool:\n        print(pool.apply(work, (client.lock,)))",
        "Process(target=client.fetch, args=(1,)).start()",
        "Process(target=work, args=(client,)).start()",
        "queue = Queue()\n    Process(target=work, args=(queue,)).start()",
        "with Pool(2) as pool:\n        print(pool.map(work, [1], 2, lambda rows: print(rows)))",
    ],
)
def test_what_dill_takes(starts: str) -> None:
    assert marks(TEXT.format(read="(lambda: number)", starts=starts)) == []


def test_a_start_method_that_the_program_sets() -> None:
    starts = f"from multiprocess import set_start_method\n    set_start_method('fork')\n    {STARTS[0]}"
    assert marks(TEXT.format(read="URL, number", starts=starts)) == []


OWN_CLASS = """\
from multiprocess import Process

URL = "https://example.org"


class Fetching(Process):
    def __init__(self):
        super().__init__()
        self.key = lambda row: row

    def run(self):
        print(URL, self.key)


def main(url):
    global URL
    URL = url
    Fetching().start()


if __name__ == "__main__":
    main("https://mirror.example.org")
"""


def test_a_class_of_processes() -> None:
    assert marks(OWN_CLASS) == []  # gap: nothing is known of what such a class runs


GATE = """\
try:
    import {module} as mp
except ImportError:
    mp = None

GATE = {made}


def work(number):
    with GATE:
        return number


def main():
    with mp.Pool(2) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("module", ["multiprocess", "multiprocessing"])
@pytest.mark.parametrize(
    ("made", "found"),
    [
        ("mp.Semaphore(1)", [(10, "LP212")]),
        ("mp.Semaphore(1) if mp else None", [(10, "LP212")]),
        ("None if mp is None else mp.Lock()", [(10, "LP212")]),
        ("open('gate') if mp else None", []),
        ("None", []),
    ],
)
def test_locks_that_each_worker_makes(module: str, made: str, found: list[tuple[int, str]]) -> None:
    assert marks(GATE.format(module=module, made=made)) == found


def test_a_lock_that_no_worker_takes() -> None:
    text = GATE.format(module="multiprocess", made="mp.Semaphore(1) if mp else None")
    assert marks(text.replace("with GATE:", "if number:")) == []
