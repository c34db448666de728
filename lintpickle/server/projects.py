"""The projects that open files belong to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from lintpickle.engine.roots import is_loose, project_root
from lintpickle.server.client import ClientSettings
from lintpickle.server.live import Check
from lintpickle.server.live_project import LiveProject
from lintpickle.settings import SettingsResolver


class Projects:
    """The projects of all open files. Only the worker thread may touch it. Files that are `left_out` are not looked at
    for these reasons; the mapping may change if the projects `let_in` a file."""

    def __init__(
        self,
        settings: ClientSettings,
        folders: Sequence[Path],
        check: Check,
        left_out: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._left_out = left_out
        self._settings = settings
        self._folders = sorted(folders, key=lambda folder: -len(folder.parts))
        self._check = check
        self._resolvers: dict[Path, SettingsResolver] = {}
        self._projects: dict[Path, LiveProject] = {}
        self._roots: dict[Path, Path] = {}

    def of(self, path: str) -> LiveProject:
        """The project of a file. Raises LintpickleError for bad settings."""
        parent = Path(path).parent
        around = next((folder for folder in self._folders if parent.is_relative_to(folder)), None)
        folder = around or parent
        resolver = self._resolver(folder)
        root = self._roots.get(parent)
        if root is None:
            root = self._roots[parent] = project_root(Path(path), resolver, (folder,))
        if root not in self._projects:
            loosely = path if around is None and is_loose(root, resolver, ()) else None
            self._projects[root] = LiveProject(root, folder, resolver, self._check, self._left_out, loosely)
        return self._projects[root]

    def let_in(self, path: str) -> None:
        """Look at a file that was left out so far."""
        for project in self._projects.values():
            project.let_in(path)

    def all(self) -> list[LiveProject]:
        """Every project so far."""
        return list(self._projects.values())

    def look_at_disk(self) -> bool:
        """Read again what changed on disk. True if anything changed. Raises LintpickleError for bad settings."""
        self._resolvers.clear()
        self._roots.clear()
        changed = [project.look_at_disk(self._resolver(project.folder)) for project in self._projects.values()]
        return any(changed)

    def _resolver(self, folder: Path) -> SettingsResolver:
        if folder not in self._resolvers:
            given = self._settings
            self._resolvers[folder] = SettingsResolver(
                overrides=given.overrides, config=given.configuration, cwd=folder
            )
        return self._resolvers[folder]
