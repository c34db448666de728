"""The one thread on which all analysis runs: jobs queue up, and long ones make way for urgent ones."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

WorkerResult = TypeVar("WorkerResult")

FREE = 0.2
"""Seconds that a brief job has in any case: while somebody types, small files are looked at in between."""

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
        self._began: float | None = None
        """When the brief job began that is running."""
        self._closed = False
        self._unwanted = False
        """Whether nobody waits any more for the urgent job that is running."""

    async def run(self, job: Callable[[], WorkerResult]) -> WorkerResult:
        """The result of an urgent job, for which a long one that runs now makes way. It is interrupted only if whoever
        waits for it is cancelled: then it never begins, or ends at its next `check`."""
        with self._lock:
            self._urgent += 1
        is_running = False
        is_cancelled = False

        def urgent() -> WorkerResult:
            nonlocal is_running
            with self._lock:
                self._urgent -= 1
                is_running = True
                self._unwanted = is_cancelled
            try:
                return job()
            finally:
                with self._lock:
                    is_running = False
                    self._unwanted = False

        queued = self._pool.submit(urgent)
        try:
            return await asyncio.wrap_future(queued)
        except asyncio.CancelledError:
            with self._lock:
                is_cancelled = True
                self._unwanted = self._unwanted or is_running
                if queued.cancel():  # it never begins
                    self._urgent -= 1
            raise

    async def run_brief(self, job: Callable[[], WorkerResult]) -> WorkerResult | None:
        """The result of an urgent job that is of no use if something else is urgent after `FREE` seconds: it is then
        interrupted, and the result is None. It must call `check` often."""

        def brief() -> WorkerResult | None:
            with self._lock:
                self._urgent -= 1
            self._began = time.monotonic()
            try:
                return job()
            except Interrupted:
                return None
            finally:
                self._began = None

        with self._lock:
            self._urgent += 1
        return await asyncio.get_running_loop().run_in_executor(self._pool, brief)

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
        """Called by jobs: raises Interrupted in a long one when an urgent one waits, in a brief one when it does and
        the time is over, and in any when nobody waits for it or the server ends."""
        if self._yielding or self._began is not None:
            self._pause()
        is_awaited = self._urgent > 0 or self._hurried
        if self._closed or self._unwanted or (is_awaited and (self._yielding or self._is_late)):
            raise Interrupted

    @property
    def _is_late(self) -> bool:
        """Whether the brief job that is running has had its time."""
        return self._began is not None and time.monotonic() - self._began > FREE

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
