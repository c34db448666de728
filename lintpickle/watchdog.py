"""Budgets of time and memory for each file: if one is exceeded, only that file is lost, and this is reported.

Time is processor time, so that the result does not depend on how busy the machine is. The budgets are far above what
any file written by people needs; the limits of single questions (`lintpickle.limits`) are reached long before.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from types import FrameType

from msgspec import Struct

from lintpickle.marker import note

_SHORT = 0.001
"""Seconds by the clock up to which it stands for processor time."""
_TICK = 0.25
"""Seconds of processor time between two looks at the budgets from outside of what is being done."""


class Budget(Struct, frozen=True):
    """The seconds of processor time for each file, the megabytes by which the process may grow for one, and the time at
    which the whole run must end (by `time.monotonic`)."""

    seconds: float = inf
    megabytes: float = inf
    ends: float = inf
    run_seconds: float = inf
    """The time of the whole run, for messages."""


class OverBudget(BaseException):
    """Raised where work at a file has to end. No `except Exception` may catch it."""

    def __init__(self, path: str, said: str) -> None:
        super().__init__(said)
        self.path = path
        self.said = said


class Watchdog:
    """Watches what one thread does. `over` are the files that are given up, with the reason."""

    def __init__(self, budget: Budget | None = None) -> None:
        self.over: dict[str, str] = {}
        self.budget = budget or Budget()
        self._spent: dict[str, float] = {}
        self._path = ""
        self._since = time.perf_counter()
        self._asked = 0.0
        """The processor time when the system was asked for it last."""
        self._counted = 0.0
        """What has been counted since then, in steps so short that they are measured by the clock."""
        self._depth = 0
        self._size: tuple[str, float] = ("", 0.0)
        """The file at the last tick, and the megabytes of the process when it was first seen there."""

    @property
    def path(self) -> str:
        """The file at which work is being done."""
        return self._path

    def enter(self, path: str) -> str:
        """Work at a file begins ("": at what was worked at before). Gives what to `leave` for. Raises OverBudget if
        that file is given up."""
        if path in self.over:
            raise OverBudget(path, self.over[path])
        before = self._path
        if not self._depth:
            self._since, self._asked, self._counted = time.perf_counter(), time.thread_time(), 0.0
        self._depth += 1
        self._turn_to(path or before)
        return before

    def leave(self, before: str | None) -> None:
        """Go on with what was worked at before; None if the work was not even begun."""
        if before is not None:
            self._depth -= 1
            self._turn_to(before)

    def _turn_to(self, path: str) -> None:
        if path != self._path:
            self._count()
            self._path = path
            note(path)

    def _count(self) -> None:
        """Count the time since the last call for the file at which work is being done. To ask for processor time costs
        more than most of these steps: a short one is taken from the clock, as it is hardly ever interrupted."""
        now = time.perf_counter()
        spent = now - self._since
        if spent < _SHORT:
            self._counted += spent
        else:
            used = time.thread_time()
            spent = max(0.0, used - self._asked - self._counted)
            self._asked, self._counted = used, 0.0
        self._spent[self._path] = self._spent.get(self._path, 0.0) + spent
        self._since = now

    def give_up(self, path: str, said: str) -> None:
        """Stop working on a file."""
        self.over.setdefault(path, said)

    def check(self) -> None:
        """Raises OverBudget if what is being worked at has had its time, or the run has."""
        path, budget = self._path, self.budget
        if not self._depth:
            return
        if time.monotonic() > budget.ends:
            raise OverBudget(path, f"the run has had its {budget.run_seconds:g} seconds")
        if path and self._spent.get(path, 0.0) + time.perf_counter() - self._since > budget.seconds:
            self._count()
            if self._spent[path] > budget.seconds:
                raise OverBudget(path, f"it takes more than {budget.seconds:g} seconds of processor time")

    def _check_size(self) -> None:
        size = _megabytes()
        if self._size[0] != self._path:
            self._size = (self._path, size)
        elif self._path and size - self._size[1] > self.budget.megabytes:
            self._size = (self._path, size)
            raise OverBudget(self._path, f"it takes more than {self.budget.megabytes:g} MB of memory")

    @contextmanager
    def ticking(self) -> Iterator[None]:
        """Inside of the `with` block, look again and again whatever is being done, where the system has timers and
        nobody else uses this one; in all threads and systems, `check` is called by the work itself."""
        if not _has_timer():
            yield
            return

        def tick(number: int, frame: FrameType | None) -> None:
            self.check()
            self._check_size()

        before = signal.signal(signal.SIGVTALRM, tick)
        signal.setitimer(signal.ITIMER_VIRTUAL, _TICK, _TICK)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)


def _has_timer() -> bool:
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return False
    return signal.getitimer(signal.ITIMER_VIRTUAL)[0] == 0


def _megabytes() -> float:
    """The memory of this process; 0 if the system has no file that says so."""
    if sys.platform != "linux":
        return 0.0
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, ValueError, IndexError):
        return 0.0
