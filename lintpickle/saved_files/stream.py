"""Bytes in their order, never more of them in memory than asked for: files, members of archives, what is
decompressed."""

from __future__ import annotations

from collections.abc import Callable

CHUNK = 1 << 16


class Truncated(Exception):
    """The bytes end before what they announce."""


class Unreadable(Exception):
    """The bytes cannot be had: an archive or its compression is broken, or of a kind that is not read. Its text says
    so."""


class Stream:
    """Reads forward from `read`, which gives up to so many bytes and none at the end.

    With `seek`, which takes an absolute offset, and `size`, the end of what may be read, what is skipped is not read.
    `start` is the offset at which `read` stands. Whatever is asked for beyond the end raises `Truncated`.
    """

    def __init__(
        self,
        read: Callable[[int], bytes],
        seek: Callable[[int], object] | None = None,
        size: int | None = None,
        start: int = 0,
    ) -> None:
        self._read = read
        self._seek = seek
        self._size = size
        self._buffer = b""
        self._at = 0
        self._base = start

    @property
    def offset(self) -> int:
        """How many bytes are behind."""
        return self._base + self._at

    def byte(self) -> int:
        """The next byte; -1 at the end."""
        if self._at >= len(self._buffer) and not self._refill():
            return -1
        found = self._buffer[self._at]
        self._at += 1
        return found

    def peek(self, count: int) -> bytes:
        """Up to so many of the next bytes (at most `CHUNK`), which stay."""
        while len(self._buffer) - self._at < count and self._more():
            pass
        return self._buffer[self._at : self._at + count]

    def take(self, count: int) -> bytes:
        """The next bytes."""
        end = self._at + count
        if end <= len(self._buffer):
            found = self._buffer[self._at : end]
            self._at = end
            return found
        parts = [self._buffer[self._at :]]
        self._at = len(self._buffer)
        missing = count - len(parts[0])
        while missing > 0:
            if not self._refill():
                raise Truncated
            part = self._buffer[:missing]
            self._at = len(part)
            missing -= len(part)
            parts.append(part)
        return b"".join(parts)

    def skip(self, count: int) -> None:
        """Pass over bytes."""
        end = self._at + count
        if end <= len(self._buffer):
            self._at = end
            return
        target = self._base + end
        if self._seek is not None and self._size is not None:
            if target > self._size:
                raise Truncated
            self._seek(target)
            self._buffer, self._at, self._base = b"", 0, target
            return
        missing = end - len(self._buffer)
        self._at = len(self._buffer)
        while missing > 0:
            if not self._refill():
                raise Truncated
            self._at = min(missing, len(self._buffer))
            missing -= self._at

    def line(self, most: int) -> bytes:
        """The bytes up to the end of the line, without it; of a longer one, the first `most`."""
        parts: list[bytes] = []
        length = 0
        while True:
            end = self._buffer.find(b"\n", self._at)
            part = self._buffer[self._at : end if end >= 0 else len(self._buffer)]
            if length < most:
                parts.append(part[: most - length])
            length += len(part)
            if end >= 0:
                self._at = end + 1
                return b"".join(parts)
            self._at = len(self._buffer)
            if not self._refill():
                raise Truncated

    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self._at >= len(self._buffer) and not self._refill()

    def _refill(self) -> bool:
        self._base += len(self._buffer)
        self._buffer, self._at = self._read(self._wanted(self._base)), 0
        return bool(self._buffer)

    def _more(self) -> bool:
        found = self._read(self._wanted(self._base + len(self._buffer)))
        self._base += self._at
        self._buffer, self._at = self._buffer[self._at :] + found, 0
        return bool(found)

    def _wanted(self, offset: int) -> int:
        return CHUNK if self._size is None else max(0, min(CHUNK, self._size - offset))
