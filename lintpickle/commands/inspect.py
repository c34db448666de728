"""`lintpickle inspect`: what a saved file asks for, and whether it is here."""

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
    from lintpickle.saved_files.formats import inspection_format_names

    return inspection_format_names()


@click.command(cls=SectionCommand, short_help="List what saved files need in order to load. Nothing is unpickled.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@option(
    "--project",
    section=_PROGRAM,
    type=click.Path(path_type=Path),
    default=Path("."),
    metavar="PATH",
    help="The folder of the project that loads the files.  [default: the working folder]",
)
@setting("--python", section=_PROGRAM, metavar="PATH")
@option(
    "--output-format",
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
@option("--exit-zero", section=_OUTPUT, is_flag=True, help="Exit with 0 even if something is missing.")
@option(
    "--config",
    section=_CONFIG,
    multiple=True,
    metavar="FILE|TOML",
    help="A configuration file, or one setting as `key = value`.",
)
@option("--isolated", section=_CONFIG, is_flag=True, help="Read no configuration file.")
def command(
    files: tuple[Path, ...],
    project: Path,
    python: str | None,
    output_format: str,
    output_file: Path | None,
    color: str,
    exit_zero: bool,
    config: tuple[str, ...],
    isolated: bool,
) -> None:
    """List what each FILE needs in order to load: pickles, PyTorch checkpoints, joblib and NumPy files, packages of
    torch.package. Shows which of these names the project and its environment define, which are missing and where they
    may be now, and whether `torch.load(weights_only=True)` accepts the file. Nothing is unpickled or imported. Exits
    with 0 if nothing is missing, 1 if something is missing or a file cannot be read to its end, and 2 for wrong usage.
    """
    from lintpickle.commands._output import write_report
    from lintpickle.saved_files import Surroundings, inspect_file
    from lintpickle.saved_files.formats import InspectionPage, inspection_format
    from lintpickle.settings import SettingsResolver
    from lintpickle.terminal import wants_color

    chosen = inspection_format(output_format)
    overrides: dict[str, Any] = {"python": python} if python is not None else {}
    resolver = SettingsResolver(overrides=overrides, config=config, isolated=isolated)
    surroundings = Surroundings(resolver.cwd / project, resolver)
    inspections = [inspect_file(str(path), surroundings) for path in files]
    painted = color == "always" if output_file is not None else wants_color(color, sys.stdout, os.environ)
    page = InspectionPage(resolver.cwd, color=chosen.human and painted)
    write_report(chosen.render(inspections, page), output_file, human=chosen.human, color=page.color)
    is_good = all(each.is_good for each in inspections)
    raise click.exceptions.Exit(0 if is_good or exit_zero else 1)
