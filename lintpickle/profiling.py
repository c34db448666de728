"""Where the time of a run goes: a stopwatch that the parts of a run switch, if profiling is on."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from enum import Enum
from typing import Any, TypeVar

from msgspec import Struct

_Item = TypeVar("_Item")
_Measured = TypeVar("_Measured")
_Clock = Callable[[], float]
_END: Any = object()


class Part(Enum):
    """A part of a run, with its name in the table. The unit of its count is in brackets."""

    LOAD = "import lintpickle (times)"
    CATALOG = "load the catalog (projects)"
    DISCOVER = "discover: find files (searches)"
    RECALL = "recall: what an earlier run knew (projects)"
    READ = "read: read and decode (files)"
    MAP = "map: outline by ast (files)"
    MAP_KNOWN = "map: known outlines (files)"
    SPILLED = "spill file: outlines read back (files)"
    SCREEN = "screen: words and marks (texts)"
    IMPORT = "import libcst"
    GUARD = "guard: nesting too deep for libcst (blocks, methods)"
    PARSE = "parse: libcst (blocks, methods)"
    POSITIONS = "positions (blocks, methods)"
    WALK = "walk: facts from trees (blocks, methods)"
    WALK_KNOWN = "walk: known facts (blocks, methods)"
    SHARE = "share: start processes, send and receive (times)"
    KEEP = "keep: write the cache (projects)"
    LINK = "link: what crosses, and how (projects)"
    RULES = "rules (calls of hooks)"
    SUPPRESS = "suppress: comments (projects)"
    FIX = "fix (files)"
    REPORT = "report"
    OTHER = "everything else"


READING = frozenset(
    {
        Part.READ,
        Part.MAP,
        Part.MAP_KNOWN,
        Part.SPILLED,
        Part.SCREEN,
        Part.GUARD,
        Part.PARSE,
        Part.POSITIONS,
        Part.WALK,
        Part.WALK_KNOWN,
    }
)
"""The parts that depend on one file alone."""


class Spent(Struct):
    """CPU seconds, and how often."""

    seconds: float = 0.0
    count: int = 0

    def add(self, other: Spent) -> None:
        self.seconds += other.seconds
        self.count += other.count


class Helpers(Struct, frozen=True):
    """Processes that judge a share: how many, and for how many seconds this one waited for them."""

    processes: int
    waited: float


Sheet = list[tuple[str, str, float, int]]
"""What another process has booked: part, subject, seconds, count."""


class Stopwatch:
    """Time by part and subject (a file, a rule), exclusive: while an inner part runs, the outer one is stopped. So the
    times add up to the time from the creation of the stopwatch to the last change of part. `clock` counts the CPU
    seconds of this process from its start. `first` is the part that runs first, and whenever no other does."""

    def __init__(self, clock: _Clock = time.process_time, first: tuple[Part, str] = (Part.OTHER, "")) -> None:
        self._clock = clock
        self.before = self._last = clock()
        self.helpers: list[Helpers] = []
        self.limits: dict[str, int] = {}
        """How often each limit was reached."""
        self._spent: dict[tuple[Part, str], Spent] = {}
        self._running = [first]

    @property
    def around(self) -> tuple[Part, str]:
        """The part that continues when the present one ends."""
        return self._running[-2] if len(self._running) > 1 else self._running[-1]

    def stop(self) -> float:
        """Book the time up to now. Returns the CPU seconds of this process, those before the stopwatch included."""
        self._book()
        return self._last

    def sheet(self) -> Sheet:
        """The times recorded so far, to be sent to another process."""
        self._book()
        return [(part.name, subject, spent.seconds, spent.count) for (part, subject), spent in self._spent.items()]

    def take_over(self, sheet: Sheet) -> None:
        """Add what another process has booked."""
        for part, subject, seconds, count in sheet:
            self._spent_on((Part[part], subject)).add(Spent(seconds, count))

    def by_part(self) -> dict[Part, Spent]:
        """What each part took; parts that never ran are missing."""
        return _sums((part, spent) for (part, _), spent in self._spent.items())

    def by_subject(self, *parts: Part) -> dict[str, Spent]:
        """The time of each subject in these parts, added up."""
        return _sums((subject, spent) for (part, subject), spent in self._spent.items() if part in parts and subject)

    @contextmanager
    def running(self, part: Part, subject: str | None = None, count: int = 1) -> Iterator[None]:
        """Time what is within the `with` block. Without a subject, that is the file being read around it, if any."""
        around, inherited = self._running[-1]
        if subject is None:
            subject = inherited if around in READING else ""
        key = (part, subject)
        self._book()
        self._spent_on(key).count += count
        self._running.append(key)
        try:
            yield
        finally:
            self._book()
            self._running.pop()

    def watched(self, call: Callable[..., Any], part: Part, subject: str) -> Callable[..., Any]:
        """The function, timed. If it gives an iterator, that is timed like `timed` does."""

        def measured(*arguments: Any) -> Any:
            with self.running(part, subject):
                found = call(*arguments)
            return self.timed(found, part, subject) if isinstance(found, Iterator) else found

        return measured

    def timed(self, items: Iterator[_Item], part: Part, subject: str | None = None) -> Iterator[_Item]:
        """The items, with the time for producing each; the time of their consumer does not count."""
        while True:
            with self.running(part, subject, count=0):
                item = next(items, _END)
            if item is _END:
                return
            yield item

    def _book(self) -> None:
        now = self._clock()
        self._spent_on(self._running[-1]).seconds += now - self._last
        self._last = now

    def _spent_on(self, key: tuple[Part, str]) -> Spent:
        if key not in self._spent:
            self._spent[key] = Spent()
        return self._spent[key]


def _sums(spent: Iterable[tuple[_Item, Spent]]) -> dict[_Item, Spent]:
    sums: dict[_Item, Spent] = {}
    for key, each in spent:
        sums.setdefault(key, Spent()).add(each)
    return sums


_stopwatch: ContextVar[Stopwatch | None] = ContextVar("stopwatch", default=None)
_OFF = nullcontext()


@contextmanager
def profiled(stopwatch: Stopwatch | None = None) -> Iterator[Stopwatch]:
    """Measure what is within the `with` block, in this thread or task."""
    stopwatch = stopwatch or Stopwatch()
    token = _stopwatch.set(stopwatch)
    try:
        yield stopwatch
    finally:
        stopwatch.stop()
        _stopwatch.reset(token)


def running(part: Part, subject: str | None = None) -> AbstractContextManager[None]:
    """Around work that belongs to a part of the run. There must be no `yield` in the block: see `timed`."""
    stopwatch = _stopwatch.get()
    return _OFF if stopwatch is None else stopwatch.running(part, subject)


def timed(items: Iterator[_Item], part: Part) -> Iterator[_Item]:
    """The items; if time is measured, with the time for producing each."""
    stopwatch = _stopwatch.get()
    return items if stopwatch is None else stopwatch.timed(items, part)


def importing(module: str) -> AbstractContextManager[None]:
    """Around an import statement that may be the first to need a module that is slow to import."""
    return _OFF if module in sys.modules else running(Part.IMPORT, "")


def watched(owner: _Measured, methods: Iterable[str], part: Part, subject: str) -> _Measured:
    """The object itself; if time is measured, its methods of these names are timed from now on."""
    stopwatch = _stopwatch.get()
    if stopwatch is not None:
        for name in methods:
            setattr(owner, name, stopwatch.watched(getattr(owner, name), part, subject))
    return owner


def reached(limits: dict[str, int]) -> None:
    """Say how often limits were reached."""
    stopwatch = _stopwatch.get()
    if stopwatch is not None:
        stopwatch.limits = limits


@contextmanager
def helped(processes: int) -> Iterator[None]:
    """Around the waiting for other processes that work for this one."""
    stopwatch = _stopwatch.get()
    if stopwatch is None:
        yield
        return
    before = os.times().elapsed
    yield
    stopwatch.helpers.append(Helpers(processes, os.times().elapsed - before))


@contextmanager
def helping() -> Iterator[Callable[[], Sheet]]:
    """A context for the work of another process, after it is forked. Yields a function that returns the times it has
    recorded, if any."""
    before = _stopwatch.get()
    if before is None:
        yield list
        return
    with profiled(Stopwatch(first=before.around)) as stopwatch:
        yield stopwatch.sheet


def take_over(sheet: Sheet) -> None:
    """Add the times of another process."""
    stopwatch = _stopwatch.get()
    if stopwatch is not None:
        stopwatch.take_over(sheet)
