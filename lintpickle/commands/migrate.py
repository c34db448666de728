"""`lintpickle migrate`: what in a program still depends on fork."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from lintpickle.commands._options import SectionCommand, option, setting

_PROGRAM = "Program"
_FIXES = "Fixes"
_OUTPUT = "Output"
_CONFIG = "Configuration"


def _formats() -> Sequence[str]:
    from lintpickle.migration import migration_format_names

    return migration_format_names()


@click.command(cls=SectionCommand, short_help="List what still depends on fork.")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@option(
    "--to",
    section=_PROGRAM,
    type=click.Choice(["spawn", "forkserver"]),
    default="forkserver",
    show_default=True,
    help="The start method to move to.",
)
@option(
    "--python",
    section=_PROGRAM,
    metavar="VERSION|PATH",
    default="3.14",
    show_default=True,
    help="The Python to move to, or the interpreter or environment that has the project's packages.",
)
@option("--fix", section=_FIXES, is_flag=True, help="Apply fixes to the files first, as `check` does.")
@setting("--unsafe-fixes/--no-unsafe-fixes", section=_FIXES)
@option(
    "--format",
    "format_",
    section=_OUTPUT,
    metavar="FORMAT",
    default="full",
    show_default=True,
    values=_formats,
    help="The output format.",
)
@option(
    "-o",
    "--output-file",
    section=_OUTPUT,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to a file.",
)
@option(
    "--color",
    section=_OUTPUT,
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="When to use colours.",
)
@option(
    "--config",
    section=_CONFIG,
    multiple=True,
    metavar="FILE|TOML",
    help="A configuration file, or one setting as `key = value`.",
)
@option("--isolated", section=_CONFIG, is_flag=True, help="Read no configuration file.")
def command(
    paths: tuple[str, ...],
    to: str,
    python: str,
    fix: bool,
    unsafe_fixes: bool | None,
    format_: str,
    output_file: Path | None,
    color: str,
    config: tuple[str, ...],
    isolated: bool,
) -> None:
    """Check PATHS as if nothing asked for fork. For each place that starts processes, say whether it is ready for
    another start method, breaks under it, changes silently, or cannot be decided. Findings at such a place count
    even if a comment hides them, or the settings switch off their rule.

    Exits with 0 if everything is ready, 1 if something is left to do, and 2 for wrong usage.
    """
    from lintpickle.commands._output import remark, write_report
    from lintpickle.commands._request import read_source
    from lintpickle.defects import reports
    from lintpickle.diagnostics import StartMethod
    from lintpickle.migration import migration_format
    from lintpickle.migration.judging import migrate
    from lintpickle.pythons import exactly, read_pythons
    from lintpickle.report import ReportContext
    from lintpickle.rulebook.summaries import rule_infos
    from lintpickle.settings import SettingsResolver
    from lintpickle.terminal import wants_color

    chosen = migration_format(format_)
    is_version = read_pythons(python) is not None
    overrides: dict[str, Any] = {"target-version": exactly(python if is_version else "3.14")}
    if not is_version:
        overrides["python"] = python
    if unsafe_fixes is not None:
        overrides["unsafe_fixes"] = unsafe_fixes
    resolver = SettingsResolver(overrides=overrides, config=config, isolated=isolated)
    unwritten: tuple[str, ...] = ()
    if fix:
        from lintpickle.api import FixMode, lint_paths

        fixed = lint_paths(paths or (".",), resolver=resolver, fix=FixMode.WRITE, moving_to=StartMethod(to))
        unwritten = fixed.unwritten
        count = sum(len(change.fixed) for change in fixed.changes)
        remark(f"{count} {'problem' if count == 1 else 'problems'} fixed", color=color)
    migration = migrate(paths or (".",), resolver, StartMethod(to), python if is_version else "3.14")
    for notice in migration.notices:
        remark(notice, color=color)
    to_file = output_file is not None
    painted = chosen.human and (color == "always" if to_file else wants_color(color, sys.stdout, os.environ))
    context = ReportContext(cwd=resolver.cwd, source=read_source, rules=rule_infos, color=painted)
    write_report(chosen.render(migration, context), output_file, human=chosen.human, color=painted)
    failures = [*unwritten, *reports(migration.defects, str(resolver.cwd))]
    for failure in failures:
        remark(failure, label="error", color=color)
    raise click.exceptions.Exit(2 if failures else int(not migration.is_ready))
