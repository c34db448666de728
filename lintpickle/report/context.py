"""The interface of output formats: what a format is, and what it may know beside the outcome."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from lintpickle.diagnostics import Applicability, Diagnostic, Location, Outcome
from lintpickle.rulebook.summaries import RuleInfo
from lintpickle.source.document import Document
from lintpickle.terminal import Style


class Format(Protocol):
    """An output format. `name` is what users call it; `human` ones end with a summary and may be coloured."""

    @property
    def name(self) -> str: ...

    @property
    def human(self) -> bool: ...

    def render(self, outcome: Outcome, context: ReportContext) -> str:
        """The whole report, ending in a newline unless it is empty."""


def _no_document(path: str) -> Document | None:
    return None


def _no_rules() -> Mapping[str, RuleInfo]:
    return {}


class ReportContext(Struct, frozen=True, dict=True):
    """What formats know besides the outcome. `source` returns the document of a file (by absolute path) to which
    findings and spans refer, or None. `rules` describes rules by code. `project_dir` is the folder from which a CI
    system counts paths, if known. `show_fixes` asks for the fix of each finding as a diff; `unsafe_fixes` says that
    unsafe fixes count as fixable. With `quiet` there is no summary."""

    cwd: Path
    source: Callable[[str], Document | None] = _no_document
    rules: Callable[[], Mapping[str, RuleInfo]] = _no_rules
    project_dir: Path | None = None
    color: bool = False
    links: bool = False
    show_fixes: bool = False
    unsafe_fixes: bool = False
    quiet: bool = False

    @cached_property
    def _documents(self) -> dict[str, Document | None]:
        return {}

    @cached_property
    def style(self) -> Style:
        return Style(self.color, self.links)

    def document(self, path: str) -> Document | None:
        """The document of a file, asked for once; None if it cannot be had."""
        if path not in self._documents:
            self._documents[path] = self.source(path)
        return self._documents[path]

    def row_text(self, location: Location, row: int) -> str:
        """A row of the file of a location (or of its notebook cell); empty when there is none."""
        document = self.document(location.path)
        try:
            return document.lines.row_text(document.joined_row(row, location.cell)) if document else ""
        except ValueError:
            return ""

    def fix_document(self, diagnostic: Diagnostic) -> Document | None:
        """The document that the fix of a finding edits; None when there is no fix, or it fits no text."""
        document = self.document(diagnostic.location.path)
        if diagnostic.fix is None or document is None or not diagnostic.fix.edits:
            return None
        length = len(document.text)
        fits = all(0 <= edit.span.start <= edit.span.end <= length for edit in diagnostic.fix.edits)
        return document if fits else None

    def relative(self, path: str) -> str:
        """The path from the working folder when the file lies below it, else the absolute path."""
        prefix = str(self.cwd).rstrip(os.sep) + os.sep
        return path.removeprefix(prefix)

    def fixable(self, diagnostic: Diagnostic) -> bool:
        """Whether `--fix`, with the present settings, would mend it."""
        if diagnostic.fix is None:
            return False
        applicability = diagnostic.fix.applicability
        return applicability is Applicability.SAFE or (self.unsafe_fixes and applicability is Applicability.UNSAFE)
