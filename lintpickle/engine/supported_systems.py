"""Which start methods a project leaves by the systems and Pythons that it says it supports.

On Linux, Pythons before 3.14 fork by default; macOS and Windows spawn, and Python 3.14 starts a server on Linux.
Source: https://docs.python.org/3.14/library/multiprocessing.html#contexts-and-start-methods"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lintpickle.pythons import FIRST_UNFORKED, Version
from lintpickle.settings.toml_file import project_table

_SYSTEM = "Operating System ::"
_LINUX = "Operating System :: POSIX :: Linux"


def always_forks(root: Path, pythons: Sequence[Version]) -> bool:
    """Whether processes are forked wherever a project is used, if it does not ask for anything else: its Pythons end
    before 3.14, and the classifiers in the `pyproject.toml` of its root name Linux, and no other system."""
    return bool(pythons) and max(pythons) < FIRST_UNFORKED and set(_systems(root)) == {_LINUX}


def _systems(root: Path) -> list[str]:
    """The classifiers of the `pyproject.toml` in a folder that name operating systems, if one is for Linux."""
    classifiers = project_table(root, _LINUX).get("classifiers")
    found = classifiers if isinstance(classifiers, list) else []
    return [each for each in found if isinstance(each, str) and each.startswith(_SYSTEM)]
