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


class Marker:
    """The place for one path: by default, in memory that processes share which are forked from now on."""

    def __init__(self, memory: mmap.mmap | None = None) -> None:
        self._memory = memory if memory is not None else mmap.mmap(-1, SIZE)
        self.noted = ""
        """What this process has noted last."""

    def note(self, path: str) -> None:
        """Work at a file begins ("": at none)."""
        if path != self.noted:
            self.noted = path
            data = path.encode("utf-8", "surrogateescape")[: SIZE - _LENGTH]
            self._memory[:_LENGTH] = bytes(_LENGTH)  # Who reads in between finds no path, and not half of one.
            self._memory[_LENGTH : _LENGTH + len(data)] = data
            self._memory[:_LENGTH] = len(data).to_bytes(_LENGTH, "little")

    @property
    def path(self) -> str:
        """The file that was noted last, by whichever process."""
        return path_in(self._memory[:])

    def close(self) -> None:
        """Give the memory back."""
        self._memory.close()


def path_in(data: bytes) -> str:
    """The path in the memory of a marker, as it is in a file; "" if there is none."""
    length = int.from_bytes(data[:_LENGTH], "little")
    return data[_LENGTH : _LENGTH + length].decode("utf-8", "surrogateescape")


_marker: ContextVar[Marker | None] = ContextVar("marker", default=None)


@contextmanager
def marking(marker: Marker) -> Iterator[None]:
    """Inside of the `with` block, in this thread or task, note in a marker what is being worked at."""
    token = _marker.set(marker)
    try:
        yield
    finally:
        _marker.reset(token)


def note(path: str) -> None:
    """Note the file at which work begins, if there is a marker."""
    marker = _marker.get()
    if marker is not None:
        marker.note(path)


@contextmanager
def noted(path: str) -> Iterator[None]:
    """Inside of the `with` block, a file is read; then goes on what was being worked at before."""
    marker = _marker.get()
    if marker is None:
        yield
        return
    before = marker.noted
    marker.note(path)
    yield
    marker.note(before)
