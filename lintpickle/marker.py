"""The file that a process is working on, recorded where another process can read it if the first one is killed.

A process that is killed (by a crash of native code, or by the system for lack of memory) cannot report anything. So it
records the file in shared memory or in a file.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

SIZE = 8192
_LENGTH = 2
_AGAIN = 1 << 15


class Marker:
    """The place for one path: by default, in memory that processes share which are forked from now on."""

    def __init__(self, memory: mmap.mmap | None = None) -> None:
        self._memory = memory if memory is not None else mmap.mmap(-1, SIZE)
        self.noted = ""
        """What this process has noted last."""
        self.on_probation: set[str] = set()
        """The paths at which an earlier process was killed. When one is noted, so is this."""

    def note(self, path: str) -> None:
        """Work at a file begins ("": at none)."""
        if path != self.noted:
            self.noted = path
            data = path.encode("utf-8", "surrogateescape")[: SIZE - _LENGTH]
            self._memory[:_LENGTH] = bytes(_LENGTH)  # Who reads in between finds no path, and not half of one.
            self._memory[_LENGTH : _LENGTH + len(data)] = data
            length = len(data) | (_AGAIN if path in self.on_probation else 0)
            self._memory[:_LENGTH] = length.to_bytes(_LENGTH, "little")

    @property
    def path(self) -> str:
        """The file that was noted last, by whichever process."""
        return noted_in(self._memory[:])[0]

    def close(self) -> None:
        """Give the memory back."""
        self._memory.close()


def noted_in(data: bytes) -> tuple[str, bool]:
    """The path in the memory of a marker, as it is in a file ("": none), and whether it was on probation."""
    head = int.from_bytes(data[:_LENGTH], "little")
    length = head & ~_AGAIN
    return data[_LENGTH : _LENGTH + length].decode("utf-8", "surrogateescape"), bool(head & _AGAIN)


def again(data: bytes) -> bytes:
    """The same memory as if the path had been on probation."""
    head = int.from_bytes(data[:_LENGTH], "little") | _AGAIN
    return head.to_bytes(_LENGTH, "little") + data[_LENGTH:]


_markers: ContextVar[tuple[Marker, ...]] = ContextVar("markers", default=())


def use(*markers: Marker) -> None:
    """From now on, in this thread or task, note in these markers what is being worked at."""
    _markers.set(markers)


@contextmanager
def marking(*markers: Marker) -> Iterator[None]:
    """Inside of the `with` block, in this thread or task, note in these markers what is being worked at."""
    token = _markers.set(markers)
    try:
        yield
    finally:
        _markers.reset(token)


@contextmanager
def marking_also(marker: Marker) -> Iterator[None]:
    """Inside of the `with` block, note it in one more marker."""
    with marking(marker, *_markers.get()):
        yield


def note(path: str) -> None:
    """Note the file at which work begins, if there is a marker."""
    for marker in _markers.get():
        marker.note(path)


@contextmanager
def noted(path: str) -> Iterator[None]:
    """Inside of the `with` block, a file is read; then goes on what was being worked at before."""
    markers = _markers.get()
    if not markers:
        yield
        return
    before = markers[0].noted
    note(path)
    yield
    note(before)
