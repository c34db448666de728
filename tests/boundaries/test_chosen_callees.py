"""What is called may be one of several by what the caller gives: `Process if use_process else Thread`."""

from __future__ import annotations

import pytest

from tests.support import lint

_CHOICES = {
    "an expression": "worker = mp.Process if use_process else Thread",
    "branches": "worker = Thread\n        if use_process:\n            worker = mp.Process",
    "both branches": "if use_process:\n            worker = mp.Process\n        else:\n            worker = Thread",
}
_PROGRAM = """\
import multiprocessing as mp
import queue
from threading import Thread


class Kept:
    def __init__(self):
        self.queue = queue.Queue()


class Shared:
    def __init__(self):
        self.queue = mp.Queue()


def fill(rows, target):
    for row in rows:
        target.queue.put(row)


class Feed:
    def __init__(self, rows, use_process=False, is_shared=True):
        kind = Shared if is_shared else Kept
        self.out = kind()
        {choice}
        worker(target=fill, args=(rows, self.out), daemon=True).start()


def main(names):
    return Feed({given})


if __name__ == "__main__":
    main("ab")
"""


@pytest.mark.parametrize("choice", _CHOICES.values(), ids=_CHOICES)
@pytest.mark.parametrize(
    ("given", "codes"),
    [
        ("(name for name in names), use_process=True", ["LP112"]),
        ("(name for name in names), use_process=False", []),
        ("(name for name in names)", []),
        ("list(names), use_process=True, is_shared=False", ["LP111"]),
        ("list(names), use_process=True", []),
        ("list(names), is_shared=False", []),
    ],
)
def test_the_callers_arguments_decide(choice: str, given: str, codes: list[str]) -> None:
    found = lint(_PROGRAM.format(choice=choice, given=given)).diagnostics
    assert [each.code for each in found] == codes
