"""What the plugins of other tools share: the diagnostics of one file, as a host asks for them."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct, field

from lintpickle import disk
from lintpickle.defects import reports
from lintpickle.diagnostics import Diagnostic
from lintpickle.engine.roots import Project, project_root
from lintpickle.integrations._hint import mentions_boundaries
from lintpickle.rules.unused_suppression import UnusedSuppressionRule
from lintpickle.session import Session
from lintpickle.settings import SettingsResolver
from lintpickle.source.discovery import discover, is_excluded
from lintpickle.source.document import UnreadableSource, document_from_text

log = logging.getLogger(__name__)


class _Program(Struct):
    """One project as a host sees it. Without a session, nothing in it can be reported as long as files stay so."""

    files: frozenset[str]
    session: Session | None
    found: dict[str, list[Diagnostic]] = field(default_factory=dict)


class Host:
    """Answers for one file after the other; the project of a file is read when the first of its files is asked for.

    `cwd` is the folder that relative paths count from. `folders` are those that the user named: one of them is the
    project of a file around which no configuration, project file or repository says what belongs together. With
    `file_only`, boundaries in other files are not looked for.
    """

    def __init__(self, cwd: Path, folders: Iterable[Path] = (), file_only: bool = False) -> None:
        self._folders = tuple(folders)
        self._file_only = file_only
        self._resolver = SettingsResolver(cwd=cwd)
        self._programs: dict[Path, _Program] = {}
        self._lock = threading.Lock()
        self._told: set[str] = set()

    def diagnostics(self, path: str, text: str) -> list[Diagnostic]:
        """The diagnostics of a file with that text, whatever is on disk.

        Nothing is said of a file that the configuration excludes, or that cannot be read. Raises `LintpickleError`
        for a bad configuration.
        """
        with self._lock:
            absolute = os.path.abspath(self._resolver.cwd / path)
            if is_excluded(absolute, self._resolver.for_path(absolute)):
                return []
            root = project_root(Path(absolute), self._resolver, self._folders)
            key = Path(absolute) if self._file_only else root
            program = self._programs.get(key)
            if program is None or absolute not in program.files:
                program = self._programs[key] = self._read(root, absolute)
            return self._judge(program, root, absolute, text)

    def forget(self) -> None:
        """Read everything anew when it is next asked for: files on disk have changed."""
        with self._lock:
            self._resolver = self._resolver.renewed()
            self._programs.clear()

    def _judge(self, program: _Program, root: Path, path: str, text: str) -> list[Diagnostic]:
        if program.session is None:
            if not mentions_boundaries(text.encode("utf-8", "surrogatepass")):
                return []
            program.session = self._session(root, sorted(program.files))
        document = program.session.document(path)
        if document is None or _same_rows(document.text) != _same_rows(text):
            try:
                program.found = program.session.diagnostics({path: document_from_text(text, path)})
            except UnreadableSource:
                return []
        elif not program.found:
            program.found = program.session.diagnostics()
        for text in reports(program.session.defects, str(self._resolver.cwd)):
            if text not in self._told:
                self._told.add(text)
                log.error(text)
        found = program.found[path]
        # Whether a comment is of use cannot be told from its file alone.
        return [each for each in found if not (self._file_only and each.code == UnusedSuppressionRule.code)]

    def _read(self, root: Path, path: str) -> _Program:
        files = [path]
        if not self._file_only:
            files = list(discover([str(root)], self._resolver).files)
            if path not in files:
                files.append(path)
        settings = self._resolver.for_folder(root)
        wanted = settings.pedantic or settings.catalog or any(_mentions_boundaries(file) for file in files)
        return _Program(frozenset(files), self._session(root, files) if wanted else None)

    def _session(self, root: Path, files: Sequence[str]) -> Session:
        project = Project(root, self._resolver.for_folder(root), tuple(files))
        return Session(project, self._resolver, files)


def _same_rows(text: str) -> str:
    """The text with the newlines that hosts hand on, whatever they are in the file."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _mentions_boundaries(path: str) -> bool:
    try:
        return mentions_boundaries(disk.read(path))
    except OSError:
        return False
