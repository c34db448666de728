"""Executors of the program's own that an event loop is given."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import asyncio
import multiprocessing
import threading
from concurrent.futures import Future, ThreadPoolExecutor


class Processes:
    def submit(self, fn, *args):
        future = Future()
        multiprocessing.Process(target=fn, args=args).start()
        return future


class Threads:
    def submit(self, fn, *args):
        future = Future()
        threading.Thread(target=fn, args=args).start()
        return future


def double(number):
    return 2 * number


async def copy(source, loop):
    def move():
        print(source)

    await loop.run_in_executor({given})


if __name__ == "__main__":
    loop = asyncio.new_event_loop()
    loop.run_until_complete(copy("a", loop))
"""


@pytest.mark.parametrize(
    ("given", "found"), [("Processes(), move", "LP202"), ("Processes(), double, lambda: 2", "LP102")]
)
def test_what_starts_processes(given: str, found: str) -> None:
    assert marks(PROGRAM.format(given=given)) == [(29, found)]


@pytest.mark.parametrize(
    "given", ["Threads(), move", "None, move", "ThreadPoolExecutor(), move", "Processes(), double, 2"]
)
def test_what_does_not(given: str) -> None:
    assert marks(PROGRAM.format(given=given)) == []
