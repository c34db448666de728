"""Lintpickle's own code, on which all cached results depend. For an installed lintpickle, the version and the build
identify the code, and every entry of the cache has them; the code of a checkout may change at any time."""

from __future__ import annotations

import os
from collections.abc import Iterator

import lintpickle

PACKAGE = os.path.dirname(os.path.abspath(lintpickle.__file__))
IS_INSTALLED = os.path.isdir(os.path.join(PACKAGE, "_rules"))
"""Whether this is an installed wheel: in a checkout, the rule pages are beside the package."""

States = tuple[tuple[str, int, int], ...]
"""Files by their paths, with their modification times (ns) and sizes."""


def state_of_code() -> States:
    """A value that changes when code of a checkout changes."""
    return () if IS_INSTALLED else tuple(sorted(_states(PACKAGE)))


def state_of_file(path: str) -> tuple[str, int, int]:
    """A value that changes when a file is replaced. Raises OSError."""
    status = os.stat(path)
    return path, status.st_mtime_ns, status.st_size


def _states(top: str) -> Iterator[tuple[str, int, int]]:
    for entry in os.scandir(top):
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _states(entry.path)
        elif entry.name.endswith((".py", ".toml", ".json")):
            yield state_of_file(entry.path)
