"""Where in the program something is handed on: the call of the user, and which boundary it is."""

from __future__ import annotations

import collections
import os
import sys
import threading
from types import FrameType
from typing import Any, NamedTuple

_HERE = os.path.dirname(os.path.abspath(__file__))
_BOUNDARIES = {
    "multiprocessing.process": "Process",
    "multiprocessing.queues": "Queue.put",
    "multiprocessing.connection": "Connection.send",
    "multiprocessing.pool": "Pool",
    "concurrent.futures.process": "ProcessPoolExecutor",
    "torch.utils.data.dataloader": "DataLoader",
    "torch.multiprocessing.spawn": "torch.multiprocessing.spawn",
    "joblib.parallel": "joblib.Parallel",
}
"""What a module on the stack says of the boundary: the one closest to the user's code counts."""
MOST_FRAMES = 30
_REMEMBERED = 5000


class Site(NamedTuple):
    """`frames` are (file, line, function), the innermost first, without those of this package; `boundary` is named if
    the stack tells; `own` is the place in `frames` of the first one that is no library's, None if there is none."""

    frames: list[tuple[str, int, str]]
    boundary: str | None
    own: int | None

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""
        frames = [{"file": file, "line": line, "function": function} for file, line, function in self.frames]
        return {"frames": frames, "own": self.own}


def here() -> Site:
    """The site of the caller."""
    frames: list[tuple[str, int, str]] = []
    boundary, own = None, None
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and len(frames) < MOST_FRAMES:
        file = frame.f_code.co_filename
        if not file.startswith(_HERE):
            name = frame.f_globals.get("__name__")
            if own is None and isinstance(name, str):
                boundary = _BOUNDARIES.get(name, boundary)
            if own is None and not _is_library(file):
                own = len(frames)
            frames.append((file, frame.f_lineno, frame.f_code.co_name))
        frame = frame.f_back
    return Site(frames, boundary, own)


def name_of(obj: Any) -> str:
    """The name that a variable of the callers has for an object, those of the program before those of libraries; else
    the name of its type."""
    names: list[str] = []
    frame: FrameType | None = sys._getframe(1)
    for _ in range(MOST_FRAMES):
        if frame is None:
            break
        file = frame.f_code.co_filename
        if not file.startswith(_HERE):
            found = [name for name, value in list(frame.f_locals.items()) if value is obj and name.isidentifier()]
            if found and not _is_library(file):
                return found[0]
            names += found[:1]
        frame = frame.f_back
    kind = type(obj).__name__
    return names[0] if names else kind if kind.isidentifier() else "object"


_LIBRARY = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_INSTALLED = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)


def _is_library(file: str) -> bool:
    return file.startswith(("<frozen", _LIBRARY)) or any(part in file for part in _INSTALLED)


class Remembered:
    """Where objects were handed to a queue or pool that pickles them later, in a thread of its own."""

    def __init__(self) -> None:
        self._sites: collections.OrderedDict[int, Site] = collections.OrderedDict()
        self._lock = threading.Lock()

    def note(self, obj: Any, boundary: str) -> None:
        """Remember the caller as the one who hands an object on at a boundary."""
        site = here()._replace(boundary=boundary)
        with self._lock:
            self._sites[id(obj)] = site
            self._sites.move_to_end(id(obj))
            if len(self._sites) > _REMEMBERED:
                self._sites.popitem(last=False)

    def of(self, *objects: Any) -> Site | None:
        """Where one of these was handed on."""
        with self._lock:
            return next((self._sites[id(obj)] for obj in objects if id(obj) in self._sites), None)
