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
