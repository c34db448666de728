"""A project kept in memory, for front ends that ask more than once: files are read once, and judged again after
changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from lintpickle import disk
from lintpickle.diagnostics import Defect, Diagnostic
from lintpickle.engine.final import final_diagnostics
from lintpickle.engine.project import Analysis
from lintpickle.engine.roots import Project
from lintpickle.limits import Cut
from lintpickle.settings import SettingsResolver
from lintpickle.source.discovery import discover
from lintpickle.source.document import Document

__all__ = ["Session"]


class Session:
    """A project whose reported files are judged as often as asked.

    `universe` are the absolute paths of the files that make up the program; by default all that discovery finds
    below the project's root; `files` holds them. Raises `LintpickleError` for bad settings.
    """

    def __init__(self, project: Project, resolver: SettingsResolver, universe: Iterable[str] | None = None) -> None:
        if universe is None:
            universe = discover([str(project.root)], resolver).files
        self._resolver = resolver
        self._project = project
        self.files = frozenset((*universe, *project.reported))
        self._analysis = Analysis(project, resolver, sorted(self.files))
        self._analysis.has_no_end()

    @property
    def root(self) -> Path:
        return self._project.root

    @property
    def reported(self) -> tuple[str, ...]:
        """The absolute paths of the files that are reported."""
        return self._project.reported

    @property
    def defects(self) -> tuple[Defect, ...]:
        """Failures of lintpickle itself on the way to the latest diagnostics."""
        return self._analysis.defects

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The limits that were reached on the way to the latest diagnostics."""
        return self._analysis.cuts

    @property
    def unread(self) -> tuple[Diagnostic, ...]:
        """The reported files in tests and the like that cannot be read, where that is not asked for."""
        return self._analysis.unread

    @property
    def held_back(self) -> int:
        """The number of possible findings that are not shown."""
        return self._analysis.held_back

    def diagnostics(self, overlay: Mapping[str, Document] | None = None) -> dict[str, list[Diagnostic]]:
        """The diagnostics of every reported file, after suppressions and in the order of the file.

        A document in `overlay` takes the place of the file on disk, for this call and those that follow.
        """
        with disk.at_most(self._project.settings.max_file_size):
            found = self._analysis.diagnostics(overlay)
            final = final_diagnostics(self._analysis, self.reported, found, self._resolver)
        return {path: sorted(each, key=_place) for path, each in final.items()}

    def document(self, path: str) -> Document | None:
        """The document that the diagnostics of a file refer to; None if it could not be read."""
        return self._analysis.files.document(path)


def _place(diagnostic: Diagnostic) -> tuple[int, int, int, str]:
    location = diagnostic.location
    return location.cell or 0, location.start.row, location.start.column, diagnostic.code
