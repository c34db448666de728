"""Fixing the files of a project until nothing changes any more, in memory or on disk."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from lintpickle import disk
from lintpickle.diagnostics import Applicability, Diagnostic, Edit, FileChange, LintpickleError
from lintpickle.engine.final import final_diagnostics, with_display_fix
from lintpickle.engine.project import Analysis
from lintpickle.engine.roots import projects
from lintpickle.fixes.fixpoint import FixResult, fix_text
from lintpickle.settings import Settings, SettingsResolver
from lintpickle.source.discovery import discover
from lintpickle.source.document import Document, decode_document
from lintpickle.tree import leaves


def allowed_fixes(settings: Settings) -> frozenset[Applicability]:
    return frozenset({Applicability.SAFE, Applicability.UNSAFE} if settings.unsafe_fixes else {Applicability.SAFE})


class FixedFile(Struct, frozen=True):
    """A file after fixing: the diagnostics that remain, those of them whose fix was refused, and the change. A file
    that could not be written has no change; `problem` says why."""

    remaining: list[Diagnostic]
    refused: Sequence[Diagnostic]
    change: FileChange | None = None
    problem: str | None = None


def fix_file(analysis: Analysis, path: str, resolver: SettingsResolver, writable: Sequence[str] | None) -> FixedFile:
    """Fix one file until nothing changes any more, and write it if it is in one of `writable` (None: the change is
    computed, not written)."""
    document = analysis.files.document(path)
    assert document is not None
    result = fixed_in_memory(analysis, document, resolver)
    if result.text == document.text:
        analysis.diagnostics({path: document})
        return FixedFile(shown(result.remaining, result.refused), result.refused)
    data = document.encode_edits(result.edits)
    problem = _write(path, data, document.raw, writable) if writable is not None else None
    if problem is not None:
        raw = analysis.diagnostics({path: document})
        return FixedFile(final_diagnostics(analysis, (path,), raw, resolver)[path], (), problem=problem)
    raw = analysis.diagnostics({path: decode_document(data, path)})
    remaining = final_diagnostics(analysis, (path,), raw, resolver)[path]
    change = FileChange(path, document.text, result.text, result.fixed)
    return FixedFile(shown(remaining, result.refused), result.refused, change)


def _write(path: str, data: bytes, expected: bytes, named: Sequence[str]) -> str | None:
    """Write a file; what prevents that, if anything does: the other files can still be fixed."""
    from lintpickle.fixes.write import write_atomically

    try:
        write_atomically(path, data, expected=expected, named=named)
    except LintpickleError as error:
        return str(error)
    return None


def shown(remaining: Iterable[Diagnostic], refused: Collection[Diagnostic]) -> list[Diagnostic]:
    """The remaining diagnostics; fixes that were refused are only displayed."""
    places = {(each.span.start, each.code) for each in refused}
    return [with_display_fix(each) if (each.span.start, each.code) in places else each for each in remaining]


def refusal(refused: Collection[Diagnostic], path: str) -> str:
    count = "a fix was" if len(refused) == 1 else f"{len(refused)} fixes were"
    return f"{path}: {count} tried and left out: the file would have other problems instead"


def fix_finding(
    finding: Diagnostic, folder: Path, resolver: SettingsResolver, write: bool
) -> tuple[FileChange | None, tuple[str, ...]]:
    """Fix one finding in the project in a folder, and nothing else. Returns the change (None if there is no fix that
    the settings allow), and remarks. `write` says whether to write it. The fix may not add findings to the file. Raises
    `LintpickleError` if the file cannot be written."""
    path = finding.location.path
    discovered = discover([folder], resolver)
    project = next(each for each in projects(discovered.files, resolver, [folder]) if path in each.reported)
    outside = leaves(path, [str(folder)])
    if outside is not None:
        return None, (f"{os.path.relpath(path, resolver.cwd)}: not fixed, for it is a link to {outside}",)
    with disk.at_most(project.settings.max_file_size):
        analysis = Analysis(project, resolver, fixing=True)
        document = analysis.files.document(path)
        assert document is not None

        def lint(_: str, edits: Sequence[Edit]) -> list[Diagnostic]:
            raw = analysis.diagnostics({path: document.edited(edits)})
            return [each if _is_same(each, finding) else replace(each, fix=None) for each in raw[path]]

        result = fix_text(document.text, lint, allowed_fixes(resolver.for_path(path)))
        if result.text == document.text:
            refused = (refusal(result.refused, os.path.relpath(path, resolver.cwd)),) if result.refused else ()
            return None, refused
        if write:
            from lintpickle.fixes.write import write_atomically

            data = document.encode_edits(result.edits)
            write_atomically(path, data, expected=document.raw, named=[str(folder)])
        return FileChange(path, document.text, result.text, result.fixed), ()


def _is_same(one: Diagnostic, other: Diagnostic) -> bool:
    """Whether two diagnostics are of one rule and have the same edits, wherever they are reported."""
    if one.code != other.code or one.fix is None or other.fix is None:
        return False
    return one.fix.edits == other.fix.edits


def fixed_in_memory(analysis: Analysis, document: Document, resolver: SettingsResolver) -> FixResult:
    """A document of a reported file after fixing, as far as the settings allow. Nothing is written. Afterwards the
    analysis has the last text that was tried in place of the document."""
    path = document.path

    def lint(_: str, edits: Sequence[Edit]) -> list[Diagnostic]:
        raw = analysis.diagnostics({path: document.edited(edits)})
        return final_diagnostics(analysis, (path,), raw, resolver)[path]

    return fix_text(document.text, lint, allowed_fixes(resolver.for_path(path)))
