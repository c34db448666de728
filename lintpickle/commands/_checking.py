"""What `lintpickle check` does: settle the settings, lint, report, and choose the exit code."""

from __future__ import annotations

import gc
import os
import sys
import time

import click
from msgspec.structs import replace

from lintpickle import __version__, disk
from lintpickle.commands._answer import ends_with_summary, exit_code, new_findings, report, tell_failures, tell_lost
from lintpickle.commands._output import ProgressBar, remark, write_report
from lintpickle.commands._request import Request, read_source
from lintpickle.diagnostics import Outcome
from lintpickle.escaping import steady
from lintpickle.limits import counts
from lintpickle.profiling import Part, profiled, reached, running
from lintpickle.report.summary import plural
from lintpickle.source.discovery import discover, sort_out


def check_files(request: Request) -> int:
    """Do what was asked. Returns the exit code. Raises `LintpickleError` for bad input."""
    if request.profile:
        from lintpickle.commands._profile_text import profile_text

        with profiled() as stopwatch:
            code = check_files(replace(request, profile=False))
        click.echo(steady(profile_text(stopwatch, request.resolver.cwd)), err=True, nl=False)
        return code
    if request.show_settings:
        return _show_settings(request)
    if request.stdin_path is not None:
        from lintpickle.commands._stdin import check_stdin

        return check_stdin(request, request.stdin_path)
    if request.watch:
        from lintpickle.commands._watching import watch

        gc.enable()
        return watch(request)
    return _run_on_paths(request)


def _run_on_paths(request: Request) -> int:
    """Check the paths that are there, or list their files; missing paths are reported at the end, as an error."""
    named = sort_out(request.paths)
    request = replace(request, paths=named.usable)
    code = 0
    if request.paths and request.show_files:
        code = _show_files(request)
    elif request.paths:
        with disk.at_most(request.resolver.for_run().max_file_size):
            code = _check(request)
    if not named.problems:
        return code
    for problem in named.problems:
        remark(problem, label="error", color=request.color)
    disk.momentary("a path that was named cannot be checked")
    return 2


def _check(request: Request) -> int:
    started = time.monotonic()
    outcome = _lint(request)
    if request.add_ignore is not None:
        from lintpickle.commands._adopting import add_ignores

        unwritten = add_ignores(request, outcome, request.add_ignore)
        outcome = replace(_lint(request), unwritten=unwritten)
    _remarks(request, outcome, time.monotonic() - started)
    reached(counts(outcome.cuts))
    if request.write_baseline is not None:
        from lintpickle.commands._adopting import write_baseline

        write_baseline(request, outcome, request.write_baseline)
        tell_failures(request, outcome)
        return 2 if outcome.defects or outcome.unwritten else 0
    outcome = new_findings(request, outcome, source=read_source)
    with running(Part.REPORT):
        report(request, outcome, source=read_source)
    tell_failures(request, outcome)
    return exit_code(request, outcome)


def _lint(request: Request) -> Outcome:
    with running(Part.LOAD):
        from lintpickle.api import lint_paths

    terminal = sys.__stderr__ or sys.stderr  # what is kept of a run has no progress bar in it
    progress = ProgressBar(terminal) if sys.stderr.isatty() and not request.quiet else None
    try:
        return lint_paths(
            request.paths,
            resolver=request.resolver,
            fix=request.fix_mode,
            progress=progress,
            checking=progress.checking if progress is not None else None,
            stage=progress.stage if progress is not None else None,
            store=request.store,
            jobs=request.jobs,
            counts_pinned=ends_with_summary(request),
        )
    finally:
        if progress is not None:
            progress.close()


def _remarks(request: Request, outcome: Outcome, seconds: float) -> None:
    if request.quiet:
        return
    for notice in outcome.notices:
        remark(notice, color=request.color)
    if not outcome.files and not outcome.diagnostics:
        remark("no Python files were found under the given paths", label="warning", color=request.color)
    if request.verbose:
        tell_lost(request, outcome)
        source = request.resolver.for_run().source or "defaults"
        remark(f"lintpickle {__version__}, settings: {source}", color=request.color)
        remark(f"cache: {_cache_remark(request)}", color=request.color)
        remark(f"checked {plural(outcome.files, 'file')} in {seconds:.2f} s", color=request.color)


def _cache_remark(request: Request) -> str:
    store = request.store
    if store is None:
        return "not used"
    if store.prepare() and store.is_usable():
        return store.folder
    return f"not used: {store.problem() or f'{store.folder} cannot be made'}"


def _show_files(request: Request) -> int:
    found = discover(request.paths, request.resolver)
    if not request.quiet:
        for notice in found.notices:
            remark(notice, color=request.color)
    text = "".join(f"{path}\n" for path in found.files)
    write_report(text, request.output_file, human=True)
    return 0


def _show_settings(request: Request) -> int:
    from lintpickle.settings.show import settings_toml

    path = request.stdin_path or os.path.abspath(request.resolver.cwd / request.paths[0])
    resolver = request.resolver
    settings = resolver.for_folder(path) if disk.is_folder(path) else resolver.for_path(path)
    text = f"# Settings for {path}\n{settings_toml(settings)}"
    write_report(text, request.output_file, human=True)
    return 0
