"""What an earlier run found out about a program, with the state of the disk that this rests on: a later run then judges
again only what changes in between can make a difference for."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping

import msgspec
from msgspec import Struct

from lintpickle import disk
from lintpickle.cache.facts import digest_of, digest_of_statements
from lintpickle.cache.ourselves import state_of_code
from lintpickle.cache.stamps import GRANULARITY
from lintpickle.cache.store import CacheStore, digest
from lintpickle.diagnostics import Diagnostic
from lintpickle.disk import Evidence, Status
from lintpickle.engine.results import Results
from lintpickle.imports.folders import listed
from lintpickle.source.document import Document, UnreadableSource, read_document

_KIND = "snapshots"
_FORMAT = 3
_YOUNG = (0, 0, 0, 0)
"""In place of the status of what was so young that its next change might not show."""


class File(Struct, frozen=True):
    """A file that was read as a module: how it looked on disk, and the digests of its text and of its statements (see
    `digest_of_statements`)."""

    status: Status
    text: bytes
    statements: bytes


class Changes(Struct, frozen=True):
    """The files whose text is another one now, and those among them whose statements are not."""

    texts: frozenset[str]
    same_statements: frozenset[str]


class Broken(Struct, frozen=True):
    """What is said of a file with broken syntax; `unread` if nothing of it could be used."""

    diagnostic: Diagnostic
    unread: bool


class Snapshot(Struct, frozen=True):
    """What is known of a program.

    `universe` are its files in order, `own` the first-party ones among them; `files` all that were read as modules.
    `folders` are those whose names were read, `asked` what else was
    asked of the disk.
    """

    judged: Results
    universe: tuple[str, ...]
    first_party: tuple[str, ...]
    files: dict[str, File]
    folders: dict[str, tuple[Status | None, bytes]]
    asked: Evidence
    broken: dict[str, Broken]
    commented: frozenset[str]
    """The files with comments that may hide diagnostics."""
    forking: frozenset[str]
    """The files that may ask for fork by name."""

    def looking_otherwise(self, contents: Mapping[str, Status | None]) -> int:
        """How many files must be read to see whether they are the same, if they look so on disk."""
        return sum(contents.get(path) != file.status for path, file in self.files.items())

    def changes(self) -> Changes | None:
        """The files whose text is another one now; None if something else is different. What is compared counts as
        asked of the disk in this run."""
        if not all(_is_folder_same(folder, *known) for folder, known in self.folders.items()):
            return None
        if any(disk.kind(path) != kind for path, kind in self.asked.kinds.items()):
            return None
        if any(disk.real_path(path) != real for path, real in self.asked.real_paths.items()):
            return None
        if any(disk.status(path) != known for path, known in self.asked.contents.items()):
            return None
        changed: dict[str, Document | None] = {}
        for path, known in self.files.items():
            if disk.status(path) != known.status:
                document = _read(path)
                if document is None or document.cells is not None or digest_of(document) != known.text:
                    changed[path] = document
        same = (
            path
            for path, document in changed.items()
            if document is not None and digest_of_statements(document) == self.files[path].statements
        )
        return Changes(frozenset(changed), frozenset(same))


_DECODER = msgspec.msgpack.Decoder(Snapshot)
_ENCODER = msgspec.msgpack.Encoder()


class Snapshots:
    """The snapshot of one program: one entry of the cache for each way to look at it, which `key` tells."""

    def __init__(self, store: CacheStore, key: object) -> None:
        self._store = store
        self._key = repr((_FORMAT, state_of_code(), key))
        self._started = time.time_ns()

    def load(self) -> Snapshot | None:
        """The snapshot that was taken last."""
        found = self._store.load(_KIND, self._key)
        if not isinstance(found, bytes):
            return None
        try:
            return _DECODER.decode(found)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None

    def keep(self, snapshot: Snapshot) -> None:
        """Keep a snapshot for the next run."""
        self._store.save(_KIND, self._key, _ENCODER.encode(snapshot))

    def file(self, status: Status | None, text: bytes, statements: bytes) -> File:
        """A file for a snapshot: how it looked when it was read (None: it was not), and the digests of what it says."""
        return File(status if status is not None and self._is_old(status) else _YOUNG, text, statements)

    def folders(self, listings: dict[str, Status | None]) -> dict[str, tuple[Status | None, bytes]]:
        """Folders for a snapshot, as they looked when their names were read."""
        return {folder: self._folder(folder, status) for folder, status in list(listings.items())}

    def _folder(self, folder: str, status: Status | None) -> tuple[Status | None, bytes]:
        if status is None:
            return None, b""
        names = _names(folder) if disk.listing_status(folder) == status else b""
        return (status if self._is_old(status) else _YOUNG), names

    def _is_old(self, status: Status) -> bool:
        return max(status[:2]) + GRANULARITY < self._started


def _is_folder_same(folder: str, status: Status | None, names: bytes) -> bool:
    return disk.listing_status(folder) == status or (names != b"" and _names(folder) == names)


def _names(folder: str) -> bytes:
    """A digest of what a folder offers to imports."""
    listing = listed(folder)
    names = (sorted(listing.folders - {"__pycache__"}), sorted(listing.sources), sorted(listing.binaries))
    return digest(repr(names).encode("utf-8", "surrogatepass"))


def _read(path: str) -> Document | None:
    try:
        return read_document(path)
    except UnreadableSource:
        return None


def rest_of(evidence: Evidence, files: Collection[str]) -> Evidence:
    """What was asked of the disk apart from the content of some files and from what folders hold."""
    contents = {path: status for path, status in evidence.contents.items() if path not in files}
    return Evidence(contents, {}, evidence.kinds, evidence.real_paths)
