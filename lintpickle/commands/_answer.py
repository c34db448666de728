"""What `lintpickle check` answers: what it reports, what failed, and the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import click
from msgspec.structs import replace

from lintpickle.commands._output import remark, write_report
from lintpickle.commands._request import Request
from lintpickle.defects import reports
from lintpickle.diagnostics import Outcome
from lintpickle.report import ReportContext, get_format, render
from lintpickle.report.cuts import cut_remarks
from lintpickle.report.diff import unified_diff
from lintpickle.report.summary import fixed_summary, plural, statistics, statistics_json
from lintpickle.rulebook.summaries import rule_infos
from lintpickle.settings import Settings
from lintpickle.source.document import Document
from lintpickle.terminal import wants_color


def new_findings(request: Request, outcome: Outcome, *, source: Callable[[str], Document | None]) -> Outcome:
    """The outcome without what the baseline knows, if the request names one. Raises `LintpickleError`."""
    if request.baseline is None:
        return outcome
    from lintpickle.commands._adopting import against_baseline

    return against_baseline(request, outcome, request.baseline, source)


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


def ends_with_summary(request: Request) -> bool:
    """Whether what `report` writes ends with a summary, which says what is not shown, too: for people, who did not ask
    for less. Raises `LintpickleError` for an unknown format."""
    is_reported = not request.quiet and request.write_baseline is None
    return is_reported and get_format(_format_name(request, request.resolver.for_run())).human


def _format_name(request: Request, settings: Settings) -> str:
    """The output format. --quiet means one line for each finding, unless a format or fixes were asked for."""
    chosen = "output_format" in settings.origins or request.show_fixes
    return "concise" if request.quiet and not chosen else settings.output_format


def exit_code(request: Request, outcome: Outcome) -> int:
    """0; 1 if there are findings; 2 if lintpickle itself failed somewhere, so that a failure never looks like a
    pass, or if a file could not be written."""
    if outcome.defects or outcome.unwritten:
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


def tell_failures(request: Request, outcome: Outcome) -> None:
    """Say which files could not be written, and where lintpickle itself failed."""
    for text in outcome.unwritten:
        remark(text, label="error", color=request.color)
    for text in reports(outcome.defects, str(request.resolver.cwd)):
        remark(text, label="error", color=request.color)


def tell_lost(request: Request, outcome: Outcome) -> None:
    """Report what was not checked: files that cannot be read, and code beyond limits."""
    for each in outcome.unread:
        place = f"{os.path.relpath(each.location.path, request.resolver.cwd)}:{each.location.start.row}"
        remark(f"{place}: {each.message}", color=request.color)
    for text in cut_remarks(outcome.cuts, str(request.resolver.cwd)):
        remark(text, color=request.color)
