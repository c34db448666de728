"""`lintpickle probe`: run a program, and name everything that cannot be pickled."""

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
_IS_COMMAND = "lintpickle.probe.is_command"


class ProgramCommand(SectionCommand):
    """A command that ends with another program, whose options are its own: all behind SCRIPT, `-m MODULE` or `--`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        values = {
            name for each in self.params if isinstance(each, click.Option) and not each.is_flag for name in each.opts
        }
        place = 0
        while place < len(args) and args[place].startswith("-") and args[place] not in ("-m", "--"):
            place += 2 if args[place] in values else 1
        ctx.meta[_IS_COMMAND] = args[place : place + 1] == ["--"]
        if args[place : place + 1] == ["-m"]:
            args = [*args[: place + 2], "--", *args[place + 2 :]]
        elif place < len(args) and args[place] != "--":
            args = [*args[:place], "--", *args[place:]]
        return super().parse_args(ctx, args)


@click.command(cls=ProgramCommand, short_help="Run a program, and name everything that cannot be pickled.")
@click.argument(
    "program", nargs=-1, metavar="SCRIPT ARGS… | -m MODULE ARGS… | -- COMMAND ARGS…", type=click.UNPROCESSED
)
@option("-m", "module", section=_PROGRAM, metavar="MODULE", help="Run a module, as `python -m` does.")
@option(
    "--start-method",
    section=_PROGRAM,
    type=click.Choice(["spawn", "forkserver"]),
    help="Also check whether objects that fork passes on could be pickled.",
)
@setting("--python", section=_PROGRAM, metavar="PATH")
@option(
    "--output-format",
    section=_OUTPUT,
    type=click.Choice(["full", "json"]),
    default="full",
    show_default=True,
    help="The output format of the report.",
)
@option(
    "-o",
    "--output-file",
    section=_OUTPUT,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the report to a file.",
)
@option(
    "--color",
    section=_OUTPUT,
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="When to use colours.",
)
@option("--exit-zero", section=_OUTPUT, is_flag=True, help="Exit as the program does, whatever was found.")
@option(
    "--config",
    section=_CONFIG,
    multiple=True,
    metavar="FILE|TOML",
    help="A configuration file, or one setting as `key = value`.",
)
@option("--isolated", section=_CONFIG, is_flag=True, help="Read no configuration file.")
@click.pass_context
def command(
    ctx: click.Context,
    program: tuple[str, ...],
    module: str | None,
    start_method: str | None,
    python: str | None,
    output_format: str,
    output_file: Path | None,
    color: str,
    exit_zero: bool,
    config: tuple[str, ...],
    isolated: bool,
) -> None:
    """Run a program, watch where it pickles, and name everything that cannot be pickled.

    Unlike every other command, this one RUNS YOUR CODE, in your environment, as Python would. When an object cannot
    cross a process boundary, all culprits are named: the attribute path, the type, the line that stores it, the rule
    and the fix. The program then raises its own error.

    Exits as the program does, but with 1 if that is 0 and something could not be pickled, and with 2 for wrong usage.
    """
    from lintpickle.commands._output import write_report
    from lintpickle.probing.explained import explain_events
    from lintpickle.probing.launch import interpreter, refuse_old, run
    from lintpickle.probing.report import full, probe_json
    from lintpickle.report.context import ReportContext
    from lintpickle.settings import SettingsResolver
    from lintpickle.terminal import wants_color

    if not program and module is None:
        raise click.UsageError("name what to run: a script, -m MODULE, or -- COMMAND")
    overrides: dict[str, Any] = {"python": python} if python is not None else {}
    resolver = SettingsResolver(overrides=overrides, config=config, isolated=isolated)
    executable = interpreter(resolver)
    refuse_old(executable)
    start = list(program) if ctx.meta[_IS_COMMAND] else [executable, *(["-m", module] if module else []), *program]
    is_human, to_file = output_format == "full", output_file is not None
    ran = run(start, executable, start_method, None if is_human or to_file else sys.stderr.fileno())
    explanation = explain_events(ran.seen.events, resolver)
    painted = is_human and (color == "always" if to_file else wants_color(color, sys.stderr, os.environ))
    context = ReportContext(resolver.cwd, explanation.document, color=painted)
    counts = ran.seen.counts
    text = full(explanation, counts, context, ran.code) if is_human else probe_json(explanation, counts, ran.code)
    stream = sys.stderr if is_human else sys.stdout
    write_report(text, output_file, human=is_human, stream=stream, color=painted)
    raise click.exceptions.Exit(ran.code or int(bool(explanation.failures) and not exit_zero))
