"""The projects that files belong to, with their roots, and the files of each project."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from lintpickle import disk
from lintpickle.imports.project_markers import is_marked_by
from lintpickle.settings import Settings, SettingsResolver
from lintpickle.source.discovery import discover

_ROOT_MARKERS = (
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    ".git",
    ".hg",
    "lintpickle.toml",
    ".lintpickle.toml",
)


class Project(Struct, frozen=True):
    """Files that are linked together: everything below one root, with one set of settings. `reported` are the absolute
    paths that the user asked about; the rest of the program is read as far as it is needed. `named` are those that the
    user named one by one, which are checked for syntax errors everywhere. `loose` says that nothing marks the root as a
    project: then only the files directly in it and the packages of the reported files belong to the program, not
    everything below it (checking a script in a downloads folder must not read the whole folder). `whole` says that
    all of its own files are reported, and `complete` that they are all there are: no other project is below its
    root."""

    root: Path
    settings: Settings
    reported: tuple[str, ...]
    complete: bool = False
    loose: bool = False
    named: frozenset[str] = frozenset()
    whole: bool = False


def projects(files: Sequence[str], resolver: SettingsResolver, named: Sequence[Path] = ()) -> list[Project]:
    """Group files by the roots of their projects. `named` are the files and folders that the user named, and `files`
    everything that discovery finds there."""
    places = [Path(os.path.abspath(path)) for path in named]  # without `..`, as the files are
    one_by_one = {str(place) for place in places}
    folders = [place for place in places if disk.is_folder(place)]
    roots = _Roots(resolver, folders)
    groups: dict[Path, list[str]] = {}
    found: dict[str, list[str]] = {}
    for path in files:
        folder = os.path.dirname(path)
        if folder not in found:
            found[folder] = groups.setdefault(roots.of(Path(path)), [])
        found[folder].append(path)
    return [
        Project(
            root,
            resolver.for_folder(root),
            tuple(paths),
            root in folders and not any(root in other.parents for other in groups),
            is_loose(root, resolver, folders),
            frozenset(one_by_one.intersection(paths)),
            root in folders,
        )
        for root, paths in sorted(groups.items())
    ]


def is_loose(root: Path, resolver: SettingsResolver, named: Sequence[Path]) -> bool:
    """Whether nothing marks a folder as a project: no file in it, and no user who `named` it."""
    marked = (root / marker for marker in (*_ROOT_MARKERS, "__init__.py"))
    is_configured = resolver.for_folder(root).source is not None
    return not is_configured and root not in named and not any(disk.exists(marker) for marker in marked)


def project_root(file: Path, resolver: SettingsResolver, named: Sequence[Path] = ()) -> Path:
    """The root of a file's project: the folder of its configuration, or the closest one with a project's marker;
    otherwise the folder that the user named, the topmost package around the file, or its own folder."""
    return _Roots(resolver, named).of(file)


class _Roots:
    """Finds the roots of projects. Each folder is read once."""

    def __init__(self, resolver: SettingsResolver, named: Sequence[Path]) -> None:
        self._resolver = resolver
        self._named = named
        self._marked: dict[Path, bool] = {}

    def of(self, file: Path) -> Path:
        """See `project_root`."""
        settings = self._resolver.for_path(file)
        if settings.source is not None and file.is_relative_to(settings.root):
            return settings.root
        for folder in file.parents:
            if self._is_marked(folder):
                return folder
        for folder in self._named:
            if file.is_relative_to(folder):
                return folder
        folder = file.parent
        while disk.exists(folder / "__init__.py") and folder.parent != folder:
            folder = folder.parent
        return folder

    def _is_marked(self, folder: Path) -> bool:
        if folder not in self._marked:
            self._marked[folder] = any(is_marked_by(str(folder), marker) for marker in _ROOT_MARKERS)
        return self._marked[folder]


def program_files(project: Project, resolver: SettingsResolver) -> list[str]:
    """The first-party files of the program: all below the root, or for a loose project the files in it and the
    packages that hold what is reported."""
    if not project.loose:
        return list(discover([str(project.root)], resolver).files)
    packages = {Path(path).relative_to(project.root).parts[0] for path in project.reported}
    folders = [project.root / name for name in sorted(packages) if disk.is_folder(project.root / name)]
    scripts = sorted(name for name in disk.names(project.root) if name.endswith(".py"))
    return [*(str(project.root / name) for name in scripts), *discover(folders, resolver).files]
