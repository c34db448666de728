"""How much of an object is looked at."""

from __future__ import annotations

import time
from typing import NamedTuple


class Limits(NamedTuple):
    """`seconds` for one question, `megabytes` of pickled bytes, `objects` that are walked through, `culprits` that are
    named one by one, `places` that are named of each."""

    seconds: float = 20.0
    megabytes: float = 4000.0
    objects: int = 3000000
    culprits: int = 100
    places: int = 20


BESIDE = Limits(seconds=3.0, megabytes=64.0, objects=300000)
"""For what is asked beside a program that would not have pickled anything."""


class Enough(BaseException):
    """A limit was reached: `str()` says which."""


class Clock:
    """Counts what a question has cost, and raises `Enough` when that is too much."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.started = time.monotonic()
        self.objects = 0
        self.bytes = 0
        self.stopped: str | None = None

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return time.monotonic() - self.started

    def look(self) -> None:
        """Raises `Enough` if the time is over."""
        if self.seconds > self.limits.seconds:
            self.stop(f"{self.limits.seconds:g} seconds")

    def count(self) -> None:
        """One more object."""
        self.objects += 1
        if self.objects > self.limits.objects:
            self.stop(f"{self.limits.objects} objects")
        if self.objects % 256 == 0:
            self.look()

    def wrote(self, size: int) -> None:
        """So many bytes more, counted from the start of one attempt."""
        self.bytes += size
        if self.bytes > self.limits.megabytes * 1e6:
            self.stop(f"{self.limits.megabytes:g} MB")
        self.look()

    def stop(self, why: str) -> None:
        """Note that a limit was reached, and raise `Enough`."""
        self.stopped = why
        raise Enough(why)
