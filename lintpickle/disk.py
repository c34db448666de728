"""The file system, as a run asks it.

All that settings, discovery and analysis ask of the disk goes through here, so that a run can remember what its
answer rests on. Paths may be relative to the working folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
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

    def add(self, other: Evidence) -> None:
        """Take over what another process asked."""
        _add_new(self.contents, other.contents)
        _add_new(self.listings, other.listings)
        _add_new(self.kinds, other.kinds)
        _add_new(self.real_paths, other.real_paths)


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


def read(path: StrPath) -> bytes:
    """The bytes of a file. Raises OSError."""
    evidence = _evidence.get()
    if evidence is None:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    key = os.path.abspath(path)
    try:
        with open(path, "rb", buffering=0) as file:
            status = status_of(os.fstat(file.fileno()))
            data = file.read()
    except OSError:
        evidence.contents.setdefault(key, _status(key))
        raise
    evidence.contents.setdefault(key, status)
    return data


def text(path: StrPath, encoding: str = "utf-8", errors: str = "strict") -> str:
    """The text of a file, with `\\n` for each end of a line. Raises OSError and UnicodeDecodeError."""
    decoded = read(path).decode(encoding, errors)
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
    """Whether there is anything; False as well if that cannot be known, or a link leads nowhere."""
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
    """What tells one content of a file from another; None if there is none. The path is absolute; to ask for it is as
    good as to read the file."""
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
    """What tells one state of a file or folder from another."""
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
