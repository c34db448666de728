"""What every face calls: lint files on disk, or a text."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum
from pathlib import Path

from msgspec.structs import replace

from lintpickle import disk
from lintpickle.cache.store import CacheStore
from lintpickle.diagnostics import Applicability, Defect, Diagnostic, FileChange, Outcome, PlaceKind, StartMethod
from lintpickle.engine.fences import fenced
from lintpickle.engine.project import Analysis
from lintpickle.engine.roots import Project, project_root, projects
from lintpickle.fixes.fixpoint import FixResult, fix_text
from lintpickle.limits import Cut, merged
from lintpickle.profiling import Part, running
from lintpickle.selection import RuleSelection
from lintpickle.settings import Settings, SettingsResolver
from lintpickle.source.discovery import discover
from lintpickle.source.document import Document, decode_document, document_from_text
from lintpickle.suppressions.applying import PlacesLeft, without_suppressed
from lintpickle.tree import leaves

__all__ = ["FixMode", "final_diagnostics", "fix_finding", "fixed_in_memory", "lint_paths", "lint_source"]

Progress = Callable[[int, int], None]


class FixMode(Enum):
    """What to do with fixes: nothing, write them to the files, or only say what would be written."""

    NONE = "none"
    WRITE = "write"
    DIFF = "diff"


def lint_paths(
    paths: Sequence[str],
    *,
    resolver: SettingsResolver,
    fix: FixMode = FixMode.NONE,
    progress: Progress | None = None,
    store: CacheStore | None = None,
    jobs: int | None = 1,
    moving_to: StartMethod | None = None,
) -> Outcome:
    """Lint files and folders. What is read of them is kept in `store`, and taken from there the next time. Up to `jobs`
    processes judge them (None: as many as pay). With `moving_to`, they are judged as if nothing pinned fork, under that
    start method.

    Raises `LintpickleError` for bad settings and for paths that do not exist; broken files become diagnostics.
    """
    with running(Part.DISCOVER):
        discovered = discover(paths, resolver)
    diagnostics: list[Diagnostic] = []
    changes: list[FileChange] = []
    defects: list[Defect] = []
    held_back = 0
    cuts: list[Cut] = []
    unread: list[Diagnostic] = []
    notices = list(discovered.notices)
    named = [resolver.cwd / path for path in paths]
    writable = [os.path.abspath(path) for path in named]
    for project in projects(discovered.files, resolver, named):
        with (
            fenced(store, discovered.files) as crashing,
            disk.remembered() as evidence,
            disk.at_most(project.settings.max_file_size),
        ):
            analysis = Analysis(
                project,
                resolver,
                store=store,
                jobs=jobs,
                fixing=fix is not FixMode.NONE,
                moving_to=moving_to,
                fenced=crashing,
            )
            raw = analysis.diagnostics(progress=progress)
            defects.extend(analysis.defects)
            if fix is FixMode.WRITE:
                from lintpickle.fixes.write import remove_litter

                remove_litter({os.path.dirname(path) for path in project.reported})
            found = final_diagnostics(analysis, project.reported, raw, resolver)
            for path in project.reported:
                kept = found[path]
                fixable = fix is not FixMode.NONE and any(diagnostic.fix for diagnostic in kept)
                outside = leaves(path, writable) if fixable else None
                if outside is not None:
                    notices.append(f"{os.path.relpath(path, resolver.cwd)}: not fixed, for it is a link to {outside}")
                    kept = [_with_display_fix(diagnostic) for diagnostic in kept]
                elif fixable:
                    with running(Part.FIX, path):
                        writing = writable if fix is FixMode.WRITE else None
                        kept, change, refused = _fix_file(analysis, path, resolver, writing)
                    if change is not None:
                        changes.append(change)
                    if refused:
                        notices.append(_refusal(refused, os.path.relpath(path, resolver.cwd)))
                diagnostics.extend(kept)
            defects.extend(analysis.defects)
            if analysis.is_momentary:
                disk.momentary("something failed or was given up")
            held_back += analysis.held_back
            cuts.extend(analysis.cuts)
            unread.extend(analysis.unread)
            with running(Part.KEEP):
                analysis.keep(evidence)
        disk.also(evidence)
        if analysis.environment.prefix is None:
            notices.append(
                f"no Python environment was found for {project.root}: installed packages are not followed "
                "(name one with --python)"
            )
    outcome = _outcome(diagnostics, changes, notices, len(discovered.files), defects)
    return replace(outcome, held_back=held_back, cuts=merged(cuts), unread=tuple(unread))


def lint_source(text: str, path: str, *, resolver: SettingsResolver, fix: FixMode = FixMode.NONE) -> Outcome:
    """Lint a text as if it were the file `path` (which need not exist). Nothing is written; with a fix mode, the
    change holds the fixed text."""
    absolute = str(resolver.cwd / path)
    root = project_root(Path(absolute), resolver)
    project = Project(root, resolver.for_folder(root), (absolute,))
    on_disk = None if disk.exists(absolute) else (absolute,)
    with disk.at_most(project.settings.max_file_size):
        analysis = Analysis(project, resolver, on_disk)
        return _lint_source(text, absolute, analysis, resolver, fix)


def _lint_source(text: str, absolute: str, analysis: Analysis, resolver: SettingsResolver, fix: FixMode) -> Outcome:
    def lint(source: str) -> list[Diagnostic]:
        document = document_from_text(source, absolute)
        raw = analysis.diagnostics({absolute: document})
        return final_diagnostics(analysis, (absolute,), raw, resolver)[absolute]

    if fix is FixMode.NONE:
        outcome = _outcome(lint(text), [], [], 1, analysis.defects)
        return replace(outcome, held_back=analysis.held_back, cuts=analysis.cuts, unread=analysis.unread)
    result = fix_text(text, lint, _allowed(resolver.for_path(absolute)))
    changes = [FileChange(absolute, text, result.text, result.fixed)] if result.text != text else []
    notices = [_refusal(result.refused, os.path.relpath(absolute, resolver.cwd))] if result.refused else []
    return _outcome(_shown(result.remaining, result.refused), changes, notices, 1, analysis.defects)


def final_diagnostics(
    analysis: Analysis,
    paths: Iterable[str],
    found: Mapping[str, Sequence[Diagnostic]],
    resolver: SettingsResolver,
) -> dict[str, list[Diagnostic]]:
    """Diagnostics by path after suppressions; fixes that the settings do not allow for a rule become display."""
    final: dict[str, list[Diagnostic]] = {}
    places = PlacesLeft(lambda path: analysis.document(path) if analysis.may_suppress(path) else None, analysis.selects)
    for path in paths:
        kept = list(found[path])
        document = analysis.document(path) if kept or analysis.may_suppress(path) else None
        if document is not None:
            settings = resolver.for_path(path)
            selection = analysis.selection(settings)
            with running(Part.SUPPRESS, path):
                kept = without_suppressed(document, kept, selection, settings.pedantic, analysis.places_in(path))
                left = (places.of(diagnostic) if diagnostic.related else diagnostic for diagnostic in kept)
                kept = [_fixable(diagnostic, selection) for diagnostic in left if diagnostic is not None]
        kind = analysis.kind_of_place(path) if kept else PlaceKind.LIBRARY
        if kind is not PlaceKind.LIBRARY:
            kept = [replace(diagnostic, where=kind) for diagnostic in kept]
        final[path] = kept
    return final


def _fixable(diagnostic: Diagnostic, selection: RuleSelection) -> Diagnostic:
    return diagnostic if diagnostic.code in selection.fixable else _with_display_fix(diagnostic)


def _with_display_fix(diagnostic: Diagnostic) -> Diagnostic:
    if diagnostic.fix is None:
        return diagnostic
    return replace(diagnostic, fix=replace(diagnostic.fix, applicability=Applicability.DISPLAY))


def _allowed(settings: Settings) -> frozenset[Applicability]:
    return frozenset({Applicability.SAFE, Applicability.UNSAFE} if settings.unsafe_fixes else {Applicability.SAFE})


def _fix_file(
    analysis: Analysis, path: str, resolver: SettingsResolver, writable: Sequence[str] | None
) -> tuple[list[Diagnostic], FileChange | None, Sequence[Diagnostic]]:
    """Fix one file to a fixpoint and write it, if it lies in something `writable` (None: only the change is asked for).
    Gives what remains, what changed, and what remains because its fix was refused."""
    document = analysis.document(path)
    assert document is not None
    result = fixed_in_memory(analysis, document, resolver)
    if result.text == document.text:
        analysis.diagnostics({path: document})
        return _shown(result.remaining, result.refused), None, result.refused
    data = document.encode_edits(result.edits)
    raw = analysis.diagnostics({path: decode_document(data, path)})
    remaining = final_diagnostics(analysis, (path,), raw, resolver)[path]
    if writable is not None:
        from lintpickle.fixes.write import write_atomically

        write_atomically(path, data, expected=document.raw, named=writable)
    change = FileChange(path, document.text, result.text, result.fixed)
    return _shown(remaining, result.refused), change, result.refused


def _shown(remaining: Iterable[Diagnostic], refused: Collection[Diagnostic]) -> list[Diagnostic]:
    """What remains; fixes that were refused become display."""
    places = {(each.span.start, each.code) for each in refused}
    return [_with_display_fix(each) if (each.span.start, each.code) in places else each for each in remaining]


def _refusal(refused: Collection[Diagnostic], path: str) -> str:
    count = "a fix was" if len(refused) == 1 else f"{len(refused)} fixes were"
    return f"{path}: {count} tried and left out: the file would have other problems instead"


def fix_finding(
    finding: Diagnostic, folder: Path, resolver: SettingsResolver, mode: FixMode
) -> tuple[FileChange | None, tuple[str, ...]]:
    """Fix one finding in the project in a folder, and nothing else. Gives the change (None if there is no fix that the
    settings allow), and remarks. Other findings of the file may not get more by it.

    Raises `LintpickleError` if the file cannot be written.
    """
    path = finding.location.path
    discovered = discover([folder], resolver)
    project = next(each for each in projects(discovered.files, resolver, [folder]) if path in each.reported)
    outside = leaves(path, [str(folder)])
    if outside is not None:
        return None, (f"{os.path.relpath(path, resolver.cwd)}: not fixed, for it is a link to {outside}",)
    with disk.at_most(project.settings.max_file_size):
        analysis = Analysis(project, resolver, fixing=True)
        document = analysis.document(path)
        assert document is not None

        def lint(source: str) -> list[Diagnostic]:
            raw = analysis.diagnostics({path: _with_text(document, source)})
            return [each if _is_same(each, finding) else replace(each, fix=None) for each in raw[path]]

        result = fix_text(document.text, lint, _allowed(resolver.for_path(path)))
        if result.text == document.text:
            refused = (_refusal(result.refused, os.path.relpath(path, resolver.cwd)),) if result.refused else ()
            return None, refused
        if mode is FixMode.WRITE:
            from lintpickle.fixes.write import write_atomically

            data = document.encode_edits(result.edits)
            write_atomically(path, data, expected=document.raw, named=[str(folder)])
        return FileChange(path, document.text, result.text, result.fixed), ()


def _is_same(one: Diagnostic, other: Diagnostic) -> bool:
    """Whether two diagnostics are of one rule and have the same edits, wherever they are told."""
    if one.code != other.code or one.fix is None or other.fix is None:
        return False
    return one.fix.edits == other.fix.edits


def fixed_in_memory(analysis: Analysis, document: Document, resolver: SettingsResolver) -> FixResult:
    """What fixing makes of a document of a reported file, as far as the settings allow. Nothing is written; the
    analysis is left with the text that was tried last in place of the document."""
    path = document.path

    def lint(source: str) -> list[Diagnostic]:
        overlay = _with_text(document, source)
        return final_diagnostics(analysis, (path,), analysis.diagnostics({path: overlay}), resolver)[path]

    return fix_text(document.text, lint, _allowed(resolver.for_path(path)))


def _with_text(document: Document, text: str) -> Document:
    """The document with another text, what a fix would make of it; cells of a notebook run into one another, for
    where they end now is not known before the edits are written."""
    if text == document.text:
        return document
    if document.cells is not None:
        return document.run_together(text)
    return document_from_text(text, document.path)


def _outcome(
    diagnostics: Iterable[Diagnostic],
    changes: Sequence[FileChange],
    notices: Sequence[str],
    files: int,
    defects: Iterable[Defect],
) -> Outcome:
    ordered = sorted(diagnostics, key=lambda d: (d.location.path, d.location.cell or 0, d.location.start, d.code))
    return Outcome(
        tuple(ordered),
        tuple(sorted(changes, key=lambda c: c.path)),
        tuple(notices),
        files,
        tuple(dict.fromkeys(defects)),
    )
