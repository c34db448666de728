"""Lintpickle's own code, on which all that is kept rests. Of an installed lintpickle the version tells, which every
entry of the cache has; the code of a checkout may change at any time."""

from __future__ import annotations

import os
from collections.abc import Iterator

import lintpickle

PACKAGE = os.path.dirname(os.path.abspath(lintpickle.__file__))
IS_INSTALLED = os.path.isdir(os.path.join(PACKAGE, "_rules"))
"""Whether this is what a wheel holds: in a checkout, the pages of rules lie beside the package."""

States = tuple[tuple[str, int, int], ...]
"""Files by their paths: when each was modified (ns), and its size."""


def state_of_code() -> States:
    """What changes when code of a checkout is changed."""
    return () if IS_INSTALLED else tuple(sorted(_states(PACKAGE)))


def state_of_file(path: str) -> tuple[str, int, int]:
    """What changes when a file is replaced. Raises OSError."""
    status = os.stat(path)
    return path, status.st_mtime_ns, status.st_size


def _states(top: str) -> Iterator[tuple[str, int, int]]:
    for entry in os.scandir(top):
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _states(entry.path)
        elif entry.name.endswith((".py", ".toml")):
            yield state_of_file(entry.path)
