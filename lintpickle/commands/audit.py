"""`lintpickle audit`: what in installed packages cannot be shipped."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from lintpickle.commands._options import SectionCommand, option, setting

_PROGRAM = "Program"
_OUTPUT = "Output"
_CONFIG = "Configuration"


@click.command(cls=SectionCommand, short_help="List what in installed packages cannot be shipped.")
@click.argument("packages", nargs=-1, metavar="[PACKAGE]...")
@setting("--python", section=_PROGRAM, metavar="PATH")
@option("--reached", section=_PROGRAM, is_flag=True, help="List only what the project's own code reaches.")
@option(
    "--output-format",
    section=_OUTPUT,
    type=click.Choice(["text", "html", "json"]),
    default="text",
    show_default=True,
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
@option("--exit-zero", section=_OUTPUT, is_flag=True, help="Exit with 0 even if something is listed.")
@option(
    "--config",
    section=_CONFIG,
    multiple=True,
    metavar="FILE|TOML",
    help="A configuration file, or one setting as `key = value`.",
)
@option("--isolated", section=_CONFIG, is_flag=True, help="Read no configuration file.")
def command(
    packages: tuple[str, ...],
    python: str | None,
    reached: bool,
    output_format: str,
    output_file: Path | None,
    color: str,
    exit_zero: bool,
    config: tuple[str, ...],
    isolated: bool,
) -> None:
    """Read the installed packages that the project in the working folder imports, or each PACKAGE that is named,
    and list what in them cannot cross a process boundary.

    Nothing is imported. Exits with 0 if nothing is listed, 1 if something is, and 2 for wrong usage.
    """
    from lintpickle.audit import audit
    from lintpickle.commands._audit_text import audit_json, audit_text, only_reached
    from lintpickle.commands._output import remark, write_report
    from lintpickle.defects import reports
    from lintpickle.settings import SettingsResolver
    from lintpickle.terminal import Style, wants_color

    overrides: dict[str, Any] = {"python": python} if python is not None else {}
    resolver = SettingsResolver(overrides=overrides, config=config, isolated=isolated)
    result = audit(packages, resolver)
    if reached:
        result = only_reached(result)
    for notice in result.notices:
        remark(notice, color=color)
    to_file = output_file is not None
    human = output_format == "text"
    painted = color == "always" if to_file else wants_color(color, sys.stdout, os.environ)
    if output_format == "html":
        from lintpickle.commands._audit_html import audit_html

        text = audit_html(result, resolver.cwd)
    else:
        text = audit_text(result, resolver.cwd, Style(painted)) if human else audit_json(result)
    write_report(text, output_file, human=human, color=human and painted)
    for defect in reports(result.defects, str(resolver.cwd)):
        remark(defect, label="error", color=color)
    code = 2 if result.defects else int(bool(result.culprits) and not exit_zero)
    raise click.exceptions.Exit(code)
