"""The one thread on which all analysis runs: jobs queue up, and long ones make way for urgent ones."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

WorkerResult = TypeVar("WorkerResult")


STACK = 64 << 20
"""The stack of the thread, of which the system only gives what is used: on macOS, threads get so little that libcst
overflows it with 25 nested blocks (measured with 512 kB)."""


class Interrupted(BaseException):
    """Raised inside of a long job that is to make way. No `except Exception` may catch it."""


class Worker:
    """Runs jobs one at a time on a thread of its own. `pause` is called often during long ones: it returns when they
    may go on."""

    def __init__(self, pause: Callable[[], None] = lambda: None) -> None:
        self._pause = pause
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="lintpickle")
        _start_with_block(self._pool)
        self._lock = threading.Lock()
        self._urgent = 0
        self._hurried = False
        self._yielding = False
        self._closed = False

    async def run(self, job: Callable[[], WorkerResult]) -> WorkerResult:
        """The result of an urgent job, which is never interrupted; a long one that runs now is."""
        with self._lock:
            self._urgent += 1

        def urgent() -> WorkerResult:
            with self._lock:
                self._urgent -= 1
            return job()

        return await asyncio.get_running_loop().run_in_executor(self._pool, urgent)

    async def run_long(self, job: Callable[[], WorkerResult]) -> WorkerResult | None:
        """The result of a long job; None if it was interrupted. It must call `check` often."""

        def long() -> WorkerResult | None:
            self._yielding = True
            try:
                return job()
            except Interrupted:
                return None
            finally:
                self._yielding = False

        return await asyncio.get_running_loop().run_in_executor(self._pool, long)

    def hurry(self) -> None:
        """Something urgent is coming: long jobs make way, now and until `calm`."""
        self._hurried = True

    def calm(self) -> None:
        """What was coming is here."""
        self._hurried = False

    def check(self) -> None:
        """Called by jobs: raises Interrupted in a long one when an urgent one waits, and in any when the server
        ends."""
        if self._yielding:
            self._pause()
        if self._closed or (self._yielding and (self._urgent or self._hurried)):
            raise Interrupted

    def close(self) -> None:
        """End what is running and take no more jobs."""
        self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)


def _start_with_block(pool: ThreadPoolExecutor) -> None:
    """Start the thread of a pool on a stack of `STACK` bytes."""
    before = threading.stack_size(STACK)
    try:
        pool.submit(int).result()
    finally:
        threading.stack_size(before)
