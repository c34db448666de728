"""`lintpickle graph`: what crosses each boundary, as a picture."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from lintpickle.commands._options import SectionCommand, option, setting

_PROGRAM = "Program"
_OUTPUT = "Output"
_CONFIG = "Configuration"


def _formats() -> Sequence[str]:
    from lintpickle.graph import graph_format_names

    return graph_format_names()


@click.command(cls=SectionCommand, short_help="Draw what crosses each boundary.")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@option(
    "--format",
    "format_",
    section=_OUTPUT,
    metavar="FORMAT",
    default="text",
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
@option("--all", "everything", section=_OUTPUT, is_flag=True, help="Also show branches without a hazard.")
@option(
    "--color",
    section=_OUTPUT,
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="When to use colours.",
)
@setting("--python", section=_PROGRAM, metavar="PATH")
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
    format_: str,
    output_file: Path | None,
    everything: bool,
    color: str,
    python: str | None,
    config: tuple[str, ...],
    isolated: bool,
) -> None:
    """Show what every boundary in PATHS ships, as a tree that leads to the hazards.

    Branches without a hazard are folded. Exits with 0, or with 2 for wrong usage.
    """
    from lintpickle.commands._output import remark, write_report
    from lintpickle.defects import reports
    from lintpickle.graph import Canvas, graph_format
    from lintpickle.graph.run import draw
    from lintpickle.settings import SettingsResolver
    from lintpickle.terminal import wants_color

    chosen = graph_format(format_)
    overrides: dict[str, Any] = {"python": python} if python is not None else {}
    resolver = SettingsResolver(overrides=overrides, config=config, isolated=isolated)
    graph = draw(paths or (".",), resolver)
    to_file = output_file is not None
    canvas = Canvas(
        resolver.cwd,
        everything,
        color=chosen.human and (color == "always" if to_file else wants_color(color, sys.stdout, os.environ)),
        unicode=to_file or (sys.stdout.encoding or "").lower().replace("-", "") == "utf8",
    )
    write_report(chosen.render(graph, canvas), output_file, human=chosen.human, color=canvas.color)
    for defect in reports(graph.defects, str(resolver.cwd)):
        remark(defect, label="error", color=color)
    raise click.exceptions.Exit(2 if graph.defects else 0)
