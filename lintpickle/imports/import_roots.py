"""Import roots: the folders of a project in which first-party imports start."""

# Links must not be followed, and many thousands of paths pass here: os.path, not pathlib.

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from lintpickle import disk
from lintpickle.imports.folders import is_installed
from lintpickle.imports.project_markers import is_marked_by

_PROJECT_MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg", ".jj")


def project_roots(settings_root: Path, src: Sequence[str], files: Iterable[str]) -> tuple[str, ...]:
    """The folders in which first-party imports start, as absolute paths, the root of the project first.

    They are `settings_root`, its `src`, the configured `src` folders (relative to it), and the folder above
    the topmost package: of `settings_root` if it is itself a package, and of each of the checked `files`
    (absolute paths) outside of it. What `files` below `settings_root` add is left to `ModuleFinder.find`, so
    that one file named alone is read like the whole project.
    """
    main = os.path.abspath(settings_root)
    configured = [os.path.normpath(os.path.join(main, folder)) for folder in ("src", *src)]
    roots = [main, *(folder for folder in configured if disk.is_folder(folder))]
    roots.append(_above_packages(main))
    folders = dict.fromkeys(map(os.path.dirname, files))
    for folder in folders:
        if not lies_below(folder, main) and not is_installed(folder):
            roots.append(_above_packages(folder))
    return tuple(dict.fromkeys(roots))


def lies_below(path: str, folder: str) -> bool:
    """Whether an absolute path is inside a folder."""
    return path != folder and path.startswith(os.path.join(folder, ""))


def _above_packages(folder: str) -> str:
    """The folder above the topmost package that `folder` is in. The folder of a project is no package, though
    it may hold an `__init__.py`."""
    while disk.is_file(os.path.join(folder, "__init__.py")):
        if any(is_marked_by(folder, marker) for marker in _PROJECT_MARKERS):
            break
        folder = os.path.dirname(folder)
    return folder
