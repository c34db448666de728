"""The whole way: from a text to what can be said of it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from lintpickle import disk
from lintpickle.catalog import Catalog, load_catalog
from lintpickle.diagnostics import StartMethod
from lintpickle.engine.project import Analysis
from lintpickle.engine.roots import Project, projects
from lintpickle.settings import SettingsResolver
from lintpickle.source.discovery import discover
from lintpickle.tracebacks.candidates import Search, last_attribute
from lintpickle.tracebacks.following import Names, ends_of
from lintpickle.tracebacks.places import Places
from lintpickle.tracebacks.recognition import is_own, normal_path, recognise
from lintpickle.tracebacks.records import (
    Candidate,
    Explanation,
    MatchedFrame,
    Read,
    Recognised,
    TracebackFrame,
)

_START_METHODS = {"popen_spawn": "spawn", "popen_forkserver": "forkserver"}


def explain(text: str, folder: Path, resolver: SettingsResolver) -> Explanation:
    """What can be said of a pasted traceback about the project in a folder. Nothing is run.

    Raises `LintpickleError` for bad settings and for a folder that does not exist.
    """
    catalog = load_catalog(tuple(str(path) for path in resolver.for_folder(folder).catalog))
    known = recognise(text, catalog)
    if known.error is None:
        return Explanation(known)
    explanation = Explanation(known, probe=probe_command(known))
    if not known.error.kind.rules:
        return explanation
    discovered = discover([folder], resolver)
    explanation = replace(explanation, notices=discovered.notices)
    for project in _relevant(projects(discovered.files, resolver, [folder]), known):
        with disk.at_most(project.settings.max_file_size):
            explanation = _merged(explanation, _in_project(project, resolver, known, known.error, catalog))
    return replace(explanation, probe=probe_command(known, explanation.frames, folder))


def _relevant(found: Sequence[Project], known: Read) -> Sequence[Project]:
    """The projects that hold files of the frames; all of them if none does."""
    names = {os.path.basename(normal_path(frame.path)) for raised in known.all for frame in raised.frames if frame.path}
    holding = [each for each in found if any(os.path.basename(path) in names for path in each.reported)]
    return holding or found


def _in_project(
    project: Project,
    resolver: SettingsResolver,
    known: Read,
    error: Recognised,
    catalog: Catalog,
    moving_to: StartMethod | None = None,
) -> Explanation:
    analysis = Analysis(project, resolver, moving_to=moving_to)
    places = Places(project.reported, analysis.environment.site_packages)
    frames = tuple(places.matched(_all_frames(known, error)))
    boundary = _boundary(known, frames)
    linker = analysis.linked()
    names = Names(linker)
    definers = frozenset(each.location.path for each in names.definitions(error))
    search = Search(known, error, frames, boundary, catalog, definers)
    runner = analysis.shown_to_rules(linker, tuple(StartMethod), error.kind.rules)
    candidates = search.rank((told, each.crossing) for each, told in runner.judged(pedantic=True))
    method = _not_forked_by(known)
    if not candidates and moving_to is None and method is not None and analysis.may_pin_fork:
        return _in_project(project, resolver, known, error, catalog, method)
    attribute = last_attribute(search)
    explanation = Explanation(known, frames, boundary, _good_enough(candidates, attribute is not None))
    if attribute is not None and not _is_led_by_notes(explanation.candidates):
        explanation = replace(explanation, named=names.stores(attribute))
    if not explanation.is_found:
        explanation = replace(explanation, named=names.definitions(error))
    if not explanation.is_found and attribute is None:
        explanation = replace(explanation, named=names.keepers(error, catalog))
    if not explanation.is_found and error.kind.here is not None and boundary is not None:
        explanation = replace(explanation, named=places.named(boundary, error.kind.here))
    if not explanation.is_found:
        count, ends = ends_of(linker, known.boundary, boundary, {frame.path for frame in frames})
        explanation = replace(explanation, followed=count, ends=ends)
    defects = linker.defects.found
    return replace(explanation, defects=tuple(each for path in sorted(defects) for each in defects[path]))


def _not_forked_by(known: Read) -> StartMethod | None:
    """The start method that the frames show if it is not fork: what was pickled when a process started was pickled
    whatever the code asks for now. None if they do not show it."""
    paths = [normal_path(frame.path) for raised in known.all for frame in raised.frames]
    for form, name in _START_METHODS.items():
        if any(form in path for path in paths):
            return StartMethod(name)
    is_dumped = any(
        frame.function == "dump" and path.endswith("multiprocessing/reduction.py")
        for frame, path in zip((each for raised in known.all for each in raised.frames), paths, strict=True)
    )
    return StartMethod.SPAWN if is_dumped else None


def _all_frames(known: Read, error: Recognised) -> Sequence[TracebackFrame]:
    """The frames of the error; those of all errors in the text if it stands without any."""
    return error.raised.frames or [frame for raised in known.all for frame in raised.frames]


def _boundary(known: Read, frames: Sequence[MatchedFrame]) -> MatchedFrame | None:
    """Where the frames cross, as close to the library as a file of the project goes."""
    caller, own = known.boundary.caller, known.boundary.own
    wanted = [caller, own] if caller is not None and is_own(caller) else [own, caller]
    return next((each for frame in wanted if frame is not None for each in frames if each.frame == frame), None)


def _good_enough(candidates: tuple[Candidate, ...], has_path: bool) -> tuple[Candidate, ...]:
    """Those that nothing speaks against. If notes tell a path, what crosses by another one is none."""
    good = tuple(each for each in candidates if each.score >= 0)
    return good if good or has_path else candidates


def _is_led_by_notes(candidates: Sequence[Candidate]) -> bool:
    return any("notes" in reason and "another" not in reason for each in candidates[:1] for reason in each.reasons)


def _merged(first: Explanation, second: Explanation) -> Explanation:
    """What two projects in one folder give."""
    candidates = sorted((*first.candidates, *second.candidates), key=lambda each: -each.score)
    return replace(
        first,
        frames=(*first.frames, *second.frames),
        boundary=first.boundary or second.boundary,
        candidates=tuple(candidates),
        named=(*first.named, *second.named),
        ends=(*first.ends, *second.ends),
        followed=first.followed + second.followed,
        defects=(*first.defects, *second.defects),
    )


def probe_command(known: Read, frames: Sequence[MatchedFrame] = (), folder: Path | None = None) -> str:
    """The command that asks the running program which attribute it is, as far as the frames tell how it was started."""
    shown = [frame for raised in known.all for frame in raised.frames]
    if known.error is not None and known.error.raised.frames:
        shown = list(known.error.raised.frames)
    method = next((name for form, name in _START_METHODS.items() if any(form in frame.path for frame in shown)), None)
    start = f"--start-method {method} " if method is not None else ""
    script = next((frame for frame in shown if frame.path and is_own(frame)), None)
    path = _path_here(script, frames, folder) if script is not None else ""
    name = os.path.basename(path)
    if name.startswith("test_") or name.endswith("_test.py") or any(map(_is_of_pytest, shown)):
        return f"lintpickle probe {start}-- pytest {shlex.quote(path)}".rstrip()
    if script is None:
        return f"lintpickle probe {start}SCRIPT.py ARGS…"
    if any(frame.function == "_run_module_as_main" for frame in shown):
        module = path.removesuffix(".py").removesuffix("/__main__").replace(os.sep, ".")
        return f"lintpickle probe {start}-m {shlex.quote(module)} ARGS…"
    return f"lintpickle probe {start}{shlex.quote(path)} ARGS…"


def _path_here(frame: TracebackFrame, frames: Sequence[MatchedFrame], folder: Path | None) -> str:
    """The path of a frame's file from the folder; its name if it is not here."""
    found = next((each.path for each in frames if each.frame == frame), None)
    if found is not None and folder is not None:
        return os.path.relpath(found, folder)
    return os.path.basename(normal_path(frame.path))


def _is_of_pytest(frame: TracebackFrame) -> bool:
    return "/_pytest/" in normal_path(frame.path)
