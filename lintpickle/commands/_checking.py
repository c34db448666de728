"""What `lintpickle check` does: settle the settings, lint, report, and choose the exit code."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct
from msgspec.structs import replace

from lintpickle import __version__, disk
from lintpickle.cache.answers import store_of
from lintpickle.cache.store import CacheStore
from lintpickle.commands._output import ProgressBar, remark, write_report
from lintpickle.defects import reports
from lintpickle.diagnostics import Outcome
from lintpickle.escaping import steady
from lintpickle.imports.folders import is_installed
from lintpickle.limits import counts
from lintpickle.profiling import Part, profiled, reached, running
from lintpickle.report import ReportContext, get_format, render
from lintpickle.report.cuts import cut_remarks
from lintpickle.report.diff import unified_diff
from lintpickle.report.summary import fixed_summary, plural, statistics, statistics_json
from lintpickle.rulebook.summaries import rule_infos
from lintpickle.settings import Settings, SettingsResolver, options
from lintpickle.source.discovery import discover, leads_outside, sort_out
from lintpickle.source.document import Document, UnreadableSource, read_document
from lintpickle.terminal import wants_color

if TYPE_CHECKING:
    from lintpickle.api import FixMode

STDIN = "-"


class Request(Struct, frozen=True):
    """What the user asked for. `stdin_path` is None unless standard input is to be read."""

    paths: tuple[str, ...]
    resolver: SettingsResolver
    stdin_path: str | None
    fix: bool
    diff: bool
    fix_only: bool
    show_fixes: bool
    statistics: bool
    show_files: bool
    show_settings: bool
    output_file: Path | None
    quiet: bool
    verbose: bool
    profile: bool
    color: str
    exit_zero: bool
    exit_non_zero_on_fix: bool
    add_ignore: str | None
    baseline: Path | None
    write_baseline: Path | None
    watch: bool
    jobs: int | None
    no_cache: bool
    cache_dir: str | None

    @classmethod
    def of(cls, paths: tuple[str, ...], given: Mapping[str, Any]) -> Request:
        """The request of a command line. Raises `LintpickleError` for bad settings."""
        names = {option.attribute for option in options()}
        overrides = {key: value for key, value in given.items() if key in names and value is not None}
        resolver = SettingsResolver(overrides=overrides, config=given["config"], isolated=given["isolated"])
        from_stdin = paths == (STDIN,) or (not paths and given["stdin_filename"])
        stdin_path = os.path.abspath(resolver.cwd / (given["stdin_filename"] or STDIN))
        return cls(
            paths=paths or (".",),
            resolver=resolver,
            stdin_path=stdin_path if from_stdin else None,
            **{name: given[name] for name in cls.__struct_fields__ if name in given},
        )

    @property
    def store(self) -> CacheStore | None:
        """The cache of the run; None if there is none."""
        return store_of(self.cache_dir, self.no_cache, os.environ, self.paths)

    @property
    def only_reports(self) -> bool:
        """Whether the run does nothing but write to the standard streams what depends on files alone."""
        writes = self.fix or self.fix_only or self.add_ignore is not None
        writes = writes or self.output_file is not None or self.write_baseline is not None
        return not (writes or self.watch or self.verbose or self.profile or self.stdin_path is not None)

    @property
    def fix_mode(self) -> FixMode:
        from lintpickle.api import FixMode

        if self.diff:
            return FixMode.DIFF
        return FixMode.WRITE if self.fix or self.fix_only else FixMode.NONE


def refuse_contradictions(request: Request) -> None:
    """Raises `UsageError` for options of which only one can be followed."""
    fixing = {"--fix": request.fix, "--fix-only": request.fix_only, "--diff": request.diff}
    adopting = {
        "--add-ignore": request.add_ignore is not None,
        "--write-baseline": request.write_baseline is not None,
    }
    watching = {"--watch": request.watch}
    piped = {"standard input (-)": request.stdin_path is not None}
    known = {"--baseline": request.baseline is not None}
    shown = {"--diff": request.diff}
    for group, others in (
        (adopting, {**fixing, **watching, **piped}),
        (watching, {**fixing, **piped, "--output-file": request.output_file is not None, "--profile": request.profile}),
        (known, {**adopting, **shown}),
        ({"--add-ignore": adopting["--add-ignore"]}, {"--write-baseline": adopting["--write-baseline"]}),
    ):
        for one in (name for name, given in group.items() if given):
            for other in (name for name, given in others.items() if given):
                raise click.UsageError(f"{one} and {other} exclude each other")


def run(request: Request) -> int:
    """Do what was asked. Returns the exit code. Raises `LintpickleError` for bad input."""
    if request.profile:
        from lintpickle.commands._profile_text import profile_text

        with profiled() as stopwatch:
            code = run(replace(request, profile=False))
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
    """Check the paths that are there, or list their files; the others are told at the end, and make it an error."""
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

        add_ignores(request, outcome, request.add_ignore)
        outcome = _lint(request)
    _remarks(request, outcome, time.monotonic() - started)
    reached(counts(outcome.cuts))
    if request.write_baseline is not None:
        from lintpickle.commands._adopting import write_baseline

        write_baseline(request, outcome, request.write_baseline)
        tell_defects(request, outcome)
        return 2 if outcome.defects else 0
    outcome = new_findings(request, outcome, source=read_source)
    with running(Part.REPORT):
        report(request, outcome, source=read_source)
    tell_defects(request, outcome)
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
            store=request.store,
            jobs=request.jobs,
        )
    finally:
        if progress is not None:
            progress.close()


def new_findings(request: Request, outcome: Outcome, *, source: Callable[[str], Document | None]) -> Outcome:
    """The outcome without what the baseline knows, if the request names one. Raises `LintpickleError`."""
    if request.baseline is None:
        return outcome
    from lintpickle.commands._adopting import against_baseline

    return against_baseline(request, outcome, request.baseline, source)


def read_source(path: str) -> Document | None:
    """The document of a file; None if it cannot be read, or if a link in a tree leads out of there to it: what lies on
    the way of a value is followed through such links, and not shown. Installers link from environments."""
    folder = os.path.dirname(path)
    if not is_installed(path) and leads_outside(path, folder) is not None:
        return None
    try:
        return read_document(path)
    except UnreadableSource:
        return None


def report(
    request: Request,
    outcome: Outcome,
    *,
    source: Callable[[str], Document | None],
    to_stderr: bool = False,
) -> None:
    """Write what came out, as the request wants it. `to_stderr` keeps standard output free."""
    settings = request.resolver.for_run()
    output_format = get_format(_format_name(request, settings))
    stream = sys.stderr if to_stderr else sys.stdout
    to_file = request.output_file is not None
    human = output_format.human
    project_dir = os.environ.get("CI_PROJECT_DIR")
    color = human and (request.color == "always" if to_file else wants_color(request.color, stream, os.environ))
    context = ReportContext(
        cwd=request.resolver.cwd,
        source=source,
        rules=rule_infos,
        project_dir=Path(project_dir) if project_dir else None,
        color=color,
        links=color and stream.isatty() and not to_file,
        show_fixes=request.show_fixes,
        unsafe_fixes=settings.unsafe_fixes,
        quiet=request.quiet,
    )
    if request.diff:
        color = request.color == "always" if to_file else wants_color(request.color, stream, os.environ)
        text = unified_diff(outcome.changes, replace(context, color=color))
        write_report(text, request.output_file, human=False, stream=stream, color=color)
        if not request.quiet:
            click.echo(_would_fix(outcome), err=True)
        return
    if request.fix_only:
        text = fixed_summary(outcome, context)
        human = True
    elif request.statistics and not human and output_format.name != "json":
        raise click.UsageError(f"--statistics knows no output format {output_format.name}; use full or json")
    elif request.statistics:
        text = statistics(outcome, context) if human else statistics_json(outcome, context)
    else:
        text = render(output_format.name, outcome, context)
    write_report(text, request.output_file, human=human, stream=stream, color=color, commands=not human)


def _format_name(request: Request, settings: Settings) -> str:
    """The output format; --quiet takes one line for each finding, unless a format or fixes are asked for."""
    chosen = "output_format" in settings.origins or request.show_fixes
    return "concise" if request.quiet and not chosen else settings.output_format


def exit_code(request: Request, outcome: Outcome) -> int:
    """0, 1 if there are findings, 2 if lintpickle itself failed somewhere: nobody is to take that for a pass."""
    if outcome.defects:
        return 2
    fixed = any(change.fixed for change in outcome.changes)
    if request.exit_zero:
        return 0
    if request.diff:
        return int(bool(outcome.changes))
    if request.exit_non_zero_on_fix and fixed:
        return 1
    return int(bool(outcome.diagnostics) and not request.fix_only)


def _would_fix(outcome: Outcome) -> str:
    fixed = sum(len(change.fixed) for change in outcome.changes)
    if not outcome.changes:
        return "There is nothing to fix."
    return f"Would fix {plural(fixed, 'problem')} in {plural(len(outcome.changes), 'file')}."


def tell_defects(request: Request, outcome: Outcome) -> None:
    """Say where lintpickle itself failed."""
    for text in reports(outcome.defects, str(request.resolver.cwd)):
        remark(text, label="error", color=request.color)


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


def tell_lost(request: Request, outcome: Outcome) -> None:
    """Say what was not looked at: files that cannot be read, and what lies behind limits."""
    for each in outcome.unread:
        place = f"{os.path.relpath(each.location.path, request.resolver.cwd)}:{each.location.start.row}"
        remark(f"{place}: {each.message}", color=request.color)
    for text in cut_remarks(outcome.cuts, str(request.resolver.cwd)):
        remark(text, color=request.color)


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
