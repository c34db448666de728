"""`lintpickle trace`: from a pasted traceback to the line."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from lintpickle.commands._options import SectionCommand, option, setting

_PROGRAM = "Program"
_FIXES = "Fixes"
_OUTPUT = "Output"
_CONFIG = "Configuration"


@click.command(cls=SectionCommand, short_help="Explain a pasted traceback, and name the line.")
@click.argument("file", default="-", metavar="[FILE]")
@option(
    "--project",
    section=_PROGRAM,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path("."),
    metavar="DIR",
    help="The folder of the program that raised it (by default the working folder).",
)
@setting("--python", section=_PROGRAM, metavar="PATH")
@option("--fix", section=_FIXES, is_flag=True, help="Apply the fix for the first line that is named.")
@setting("--unsafe-fixes/--no-unsafe-fixes", section=_FIXES)
@option(
    "--output-format",
    section=_OUTPUT,
    type=click.Choice(["full", "json"]),
    default="full",
    show_default=True,
    help="The output format.",
)
@option(
    "-o", "--output-file", section=_OUTPUT, type=click.Path(dir_okay=False, path_type=Path), help="Write to a file."
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
    file: str,
    project: Path,
    python: str | None,
    fix: bool,
    unsafe_fixes: bool | None,
    output_format: str,
    output_file: Path | None,
    color: str,
    config: tuple[str, ...],
    isolated: bool,
) -> None:
    """Read a traceback from FILE (by default from standard input: paste it, then Ctrl-D), and name the line that causes
    the error. Nothing is run.

    Exits with 0 if a line was found, 1 if not, and 2 for wrong usage.
    """
    from lintpickle.commands._output import remark, write_report
    from lintpickle.commands._tracing import Asked, answer, context_of
    from lintpickle.defects import reports
    from lintpickle.settings import SettingsResolver
    from lintpickle.terminal import wants_color
    from lintpickle.tracebacks.telling import as_json, as_text

    overrides: dict[str, Any] = {"pedantic": True}
    if python is not None:
        overrides["python"] = python
    if unsafe_fixes is not None:
        overrides["unsafe_fixes"] = unsafe_fixes
    resolver = SettingsResolver(overrides=overrides, config=config, isolated=isolated)
    explanation = answer(Asked(file, project, resolver, fix))
    human = output_format == "full"
    to_file = output_file is not None
    colored = human and (color == "always" if to_file else wants_color(color, sys.stdout, os.environ))
    context = context_of(resolver, explanation.changes, colored, links=colored and sys.stdout.isatty() and not to_file)
    text = as_text(explanation, context) if human else as_json(explanation, context)
    write_report(text, output_file, human=human, color=colored)
    for notice in explanation.notices:
        remark(notice, color=color)
    for change in explanation.changes:
        remark(f"fixed {os.path.relpath(change.path, resolver.cwd)}", color=color)
    for defect in reports(explanation.defects, str(resolver.cwd)):
        remark(defect, label="error", color=color)
    raise click.exceptions.Exit(2 if explanation.defects else 0 if explanation.is_found else 1)
