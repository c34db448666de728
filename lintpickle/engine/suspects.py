"""Files at which processes of earlier runs were killed, by a crash of native code, for lack of memory, or by somebody.

Each process writes the file that it works at into a marker, a file of the cache that it removes at its end. A marker
of a dead process names a suspect. Whether the file is to blame, the marker does not say, except for crashes: there,
`faulthandler` has written behind it. Whoever works at a suspect after all puts it on probation: if a process is killed
at it once more, the new marker says so, and the file is left out until it changes.
"""

from __future__ import annotations

import faulthandler
import mmap
import os
from collections.abc import Iterator

from msgspec import Struct

from lintpickle import disk
from lintpickle.cache.store import WORKING, CacheStore
from lintpickle.marker import SIZE, Marker, again, noted_in

_MOST = SIZE + 100_000
"""Nobody writes longer markers."""


class Suspect(Struct, frozen=True):
    """What the marker in `file` says: at `path`, a process `crashed` or was killed for an unknown reason. `guilty` says
    that this is known of the path, as long as it does not change."""

    file: str
    path: str
    crashed: bool
    guilty: bool

    def acquit(self) -> None:
        """Forget it: the path does not kill who works at it."""
        _remove(self.file)

    def convict(self) -> None:
        """Have later processes know that the path kills who works at it."""
        try:
            with open(self.file, "r+b", buffering=0) as file:
                data = file.read(SIZE)
                file.seek(0)
                file.write(again(data))
        except OSError:
            return


class FileMarker:
    """A marker in a file, which outlives a process that is killed. With `watching`, crashes of this process are
    recorded as such; to be made in the thread that may crash, whose stack is the one that may overflow."""

    def __init__(self, path: str, handle: int, memory: mmap.mmap, watching: bool) -> None:
        self.marker = Marker(memory)
        self._path = path
        self._handle = handle
        # A second `faulthandler` there cannot be; if there is one, nobody can tell a crash from a kill.
        self._watching = watching and not faulthandler.is_enabled()
        if self._watching:
            faulthandler.enable(handle, all_threads=False)

    def remove(self) -> None:
        """The process ends as it should."""
        if self._watching:
            faulthandler.disable()
            self._watching = False
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
            _remove(self._path)


def make_marker(store: CacheStore, watching: bool = False) -> FileMarker | None:
    """A marker in a new file of the cache; None if it cannot be made."""
    folder = os.path.join(store.folder, WORKING)
    path = os.path.join(folder, f"{os.urandom(16).hex()}.lintpickle.{os.getpid()}")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError:
        return None
    try:
        # There must be room on the disk: who writes to memory behind which there is none is killed.
        if os.write(handle, bytes(SIZE)) == SIZE:
            return FileMarker(path, handle, mmap.mmap(handle, SIZE), watching)
    except (OSError, ValueError):
        pass
    os.close(handle)
    _remove(path)
    return None


def suspects(store: CacheStore) -> list[Suspect]:
    """What the markers of dead processes say, of the guilty first. Markers that say nothing are removed, and those of
    files that have changed since: the file that is there now is another one."""
    found = [each for each in _left_behind(os.path.join(store.folder, WORKING)) if not _is_outdated(each)]
    return sorted(found, key=lambda suspect: not suspect.guilty)


def _left_behind(folder: str) -> Iterator[Suspect]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        pid = name.rpartition(".")[2]
        if not pid.isdecimal() or _is_alive(int(pid)):
            continue
        file = os.path.join(folder, name)
        try:
            data = disk.read(file, _MOST)
        except OSError:
            continue
        path, guilty = noted_in(data)
        if path:
            yield Suspect(file, path, len(data) > SIZE, guilty)
        else:
            _remove(file)


def _is_outdated(suspect: Suspect) -> bool:
    """Whether the file has changed since; its marker is then removed."""
    try:
        changed = os.stat(suspect.path).st_mtime_ns
        noted = os.stat(suspect.file).st_mtime_ns
    except OSError:
        return False
    if changed > noted:
        suspect.acquit()
        return True
    return False


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _remove(path: str) -> None:
    try:
        os.remove(path)
    except OSError:
        return
