"""Compressed pickles: zlib, gzip, bz2, lzma and xz, as joblib and others write them. Never more than a chunk at
once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from lintpickle.saved_files.containers.opened import OpenedFile
from lintpickle.saved_files.containers.pickles import read_plain
from lintpickle.saved_files.stream import CHUNK, Stream, Unreadable

_LZMA_MEMORY = 200_000_000
"""Bytes that the decoder of lzma may ask for; the highest preset of xz takes 65 MB."""
_MAGICS = {
    b"\x1f\x8b": "gzip",
    b"x\x01": "zlib",
    b"x\x5e": "zlib",
    b"x\x9c": "zlib",
    b"x\xda": "zlib",
    b"BZh": "bz2",
    b"\xfd7zXZ\x00": "xz",
    b"]\x00\x00": "lzma",
    b"\x04\x22\x4d\x18": "lz4",
    b"\x28\xb5\x2f\xfd": "zstd",
}
_UNREAD = {"lz4": "lz4 --decompress FILE", "zstd": "zstd --decompress FILE"}


def compression(head: bytes) -> str | None:
    """How a file is compressed, by its first bytes."""
    return next((name for magic, name in _MAGICS.items() if head.startswith(magic)), None)


def read_compressed(opened: OpenedFile, name: str) -> None:
    """Read the pickles in a compressed file."""
    if name in _UNREAD:
        opened.contents.kind = f"{name} file"
        opened.contents.problems.append(
            f"it is compressed by {name}, which is not read here: decompress it first (`{_UNREAD[name]}`)"
        )
        return
    read_plain(opened, Stream(_Inflated(opened, name).read), f"pickle, compressed by {name}")


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class _Inflated:
    """What a compressed file holds; several compressed streams behind one another are one."""

    def __init__(self, opened: OpenedFile, name: str) -> None:
        self._opened = opened
        self._name = name
        try:
            self._make = _decompressors(name)
        except ImportError:
            raise Unreadable(f"this Python was built without {name}") from None
        self._decompressor = self._make()
        self._waiting = b""
        opened.file.seek(0)

    def read(self, count: int) -> bytes:
        """Up to so many bytes; none at the end."""
        while True:
            if self._decompressor.eof:
                rest = self._decompressor.unused_data or self._next()
                if not rest.strip(b"\0"):
                    return b""
                self._decompressor, self._waiting = self._make(), rest
            found = self._inflate(count)
            if found:
                self._opened.budget.inflate(len(found))
                return found

    def _inflate(self, count: int) -> bytes:
        needs_input = getattr(self._decompressor, "needs_input", True)
        data = self._waiting or (self._next() if needs_input else b"")
        if not data and needs_input:
            raise Unreadable("its compressed data end too early")
        try:
            found = self._decompressor.decompress(data, count)
        except Exception as error:  # zlib.error, OSError, EOFError, lzma.LZMAError, MemoryError: none has a common base
            raise Unreadable(f"its {self._name} data are broken: {error}") from None
        self._waiting = getattr(self._decompressor, "unconsumed_tail", b"")
        return found

    def _next(self) -> bytes:
        return self._opened.file.read(CHUNK) or b""


def _decompressors(name: str) -> Callable[[], _Decompressor]:
    if name in ("zlib", "gzip"):
        import zlib

        return lambda: zlib.decompressobj(47)  # zlib or gzip, by its header
    if name == "bz2":
        import bz2

        return bz2.BZ2Decompressor
    import lzma

    return lambda: lzma.LZMADecompressor(memlimit=_LZMA_MEMORY)
