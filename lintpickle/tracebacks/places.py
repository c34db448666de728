"""Files here for the frames of another machine: by the end of their paths, and by the lines that they quote."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from lintpickle.diagnostics import Span
from lintpickle.source.document import Document, UnreadableSource, read_document
from lintpickle.tracebacks.recognition import is_library, normal_path
from lintpickle.tracebacks.records import MatchedFrame, NamedPlace, TracebackFrame

_TELLING = 12
"""A quoted line of so many characters can tell a file whose name is another one here."""
_MOST_SEARCHED = 5_000
_INSTALLED = ("site-packages", "dist-packages")


class Places:
    """The files of a project and of its environment. `files` are absolute paths, `installed` site-packages folders."""

    def __init__(self, files: Sequence[str], installed: Sequence[str]) -> None:
        self._files = files
        self._installed = installed
        self._by_name: dict[str, list[str]] = {}
        for path in files:
            self._by_name.setdefault(os.path.basename(path), []).append(path)
        self._documents: dict[str, Document | None] = {}
        self._preferred: dict[str, str] = {}

    def matched(self, frames: Sequence[TracebackFrame]) -> Iterator[MatchedFrame]:
        """The frames whose files are here, in their order. Of files with one name, that in which most of the quoted
        lines stand is the one of all frames of a path."""
        for path in {frame.path for frame in frames if frame.path and not is_library(frame.path)}:
            self._prefer(path, [frame for frame in frames if frame.path == path])
        for frame in frames:
            found = self.of(frame)
            if found is not None:
                yield found

    def of(self, frame: TracebackFrame) -> MatchedFrame | None:
        """Where a frame stands here; None if its file is not found."""
        if is_library(frame.path):
            path = self._in_environment(frame.path) or self._installed_from_here(frame)
            return self._in_file(frame, path) if path is not None else None
        found = [match for path in self._named_alike(frame) if (match := self._in_file(frame, path)) is not None]
        sure = [match for match in found if match.is_sure]
        if sure or (found and frame.line is None):
            return (sure or found)[0]
        return self._by_line(frame) or (found[0] if found and self._is_long_enough(frame, found[0].path) else None)

    def _prefer(self, path: str, frames: Sequence[TracebackFrame]) -> None:
        named = self._named_alike(frames[0])
        if len(named) > 1:
            quoted = [frame.line for frame in frames if frame.line is not None]
            self._preferred[path] = max(named, key=lambda each: sum(bool(self._rows_with(q, each)) for q in quoted))

    def _in_environment(self, path: str) -> str | None:
        parts = normal_path(path).split("/")
        at = max((at for at, part in enumerate(parts) if part in _INSTALLED), default=None)
        if at is None:
            return None
        candidates = (os.path.join(folder, *parts[at + 1 :]) for folder in self._installed if parts[at + 1 :])
        return next((each for each in candidates if os.path.isfile(each)), None)

    def _installed_from_here(self, frame: TracebackFrame) -> str | None:
        """The project's own file, where the traceback shows it as installed: by its whole path below site-packages."""
        parts = normal_path(frame.path).split("/")
        at = max((at for at, part in enumerate(parts) if part in _INSTALLED), default=None)
        if at is None:
            return None
        inner = parts[at + 1 :]
        named = self._by_name.get(inner[-1], []) if len(inner) > 1 else []
        return next((path for path in named if path.split(os.sep)[-len(inner) :] == inner), None)

    def named(self, frame: MatchedFrame, what: str) -> tuple[NamedPlace, ...]:
        """The line of a frame as a place to look at."""
        document = self.document(frame.path)
        if document is None or frame.row is None or not frame.is_sure:
            return ()
        span = document.lines.row_span(frame.row)
        text = document.text[span.start : span.end]
        start = span.start + len(text) - len(text.lstrip())
        return (NamedPlace(what, document.location(Span(start, span.start + len(text.rstrip())))),)

    def _named_alike(self, frame: TracebackFrame) -> list[str]:
        """The project's files with the same name, those first whose paths have the most in common from the end."""
        parts = normal_path(frame.path).split("/")
        named = self._by_name.get(parts[-1], []) if frame.path else []
        best = self._preferred.get(frame.path)
        return sorted(named, key=lambda path: (-_common_end(parts, path.split(os.sep)), path != best))

    def _is_long_enough(self, frame: TracebackFrame, path: str) -> bool:
        """Whether a path fits though the quoted line is not there: more than the name of the file is the same, or the
        file is the only one so called."""
        parts = normal_path(frame.path).split("/")
        return _common_end(parts, path.split(os.sep)) > 1 or len(self._by_name.get(parts[-1], ())) == 1

    def _in_file(self, frame: TracebackFrame, path: str) -> MatchedFrame | None:
        document = self.document(path)
        if document is None:
            return None
        rows = self._rows_with(frame.line, path) if frame.line is not None else []
        if rows:
            row = min(rows, key=lambda each: abs(each - (frame.row or each)))
            return MatchedFrame(frame, path, row, row != frame.row, True)
        is_there = frame.row is not None and frame.row <= document.lines.row_count
        return MatchedFrame(frame, path, frame.row if is_there else None, False, False)

    def _by_line(self, frame: TracebackFrame) -> MatchedFrame | None:
        """The one file in which the quoted line stands, if it says enough: files get renamed, and cells of notebooks
        have no names."""
        if frame.line is None or len(frame.line) < _TELLING:
            return None
        found = [path for path in self._files[:_MOST_SEARCHED] if self._rows_with(frame.line, path)]
        return self._in_file(frame, found[0]) if len(found) == 1 else None

    def _rows_with(self, line: str, path: str) -> list[int]:
        document = self.document(path)
        if document is None or line not in document.text:
            return []
        wanted = " ".join(line.split())
        rows = range(1, document.lines.row_count + 1)
        return [row for row in rows if " ".join(document.lines.row_text(row).split()) == wanted]

    def document(self, path: str) -> Document | None:
        """The text of a file; None if it cannot be read."""
        if path not in self._documents:
            try:
                self._documents[path] = read_document(path)
            except UnreadableSource:
                self._documents[path] = None
        return self._documents[path]


def _common_end(first: Sequence[str], second: Sequence[str]) -> int:
    """How many parts two paths have in common, counted from their ends."""
    count = 0
    for mine, other in zip(reversed(first), reversed(second), strict=False):
        if mine != other:
            break
        count += 1
    return count


def rows_by_path(frames: Iterable[MatchedFrame]) -> Mapping[str, frozenset[int]]:
    """The rows at which frames stand, by file."""
    found: dict[str, set[int]] = {}
    for frame in frames:
        if frame.row is not None:
            found.setdefault(frame.path, set()).add(frame.row)
    return {path: frozenset(rows) for path, rows in found.items()}
