"""Files that mark the folder of a project."""

from __future__ import annotations

import os

from lintpickle import disk

_INIT = "__init__.py"


def is_marked_by(folder: str, marker: str) -> bool:
    """Whether a folder holds a marker of a project. A `setup.py` deep in a package is one of its modules, whatever it
    sets up."""
    if not disk.exists(os.path.join(folder, marker)):
        return False
    return marker != "setup.py" or not _is_in_package(folder)


def _is_in_package(folder: str) -> bool:
    """Whether a folder is a package in another one."""
    return all(disk.is_file(os.path.join(each, _INIT)) for each in (folder, os.path.dirname(folder)))
