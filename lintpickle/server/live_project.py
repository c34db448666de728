"""One project with open files, read once and kept: what the worker thread does for the session."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from msgspec import Struct

from lintpickle import disk
from lintpickle.diagnostics import Defect, Diagnostic, Edit
from lintpickle.engine.file_findings import not_analysed, syntax_error
from lintpickle.engine.final import final_diagnostics
from lintpickle.engine.fixing import fixed_in_memory
from lintpickle.engine.roots import Project, program_files, projects
from lintpickle.limits import Cut
from lintpickle.program.module import Unread
from lintpickle.server.buffers import Buffer
from lintpickle.server.live import Check, LiveAnalysis, signature
from lintpickle.server.shifting import KnownVersion, carried_over
from lintpickle.settings import SettingsResolver
from lintpickle.source.discovery import discover, is_excluded
from lintpickle.source.document import Document, UnreadableSource, read_document

ProgressSink = Callable[[int, int], None]
_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")

_CONFIGURATION = ("pyproject.toml", "lintpickle.toml", ".lintpickle.toml", ".gitignore")


class BufferResult(Struct, frozen=True):
    """What there is to show for a buffer. `whole` says that the whole program was looked at."""

    buffer: Buffer
    diagnostics: tuple[Diagnostic, ...]
    whole: bool


def _bounded(
    method: Callable[Concatenate[LiveProject, _Given], _Result],
) -> Callable[Concatenate[LiveProject, _Given], _Result]:
    """The method, which reads no file that is larger than the project's settings say."""

    @wraps(method)
    def bounded(self: LiveProject, /, *arguments: _Given.args, **also: _Given.kwargs) -> _Result:
        with disk.at_most(self.max_file_size):
            return method(self, *arguments, **also)

    return bounded


class LiveProject:
    """One project. Only the worker thread may touch it. `folder` is the workspace folder around it. For a file that
    lies in none, and that nothing marks as part of a project, `loosely` is its path: what lies below its folder does
    not belong to it. `left_out` are the files that are not looked at, each with the reason."""

    def __init__(
        self,
        root: Path,
        folder: Path,
        resolver: SettingsResolver,
        check: Check,
        left_out: Mapping[str, str],
        loosely: str | None = None,
    ) -> None:
        self.root = root
        self._loosely = loosely
        self.indexed = False
        self.folder = folder
        self._check = check
        self._resolver = resolver
        self._left_out = left_out
        self._analysis = self._new_analysis()
        self._configuration = self._configuration_signatures()
        self._read: dict[str, Buffer] = {}
        self._problems: dict[str, Unread] = {}
        self._known: dict[str, KnownVersion] = {}
        self._shown: dict[str, tuple[Document, tuple[Diagnostic, ...]]] = {}

    @_bounded
    def quick(self, buffer: Buffer) -> BufferResult:
        """What can be said of a buffer at once: what it gives away alone, and what is known of the rest."""
        path = buffer.path
        if self._is_out(path):
            return BufferResult(buffer, (), whole=True)
        self._take(buffer)
        problem = self._problems.get(path)
        if problem is not None or buffer.document is None:
            return BufferResult(buffer, self._broken(buffer, problem), whole=True)
        alone = self._analysis.alone(path)
        known = self._known.get(path)
        raw = alone if known is None else known.forecast(buffer.document, alone)
        return BufferResult(buffer, self._final(buffer, raw), whole=False)

    @_bounded
    def whole(self, buffers: Iterable[Buffer], progress: ProgressSink | None = None) -> list[BufferResult]:
        """What the whole program says about buffers, with the packages that are installed now."""
        self._look_at_packages()
        wanted = [buffer for buffer in buffers if not self._is_out(buffer.path)]
        for buffer in wanted:
            self._take(buffer)
        found = self._analysis.diagnostics(progress=progress)
        self._analysis.packages_seen()
        if not self.indexed:
            self.indexed = True
            # What is read stays: the collector need not look at millions of objects at every edit.
            gc.collect()
            gc.freeze()
        results = []
        for buffer in wanted:
            problem = self._problems.get(buffer.path)
            if problem is not None or buffer.document is None:
                results.append(BufferResult(buffer, self._broken(buffer, problem), whole=True))
                continue
            raw, alone = found[buffer.path], self._analysis.alone(buffer.path)
            self._known[buffer.path] = KnownVersion(buffer.document, tuple(raw), tuple(alone))
            results.append(BufferResult(buffer, self._final(buffer, raw), whole=True))
        return results

    @property
    def defects(self) -> tuple[Defect, ...]:
        """What of lintpickle itself failed when the whole program was last looked at."""
        return self._analysis.defects

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The limits that were reached then."""
        return self._analysis.cuts

    @_bounded
    def fixed(self, buffer: Buffer) -> tuple[Edit, ...]:
        """The edits of the buffer's document that `lintpickle check --fix` would make."""
        if self._is_out(buffer.path):
            return ()
        self._take(buffer)
        if buffer.document is None or buffer.path in self._problems:
            return ()
        try:
            result = fixed_in_memory(self._analysis, buffer.document, self._resolver)
            return result.edits
        finally:
            self._analysis.read(buffer.path, buffer.document)

    @_bounded
    def close(self, path: str) -> None:
        """Go back to the file on disk."""
        if self._read.pop(path, None) is not None:
            self._analysis.read(path, None)
        for kept in (self._problems, self._known, self._shown):
            kept.pop(path, None)

    @_bounded
    def let_in(self, path: str) -> None:
        """Look at a file that was left out so far."""
        self._read.pop(path, None)
        self._problems.pop(path, None)
        self._analysis.let_in(path)

    @_bounded
    def look_at_disk(self, resolver: SettingsResolver) -> bool:
        """Read again what changed on disk; `resolver` has forgotten all settings. True if anything changed."""
        configuration = self._configuration_signatures()
        reconfigured = configuration != self._configuration
        changed = self._analysis.changed_on_disk()
        files = frozenset(self._discovered(resolver))
        renewed = reconfigured or files != self._files or self._analysis.packages_come_or_go()
        if not renewed and not any(signature(path) is None for path in changed):
            for path in changed:
                if path not in self._read:
                    self._analysis.read(path, None)
            self._analysis.seen(changed)
            return any(path not in self._read for path in changed)
        self._configuration = configuration
        self.renew(resolver, changed)
        return True

    @_bounded
    def renew(self, resolver: SettingsResolver, changed: Iterable[str] = ()) -> None:
        """Start over with other settings or files; what was read and did not change is kept."""
        before = self._analysis
        self._resolver = resolver
        self._analysis = self._new_analysis()
        self._analysis.inherit(before, changed)
        self._known.clear()
        buffers, self._read = list(self._read.values()), {}
        for buffer in buffers:
            self._take(buffer)

    def _look_at_packages(self) -> None:
        if self._analysis.packages_come_or_go():
            self.renew(self._resolver, self._analysis.changed_on_disk())
            return
        changed = self._analysis.changed_packages()
        for path in changed:
            self._analysis.read(path, None)

    @property
    def files(self) -> frozenset[str]:
        """The absolute paths of the program's files that discovery finds."""
        return self._files

    @property
    def max_file_size(self) -> int:
        """How many megabytes a source file may have."""
        return self._resolver.for_folder(self.root).max_file_size

    @property
    def package_folders(self) -> tuple[str, ...]:
        """The absolute folders in which packages are installed."""
        return self._analysis.environment.site_packages

    @_bounded
    def document(self, path: str) -> Document | None:
        """The document of any file that a trail visits."""
        buffer = self._read.get(path)
        if buffer is not None and buffer.document is not None:
            return buffer.document
        return self._analysis.files.document(path) or _on_disk(path)

    def describe(self) -> dict[str, object]:
        """What a bug report needs to know."""
        settings = self._resolver.for_folder(self.root)
        return {
            "root": str(self.root),
            "configuration": str(settings.source) if settings.source else None,
            "environment": str(self._analysis.environment.prefix),
            "files": len(self._files),
            "indexed": self.indexed,
        }

    def _take(self, buffer: Buffer) -> None:
        """Make the program hold what a buffer holds, or its last version that could be analysed."""
        path = buffer.path
        if self._read.get(path) is buffer:
            return
        self._analysis.add(path)
        self._read[path] = buffer
        problem: Unread | None
        if buffer.document is None:
            error = buffer.problem
            assert error is not None
            problem = Unread(path, error.row, error.column, error.reason)
        elif (reason := disk.excess(buffer.document.text)) is not None:
            problem = Unread(path, 1, 1, reason)
        else:
            problem = self._analysis.read(path, buffer.document)
        if problem is None:
            self._problems.pop(path, None)
        else:
            self._problems[path] = problem

    def _final(self, buffer: Buffer, raw: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
        assert buffer.document is not None
        final = final_diagnostics(self._analysis, (buffer.path,), {buffer.path: raw}, self._resolver)[buffer.path]
        diagnostics = tuple(sorted(final, key=lambda each: (each.span, each.code, each.message)))
        self._shown[buffer.path] = (buffer.document, diagnostics)
        return diagnostics

    def _broken(self, buffer: Buffer, problem: Unread | None) -> tuple[Diagnostic, ...]:
        """The syntax error, and what was shown before as far as the text is the same."""
        if problem is not None and problem.given_up:
            return (not_analysed(problem.path, problem.reason),)
        error = (syntax_error(problem),) if problem is not None else ()
        shown = self._shown.get(buffer.path)
        if shown is None or buffer.document is None:
            return error
        return (*error, *carried_over(shown[1], shown[0], buffer.document))

    def _is_out(self, path: str) -> bool:
        return is_excluded(path, self._resolver.for_path(path))

    def _new_analysis(self) -> LiveAnalysis:
        files = self._discovered(self._resolver)
        self._files = frozenset(files)
        groups = projects(files, self._resolver, (self.folder,))
        reported = next((group.reported for group in groups if group.root == self.root), ())
        project = Project(self.root, self._resolver.for_folder(self.root), reported)
        return LiveAnalysis(project, self._resolver, files, self._check, self._left_out)

    def _discovered(self, resolver: SettingsResolver) -> tuple[str, ...]:
        if not self.root.is_dir():
            return ()
        if self._loosely is not None:
            project = Project(self.root, resolver.for_folder(self.root), (self._loosely,), loose=True)
            return tuple(program_files(project, resolver))
        return discover([str(self.root)], resolver).files

    def _configuration_signatures(self) -> dict[str, tuple[int, int] | None]:
        folders = {*(Path(path).parent for path in self._files), self.root, *self.root.parents}
        found = {str(folder / name): signature(str(folder / name)) for folder in folders for name in _CONFIGURATION}
        return {path: known for path, known in found.items() if known is not None}


def _on_disk(path: str) -> Document | None:
    try:
        return read_document(path)
    except UnreadableSource:
        return None
