"""Which start methods a project leaves by the systems and Pythons that it says it supports.

On Linux, Pythons before 3.14 fork by default; macOS and Windows spawn, and Python 3.14 starts a server on Linux.
Source: https://docs.python.org/3.14/library/multiprocessing.html#contexts-and-start-methods"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lintpickle import disk
from lintpickle.diagnostics import LintpickleError
from lintpickle.pythons import Version
from lintpickle.settings.toml_file import parse_toml, read_text

_METADATA = "pyproject.toml"
_SYSTEM = "Operating System ::"
_LINUX = "Operating System :: POSIX :: Linux"
_FIRST_UNFORKED: Version = (3, 14)


def always_forks(root: Path, pythons: Sequence[Version]) -> bool:
    """Whether processes are forked wherever a project is used, if it does not ask for anything else: its Pythons end
    before 3.14, and the classifiers in the `pyproject.toml` of its root name Linux, and no other system."""
    return bool(pythons) and max(pythons) < _FIRST_UNFORKED and set(_systems(root / _METADATA)) == {_LINUX}


def _systems(path: Path) -> list[str]:
    """The classifiers of a `pyproject.toml` that name operating systems."""
    if not disk.is_file(path):
        return []
    try:
        text = read_text(path)
        project = parse_toml(text, str(path)).get("project") if _LINUX in text else None
    except LintpickleError:
        return []  # A file that is not ours to judge: nothing is known.
    classifiers = project.get("classifiers") if isinstance(project, dict) else None
    found = classifiers if isinstance(classifiers, list) else []
    return [each for each in found if isinstance(each, str) and each.startswith(_SYSTEM)]
