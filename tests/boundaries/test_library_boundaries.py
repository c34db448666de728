"""Boundaries of dataclasses, loky and distributed, as the real libraries treat what they are given."""

from __future__ import annotations

import pytest

from tests.support import marks

HEAD = """\
import threading
from dataclasses import asdict, astuple, dataclass, field, replace


class Plain:
    def __init__(self):
        self.scale = lambda value: value / 2


class Locked:
    def __init__(self):
        self.lock = threading.Lock()


@dataclass
class Options:
    name: str
    lock: object = field(default_factory=threading.Lock)


@dataclass
class Quiet:
    name: str

    def __post_init__(self):
        self.lock = threading.Lock()


def work(item):
    return 1


"""
LOKY = "from loky import get_reusable_executor\n\n\ndef main():\n    executor = get_reusable_executor(max_workers=2)\n"
CLIENT = "from dask.distributed import Client\n\n\ndef main():\n    client = Client()\n"


@pytest.mark.parametrize(
    ("code", "row"),
    [
        ("def main():\n    print(asdict(Options('a')))\n", 18),
        ("def main():\n    print(astuple(Options('a', Locked())))\n", 12),
        ("@dataclass\nclass More(Options):\n    def as_dict(self):\n        return asdict(self)\n", 18),
        (LOKY + "    executor.submit(work, Locked())\n", 12),
        (LOKY + "    list(executor.map(work, [Locked()]))\n", 12),
        (CLIENT + "    client.submit(work, Locked()).result()\n", 12),
    ],
)
def test_what_they_cannot_take(code: str, row: int) -> None:
    assert marks(HEAD + code) == [(row, "LP111")]


@pytest.mark.parametrize(
    "code",
    [
        "def main():\n    print(asdict(Quiet('a')))\n",
        "def main():\n    print(asdict(Options('a', lambda: 1)))\n",
        "def main():\n    print(replace(Options('a'), name='b'))\n",
        LOKY + "    executor.submit(lambda item: 1, Plain())\n",
        LOKY + "    list(executor.map(work, [{}.keys(), Plain()]))\n",
        CLIENT + "    client.map(lambda item: item, [Plain()])\n",
        "from httpx import Client\n\n\ndef main():\n    Client().submit(work, Locked())\n",
    ],
)
def test_what_they_can_take(code: str) -> None:
    assert not marks(HEAD + code)


POOLS_OF_JOBLIB = """\
import threading
from multiprocessing.pool import ThreadPool

from joblib.pool import MemmappingPool, PicklingPool


class Shared:
    def __init__(self):
        self.pool = None
        self.scale = 1

    def begin(self, count, scale):
        self.scale = scale
        self.pool = {made}

    def run(self, numbers):
        return self.pool.map(scaled, numbers)


shared = Shared()


def scaled(number):
    return number * {scale}


def work(number):
    return number


def main(count):
    shared.begin(count, 2)
    print(shared.run([1, 2]))
    {more}


if __name__ == "__main__":
    main(2)
"""
_MEMMAPPING = "MemmappingPool(count, temp_folder='/tmp')"


@pytest.mark.parametrize(
    ("made", "scale", "more", "found"),
    [
        (_MEMMAPPING, "shared.scale", "", [(24, "LP210")]),
        ("PicklingPool(count)", "shared.scale", "", [(24, "LP210")]),
        (_MEMMAPPING, "1", "MemmappingPool(2).map(lambda number: number, [1])", [(34, "LP201")]),
        (_MEMMAPPING, "1", "MemmappingPool(2).apply_async(work, (threading.Lock(),))", [(34, "LP111")]),
        (_MEMMAPPING, "1", "MemmappingPool(2, initializer=lambda: None)", [(34, "LP201")]),
        (_MEMMAPPING, "1", "MemmappingPool(2).map(work, [{}.keys()])", [(34, "LP101")]),
        ("ThreadPool(count)", "shared.scale", "", []),
        ("ThreadPool(count)", "1", "ThreadPool(2).map(lambda number: number, [1])", []),
        (_MEMMAPPING, "1", "MemmappingPool(2).map(work, [1])", []),
        (_MEMMAPPING, "1", "PicklingPool(2, initializer=work, initargs=(1,))", []),
        ("MemmappingPool(count, None, 1e6)", "1", "MemmappingPool(2).map(work, range(3))", []),
    ],
)
def test_the_pools_of_joblib(made: str, scale: str, more: str, found: list[tuple[int, str]]) -> None:
    assert marks(POOLS_OF_JOBLIB.format(made=made, scale=scale, more=more)) == found


@pytest.mark.parametrize(("end", "found"), [("", [(8, "LP203")]), ("if __name__ == '__main__':\n    ", [])])
def test_a_pool_of_joblib_needs_a_main_guard(end: str, found: list[tuple[int, str]]) -> None:
    head = "from joblib.pool import MemmappingPool\n\n\ndef work(number):\n    return number\n\n\n"
    assert marks(f"{head}{end}print(MemmappingPool(2).map(work, [1, 2]))\n") == found
