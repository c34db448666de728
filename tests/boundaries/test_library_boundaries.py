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
