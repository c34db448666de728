"""What every front end calls: lint files on disk, or a text.

`__all__` is also the interface for programs of other people, which `docs/api.md` describes.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from pathlib import Path

from msgspec.structs import replace

from lintpickle import disk
from lintpickle.cache.store import CacheStore
from lintpickle.diagnostics import (
    Applicability,
    Confidence,
    Defect,
    Diagnostic,
    Edit,
    FileChange,
    Fix,
    LintpickleError,
    Location,
    Outcome,
    Position,
    Severity,
    Span,
    StartMethod,
    Step,
)
from lintpickle.engine.fences import fenced
from lintpickle.engine.final import final_diagnostics, with_display_fix
from lintpickle.engine.fixing import allowed_fixes, fix_file, refusal, shown
from lintpickle.engine.project import Analysis
from lintpickle.engine.roots import Project, project_root, projects
from lintpickle.fixes.fixpoint import fix_text
from lintpickle.limits import Cut, merged
from lintpickle.profiling import Part, running
from lintpickle.program.stages import Stage
from lintpickle.settings import SettingsResolver
from lintpickle.source.discovery import discover
from lintpickle.source.document import document_from_text
from lintpickle.tree import leaves

__all__ = [
    "Applicability",
    "Confidence",
    "Diagnostic",
    "Edit",
    "FileChange",
    "Fix",
    "FixMode",
    "LintpickleError",
    "Location",
    "Outcome",
    "Position",
    "SettingsResolver",
    "Severity",
    "Span",
    "StartMethod",
    "Step",
    "lint_paths",
    "lint_source",
]

Progress = Callable[[int, int], None]
_MUCH = 200_000
"""How many objects are worth a search for those that nobody needs."""


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
    checking: Progress | None = None,
    stage: Stage | None = None,
    counts_pinned: bool = True,
) -> Outcome:
    """Lint files and folders. `progress` receives how many files have been read, and how many there are; `checking`
    how many have been judged, as far as that is known before all are, and `stage`, if one process judges them, what it
    does, how much of that is done, and how much there is. What is read is cached in `store`. Up to `jobs`
    processes judge the files (None: chosen by the size of the project). With `moving_to`, they are judged under that
    start method, as if nothing pinned fork. Without `counts_pinned`, what fork hides is not counted: a program that
    asks for it is judged twice for that. Raises `LintpickleError` for bad settings and for paths that do not exist;
    broken files become diagnostics."""
    with running(Part.DISCOVER):
        discovered = discover(paths, resolver)
    diagnostics: list[Diagnostic] = []
    changes: list[FileChange] = []
    defects: list[Defect] = []
    held_back = pinned = 0
    cuts: list[Cut] = []
    suggests_library = False
    unread: list[Diagnostic] = []
    notices = list(discovered.notices)
    unwritten: list[str] = []
    named = [resolver.cwd / path for path in paths]
    writable = [os.path.abspath(path) for path in named]
    for project in projects(discovered.files, resolver, named):
        _let_go()
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
            raw = analysis.diagnostics(progress=progress, checking=checking, stage=stage)
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
                    kept = [with_display_fix(diagnostic) for diagnostic in kept]
                elif fixable:
                    with running(Part.FIX, path):
                        writing = writable if fix is FixMode.WRITE else None
                        fixed = fix_file(analysis, path, resolver, writing)
                    kept = fixed.remaining
                    if fixed.change is not None:
                        changes.append(fixed.change)
                    if fixed.problem is not None:
                        unwritten.append(fixed.problem)
                    if fixed.refused:
                        notices.append(refusal(fixed.refused, os.path.relpath(path, resolver.cwd)))
                diagnostics.extend(kept)
            defects.extend(analysis.defects)
            if counts_pinned and moving_to is None and fix is FixMode.NONE and analysis.pins_fork:
                _let_go()
                unpinned = Analysis(
                    project,
                    resolver,
                    store=store,
                    jobs=jobs,
                    moving_to=StartMethod.FORKSERVER,
                    fenced=crashing,
                    read_by=analysis,
                )
                pinned += _more(unpinned, found, resolver)
                unpinned.keep(evidence)
                del unpinned
            if analysis.is_momentary:
                disk.momentary("something failed or was given up")
            held_back += analysis.held_back
            cuts.extend(analysis.cuts)
            suggests_library = suggests_library or analysis.suggests_library
            unread.extend(analysis.unread)
            with running(Part.KEEP):
                analysis.keep(evidence)
        disk.also(evidence)
        if analysis.environment.prefix is None:
            notices.append(
                f"no Python environment was found for {project.root}: installed packages are not followed "
                "(name one with --python)"
            )
        del analysis
    outcome = _outcome(diagnostics, changes, notices, len(discovered.files), defects)
    return replace(
        outcome,
        held_back=held_back,
        cuts=merged(cuts),
        unread=tuple(unread),
        suggests_library=suggests_library,
        pinned=pinned,
        unwritten=tuple(unwritten),
    )


def _let_go() -> None:
    """Let go of what an analysis that has ended leaves, before the next one begins: commands do without the garbage
    collector, and the parts of an analysis know each other."""
    if gc.get_count()[0] > _MUCH:
        gc.collect()


def _more(analysis: Analysis, known: Mapping[str, Sequence[Diagnostic]], resolver: SettingsResolver) -> int:
    """How many findings an analysis of the same files has that are not known."""
    found = final_diagnostics(analysis, known, analysis.diagnostics(), resolver)
    told = {(path, each.code, each.span) for path, diagnostics in known.items() for each in diagnostics}
    return sum((path, each.code, each.span) not in told for path, diagnostics in found.items() for each in diagnostics)


def lint_source(text: str, path: str, *, resolver: SettingsResolver, fix: FixMode = FixMode.NONE) -> Outcome:
    """Lint a text as if it were the file `path` (which need not exist). Nothing is written; with a fix mode, the
    change holds the fixed text."""
    absolute = os.path.abspath(resolver.cwd / path)
    root = project_root(Path(absolute), resolver)
    project = Project(root, resolver.for_folder(root), (absolute,))
    on_disk = None if disk.exists(absolute) else (absolute,)
    with disk.at_most(project.settings.max_file_size):
        analysis = Analysis(project, resolver, on_disk)
        return _lint_source(text, absolute, analysis, resolver, fix)


def _lint_source(text: str, absolute: str, analysis: Analysis, resolver: SettingsResolver, fix: FixMode) -> Outcome:
    def lint(source: str, _: Sequence[Edit] = ()) -> list[Diagnostic]:
        document = document_from_text(source, absolute)
        raw = analysis.diagnostics({absolute: document})
        return final_diagnostics(analysis, (absolute,), raw, resolver)[absolute]

    if fix is FixMode.NONE:
        outcome = _outcome(lint(text), [], [], 1, analysis.defects)
        return replace(outcome, held_back=analysis.held_back, cuts=analysis.cuts, unread=analysis.unread)
    result = fix_text(text, lint, allowed_fixes(resolver.for_path(absolute)))
    changes = [FileChange(absolute, text, result.text, result.fixed)] if result.text != text else []
    notices = [refusal(result.refused, os.path.relpath(absolute, resolver.cwd))] if result.refused else []
    return _outcome(shown(result.remaining, result.refused), changes, notices, 1, analysis.defects)


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
