"""The results of an earlier run, with the state of the disk that they depend on: a later run judges again only what
changes can affect."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lintpickle import disk
from lintpickle.cache.facts import digest_of, digest_of_statements
from lintpickle.cache.moving import HERE, NotMovable, at_root
from lintpickle.cache.ourselves import state_of_code
from lintpickle.cache.stamps import is_settled
from lintpickle.cache.store import CacheStore, digest
from lintpickle.diagnostics import Diagnostic
from lintpickle.disk import Evidence, Status
from lintpickle.engine.results import Results
from lintpickle.imports.folders import listed
from lintpickle.source.comment_lines import Filler
from lintpickle.source.document import Document, UnreadableSource, read_document

_KIND = "snapshots"
_PLACES = "places"
_FORMAT = 6
_LARGEST = 8_000_000
"""How large (bytes) a file may be that is compared by its content, if it is no module."""
_YOUNG = (0, 0, 0, 0)
"""Used instead of the status of a file that changed so recently that its next change might not show."""


PinnedBy: TypeAlias = Literal["by call", "by setting"]
"""How a file asks for fork. What an argument or a setting of some name does must be seen."""


class File(Struct, frozen=True):
    """A file that was read as a module: its status on disk, and the digests of its text and of its statements (see
    `digest_of_statements`). Its `gaps` are kept if results name places in it."""

    status: Status
    text: bytes
    statements: bytes
    gaps: tuple[Filler, ...] | None = None


class Changes(Struct, frozen=True):
    """The files whose text has changed, and those among them whose statements have not."""

    texts: frozenset[str]
    same_statements: frozenset[str]


class Broken(Struct, frozen=True):
    """The diagnostic of a file with a syntax error; `unread` if nothing of the file could be used."""

    diagnostic: Diagnostic
    unread: bool


class Snapshot(Struct, frozen=True):
    """What is known of a program. `universe` are its files in order, `first_party` the first-party ones; `files` all
    that were read as modules. `folders` are those whose entries were listed, `asked` everything else that was read from
    the disk."""

    judged: Results
    universe: tuple[str, ...]
    first_party: tuple[str, ...]
    files: dict[str, File]
    folders: dict[str, tuple[Status | None, bytes]]
    asked: Evidence
    digests: dict[str, bytes]
    """Those of the files in `asked`, as far as they could be read."""
    home: str
    """By what path the facts of the program are found in the cache: where it was first read."""
    broken: dict[str, Broken]
    commented: frozenset[str]
    """The files with comments that may hide diagnostics."""
    pins: dict[str, PinnedBy]
    """The files that may ask for fork by name, with how they do."""

    def looking_otherwise(self, contents: Mapping[str, Status | None]) -> int:
        """The number of files that must be read to see whether they have changed."""
        return sum(contents.get(path) != file.status for path, file in self.files.items())

    def changes(self) -> Changes | None:
        """The files whose text has changed; None if something else has. What is compared counts as read from the disk
        in this run."""
        if not all(_is_folder_same(folder, *known) for folder, known in self.folders.items()):
            return None
        if any(disk.kind(path) != kind for path, kind in self.asked.kinds.items()):
            return None
        if any(disk.real_path(path) != real for path, real in self.asked.real_paths.items()):
            return None
        if any(disk.status(path) != known and not self._is_same(path) for path, known in self.asked.contents.items()):
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

    def _is_same(self, path: str) -> bool:
        """Whether a file that is no module has the same content, though it was written again."""
        known = self.digests.get(path)
        return known is not None and _digest(path) == known


_DECODER = msgspec.msgpack.Decoder(Snapshot)
_ENCODER = msgspec.msgpack.Encoder()


class Snapshots:
    """The snapshots of one program at `root`: one cache entry for each set of options, which is given by `key`. Where
    there is none, the latest one of the same program at another path is used: a checkout may be made anew elsewhere."""

    def __init__(self, store: CacheStore, root: str, universe: Sequence[str], key: object) -> None:
        self._store = store
        self._root = root
        try:
            options, files = at_root((key, tuple(universe)), root, HERE)
        except NotMovable:
            options, files = (root, key), ()
        self._options = repr((_FORMAT, state_of_code(), options))
        names = digest("\0".join(files).encode("utf-8", "surrogatepass")).hex()
        self._program = repr((names, self._options))
        self._alike = repr((os.path.basename(root), self._options))
        self._started = time.time_ns()

    def load(self) -> Snapshot | None:
        """The latest snapshot."""
        return self._load(self._root) or self._from_elsewhere()

    def home(self) -> str:
        """The home of the facts of a program without a snapshot: that of the latest one with the same options in a
        folder of the same name."""
        found = self._store.load(_PLACES, self._alike)
        return found if isinstance(found, str) else self._root

    def _load(self, root: str) -> Snapshot | None:
        found = self._store.load(_KIND, self._key(root))
        if not isinstance(found, bytes):
            return None
        try:
            return _DECODER.decode(found)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None

    def _from_elsewhere(self) -> Snapshot | None:
        root = self._store.load(_PLACES, self._program)
        found = self._load(root) if isinstance(root, str) and root != self._root else None
        if found is None or not isinstance(root, str):
            return None
        try:
            return replace(at_root(found, root, self._root), home=found.home)
        except NotMovable:
            return None

    def _key(self, root: str) -> str:
        return repr((root, self._options))

    def keep(self, snapshot: Snapshot) -> None:
        """Write a snapshot for the next run."""
        self._store.save(_KIND, self._key(self._root), _ENCODER.encode(snapshot))
        for key, place in ((self._program, self._root), (self._alike, snapshot.home)):
            if self._store.load(_PLACES, key) != place:
                self._store.save(_PLACES, key, place)

    def digests(self, asked: Evidence, before: Snapshot | None) -> dict[str, bytes]:
        """The digests of files for a snapshot, as far as they are as they were when they were read. They are not read
        again if they are as in the snapshot before."""
        found: dict[str, bytes] = {}
        for path, status in asked.contents.items():
            if before is not None and path in before.digests and before.asked.contents.get(path) == status:
                found[path] = before.digests[path]
            elif status is not None and status[2] <= _LARGEST:
                content = _digest(path)
                if content is not None and disk.status(path) == status:
                    found[path] = content
        return found

    def file(self, status: Status | None, text: bytes, statements: bytes, gaps: tuple[Filler, ...] | None) -> File:
        """A file for a snapshot: its status when it was read (None if it was not), its digests and its gaps."""
        seen = status if status is not None and is_settled(status, self._started) else _YOUNG
        return File(seen, text, statements, gaps)

    def folders(self, listings: dict[str, Status | None]) -> dict[str, tuple[Status | None, bytes]]:
        """Folders for a snapshot, with their status when they were listed."""
        return {folder: self._folder(folder, status) for folder, status in list(listings.items())}

    def _folder(self, folder: str, status: Status | None) -> tuple[Status | None, bytes]:
        if status is None:
            return None, b""
        names = _names(folder) if disk.listing_status(folder) == status else b""
        return (status if is_settled(status, self._started) else _YOUNG), names


def _is_folder_same(folder: str, status: Status | None, names: bytes) -> bool:
    return disk.listing_status(folder) == status or (names != b"" and _names(folder) == names)


def _names(folder: str) -> bytes:
    """A digest of what a folder offers to imports."""
    listing = listed(folder)
    names = (sorted(listing.folders - {"__pycache__"}), sorted(listing.sources), sorted(listing.binaries))
    return digest(repr(names).encode("utf-8", "surrogatepass"))


def _digest(path: str) -> bytes | None:
    try:
        return digest(disk.read(path, _LARGEST))
    except OSError:
        return None


def _read(path: str) -> Document | None:
    try:
        return read_document(path)
    except UnreadableSource:
        return None


def rest_of(evidence: Evidence, files: Collection[str]) -> Evidence:
    """What was read from the disk apart from the content of some files and the entries of folders."""
    contents = {path: status for path, status in evidence.contents.items() if path not in files}
    return Evidence(contents, {}, evidence.kinds, evidence.real_paths)
