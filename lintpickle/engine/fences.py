"""Files during whose analysis an earlier run was killed, by a crash of native code or for lack of memory.

Each run writes the file that it works on into a file of the cache, which it removes at its end. One that a dead process
has left behind names a suspect. The suspect is tried in a separate process, and left out as long as that process is
killed too.
"""

from __future__ import annotations

import json
import mmap
import os
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

from lintpickle import disk
from lintpickle.cache.store import WORKING, CacheStore
from lintpickle.marker import SIZE, Marker, marking_also, path_in
from lintpickle.standby import lost

_SECONDS = 120
EARLIER = "an earlier run was killed while it worked at it"
_TRIAL = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from pathlib import Path
from lintpickle.api import lint_paths
from lintpickle.diagnostics import LintpickleError
from lintpickle.settings import SettingsResolver
path = Path(sys.argv[2])
try:
    lint_paths([str(path)], resolver=SettingsResolver(cwd=path.parent, isolated=True, overrides={"pedantic": True}))
except LintpickleError:
    pass
"""


@contextmanager
def fenced(store: CacheStore | None, paths: Collection[str]) -> Iterator[Mapping[str, str]]:
    """Those of the paths that kill whoever works at them, with what is said of them. Inside of the `with` block, this
    process notes what it works at."""
    if store is None or os.name != "posix" or not store.prepare():
        yield lost()
        return
    folder = os.path.join(store.folder, WORKING)
    crashing = {**dict.fromkeys(_crashing(folder, frozenset(paths).difference(lost())), EARLIER), **lost()}
    own = _make(folder)
    if own is None:
        yield crashing
        return
    file, marker = own
    try:
        with marking_also(marker):
            yield crashing
    finally:
        _remove(file)


def _make(folder: str) -> tuple[str, Marker] | None:
    """A marker in a new file; None if the file cannot be made."""
    path = os.path.join(folder, f"{os.urandom(16).hex()}.lintpickle.{os.getpid()}")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError:
        return None
    try:
        # There must be room on the disk: who writes to memory behind which there is none is killed.
        if os.write(handle, bytes(SIZE)) == SIZE:
            return path, Marker(mmap.mmap(handle, SIZE))
    except (OSError, ValueError):
        pass
    finally:
        os.close(handle)
    _remove(path)
    return None


def _crashing(folder: str, paths: Collection[str]) -> Iterator[str]:
    """Those of the suspects that kill the process that tries them."""
    tried: dict[str, bool] = {}
    for file, path in _left_behind(folder):
        if path in paths:
            if path not in tried:
                tried[path] = kills(path)
            if tried[path]:
                yield path
                continue
        if path in paths or not path:
            _remove(file)


def _left_behind(folder: str) -> Iterator[tuple[str, str]]:
    """The markers of dead processes: the file of the marker, and the path in it."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        pid = name.rpartition(".")[2]
        if pid.isdecimal() and not _is_alive(int(pid)):
            file = os.path.join(folder, name)
            try:
                yield file, path_in(disk.read(file, SIZE))
            except OSError:
                continue


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def kills(path: str) -> bool:
    """Whether a process that judges a file is killed, or does not end in time."""
    known = json.dumps([each for each in sys.path if os.path.isabs(each)])
    command = [sys.executable, "-I", "-c", _TRIAL, known, path]
    quiet = subprocess.DEVNULL
    try:
        done = subprocess.run(command, stdin=quiet, stdout=quiet, stderr=quiet, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return True
    except OSError:
        return False
    return done.returncode < 0


def _remove(path: str) -> None:
    try:
        os.remove(path)
    except OSError:
        return
