"""The file system, as a run asks it.

All that settings, discovery and analysis ask of the disk goes through here, so that a run can remember what its
answer rests on, and so that no file can make it wait or eat all memory: only regular files are read, and no more of
them than a limit. Paths may be relative to the working folder.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import FileIO
from typing import TypeVar

from msgspec import Struct, field

StrPath = str | os.PathLike[str]

Status = tuple[int, int, int, int]
"""When a file or folder was modified and when its inode was changed (ns), its size, its inode."""

_Known = TypeVar("_Known")

NOTHING = 0
FILE = 0o100000
FOLDER = 0o040000
_KIND = 0o170000


class Evidence(Struct, frozen=True):
    """What was asked, by absolute path, as it was when it was first asked.

    `contents` are files that were read, `listings` folders whose names were read (None: it could not be done),
    `kinds` what is at a path (`FILE`, `FOLDER`, `NOTHING`, or another type of `st_mode`), and `real_paths` where
    a path leads when all links are followed. It can be sent between processes (`also`).
    """

    contents: dict[str, Status | None] = field(default_factory=dict)
    listings: dict[str, Status | None] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    real_paths: dict[str, str] = field(default_factory=dict)
    momentary: list[str] = field(default_factory=list)
    """Why the same question may have another answer the next time, even if nothing changes on disk."""

    def add(self, other: Evidence) -> None:
        """Take over what another process asked."""
        _add_new(self.contents, other.contents)
        _add_new(self.listings, other.listings)
        _add_new(self.kinds, other.kinds)
        _add_new(self.real_paths, other.real_paths)
        self.momentary.extend(other.momentary)


def _add_new(mine: dict[str, _Known], others: dict[str, _Known]) -> None:
    mine.update({path: known for path, known in others.items() if path not in mine})


_evidence: ContextVar[Evidence | None] = ContextVar("evidence", default=None)


@contextmanager
def remembered() -> Iterator[Evidence]:
    """Remember what is asked inside of the `with` block, in this thread or task."""
    evidence = Evidence()
    token = _evidence.set(evidence)
    try:
        yield evidence
    finally:
        _evidence.reset(token)


def also(other: Evidence) -> None:
    """Remember what another process or thread was asked for and has remembered."""
    evidence = _evidence.get()
    if evidence is not None:
        evidence.add(other)


def momentary(reason: str) -> None:
    """Record that the result may be different next time."""
    evidence = _evidence.get()
    if evidence is not None:
        evidence.momentary.append(reason)


MEGABYTE = 1_000_000
LARGEST_SOURCE = 20
"""How many megabytes a source file may have, unless `at_most` says otherwise."""
_LARGEST_TEXT = 8 * MEGABYTE
"""How large settings, catalogs, ignore files and what installers write may be (a RECORD of 3 MB is a large one)."""

_largest: ContextVar[int] = ContextVar("largest", default=LARGEST_SOURCE * MEGABYTE)

_READING = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0)
_READING |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
"""A pipe without a writer is opened at once, and then found to be no regular file."""


@contextmanager
def at_most(megabytes: int) -> Iterator[None]:
    """Inside of the `with` block, in this thread or task, read source files of up to that size."""
    token = _largest.set(megabytes * MEGABYTE)
    try:
        yield
    finally:
        _largest.reset(token)


def read(path: StrPath, limit: int | None = None) -> bytes:
    """The bytes of a file. Raises OSError, also for anything but a regular file, and for one of more than `limit` bytes
    (or of what `at_most` says)."""
    limit = _largest.get() if limit is None else limit
    evidence = _evidence.get()
    if evidence is None:
        return _read(path, limit)[0]
    key = os.path.abspath(path)
    try:
        data, found = _read(path, limit)
    except (OSError, ValueError):
        evidence.contents.setdefault(key, _status(key))
        raise
    evidence.contents.setdefault(key, status_of(found))
    return data


def _read(path: StrPath, limit: int) -> tuple[bytes, os.stat_result]:
    try:
        handle = os.open(path, _READING)
    except ValueError:
        raise OSError(errno.EINVAL, "there is a NUL in its name") from None
    try:
        found = os.fstat(handle)
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        if found.st_size > limit:
            raise _too_large(limit)
        data = os.read(handle, found.st_size + 1)
        while data and len(data) != found.st_size and len(data) <= limit:
            # What the system makes up, or what grows, may hold more than its size says.
            more = os.read(handle, min(limit + 1 - len(data), MEGABYTE))
            if not more:
                break
            data += more
        if len(data) > limit:
            raise _too_large(limit)
    finally:
        os.close(handle)
    return data, found


def excess(text: str) -> str | None:
    """What is said of a text that would be no source file on disk, for it is larger than `at_most` says; else None."""
    limit = _largest.get()
    is_too_large = len(text) * 4 > limit and len(text.encode("utf-8", "surrogatepass")) > limit
    return _too_large(limit).strerror if is_too_large else None


@contextmanager
def opened(path: StrPath) -> Iterator[FileIO]:
    """A regular file of any size, open for reading inside of the `with` block. Raises OSError, also for what is no
    regular file. What is read there is not remembered."""
    try:
        handle = os.open(path, _READING)
    except ValueError:
        raise OSError(errno.EINVAL, "there is a NUL in its name") from None
    with FileIO(handle, "rb") as file:
        found = os.fstat(handle)
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        yield file


def _too_large(limit: int) -> OSError:
    size = f"{limit / MEGABYTE:g} MB" if limit >= MEGABYTE else f"{limit} bytes"
    return OSError(errno.EFBIG, f"it is larger than {size}")


def text(path: StrPath, encoding: str = "utf-8", errors: str = "strict", limit: int = _LARGEST_TEXT) -> str:
    """The text of a file, with `\\n` for each end of a line. Raises OSError (see `read`) and UnicodeDecodeError."""
    decoded = read(path, limit).decode(encoding, errors)
    return decoded.replace("\r\n", "\n").replace("\r", "\n") if "\r" in decoded else decoded


def names(folder: StrPath) -> list[str]:
    """The names in a folder. Raises OSError."""
    _list(folder)
    return os.listdir(folder)


def entries(folder: StrPath) -> list[os.DirEntry[str]]:
    """The entries of a folder; ask `entry_is_file` and `entry_is_folder` what they are. Raises OSError."""
    _list(folder)
    with os.scandir(os.fspath(folder)) as found:
        return list(found)


def entry_is_file(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a file, or a link that leads to one."""
    if entry.is_symlink():
        return is_file(entry.path)
    return entry.is_file()


def entry_is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder, or a link that leads to one."""
    if entry.is_symlink():
        return is_folder(entry.path)
    return entry.is_dir()


def exists(path: StrPath) -> bool:
    """Whether something is at a path; False also if that cannot be determined, or for a link that leads nowhere."""
    return kind(path) != NOTHING


def is_file(path: StrPath) -> bool:
    """Whether there is a file (False as for `exists`)."""
    return kind(path) == FILE


def is_folder(path: StrPath) -> bool:
    """Whether there is a folder (False as for `exists`)."""
    return kind(path) == FOLDER


def real_path(path: StrPath) -> str:
    """The absolute path with all links followed."""
    real = os.path.realpath(path)
    evidence = _evidence.get()
    if evidence is not None:
        evidence.real_paths.setdefault(os.path.abspath(path), real)
    return real


def status(path: str) -> Status | None:
    """A value that changes with the content of a file; None if there is no file. The path is absolute. Asking for it
    counts as reading the file."""
    found = _status(path)
    evidence = _evidence.get()
    if evidence is not None:
        evidence.contents.setdefault(path, found)
    return found


def listing_status(folder: str) -> Status | None:
    """The same of the names in a folder."""
    found = _status(folder)
    evidence = _evidence.get()
    if evidence is not None:
        evidence.listings.setdefault(folder, found)
    return found


def status_of(status: os.stat_result) -> Status:
    """A value that changes with the state of a file or folder."""
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _list(folder: StrPath) -> None:
    evidence = _evidence.get()
    if evidence is not None:
        key = os.path.abspath(folder)
        if key not in evidence.listings:
            evidence.listings[key] = _status(key)


def kind(path: StrPath) -> int:
    """What is at a path (see `Evidence.kinds`)."""
    try:
        found = os.stat(path).st_mode & _KIND
    except (OSError, ValueError):  # ValueError: a NUL in the path
        found = NOTHING
    evidence = _evidence.get()
    if evidence is not None:
        evidence.kinds.setdefault(os.path.abspath(path), found)
    return found


def _status(path: str) -> Status | None:
    try:
        return status_of(os.stat(path))
    except (OSError, ValueError):
        return None
