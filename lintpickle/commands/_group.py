"""The group of all commands: it imports only the one that is asked for, and turns errors into exit codes."""

from __future__ import annotations

import errno
import importlib
import os
import pkgutil
import sys
from itertools import takewhile
from pathlib import Path
from typing import IO, Any

import click

from lintpickle import __version__
from lintpickle.addresses import ISSUES, SITE
from lintpickle.diagnostics import LintpickleError
from lintpickle.escaping import one_line, steady
from lintpickle.terminal import Style, wants_color

EPILOG = f"Docs: {SITE}  -  `lintpickle COMMAND --help` describes a command."

INTERRUPTED = 130

_OTHER_NAMES = {"explain": "rule"}
"""Commands under the names that they have in other tools."""

_FLAGS = frozenset({"-q", "--quiet", "-v", "--verbose"})
"""Flags that may stand before the command that has them."""


class CommandFailure(click.ClickException):
    """An error that is shown on one line and ends with exit code 2."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        style = Style(wants_color("auto", sys.stderr, os.environ))
        line = steady(f"{style.error('error')}: {one_line(self.format_message())}", color=style.color)
        click.echo(line, file=file, err=True, color=style.color)


class LazyGroup(click.Group):
    """Commands are modules of `lintpickle.commands`, imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        modules = pkgutil.iter_modules([str(Path(__file__).parent)])
        return sorted(module.name for module in modules if not module.name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module: Any = importlib.import_module(f"lintpickle.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        flags = list(takewhile(_FLAGS.__contains__, args))
        name, rest = args[len(flags) : len(flags) + 1], args[len(flags) + 1 :]
        try:
            return super().parse_args(ctx, [*name, *flags, *rest])
        except click.NoSuchOption as error:
            check = self.get_command(ctx, "check")
            known = {word for each in check.params for word in (*each.opts, *each.secondary_opts)} if check else set()
            if error.option_name not in known:
                raise
            hint = f"Options stand behind the command: lintpickle check {error.option_name}"
            raise click.UsageError(f"No such option '{error.option_name}'. {hint}", ctx) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        names = self.list_commands(ctx)
        args = [_OTHER_NAMES.get(args[0], args[0]), *args[1:]] if args else args
        if args and args[0] not in names and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], names, n=1)
            if near:
                hint = f" Did you mean '{near[0]}'?"
            elif Path(args[0]).exists():
                hint = f" To check a path: lintpickle check {args[0]}"
            else:
                hint = ""
            raise click.UsageError(f"No such command '{args[0]}'.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            os.getcwd()
        except OSError:
            raise CommandFailure("the working folder is gone") from None
        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            vars(error)["message"] = one_line(error.message)  # it names what the user gave, a file maybe
            raise
        except (click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            raise click.exceptions.Exit(INTERRUPTED) from None
        except LintpickleError as error:
            raise CommandFailure(str(error)) from None
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            return _internal_error()
        except Exception:
            # Exit code 1 means findings, so an unforeseen error must not end as Python would, with 1.
            return _internal_error()


def _internal_error() -> None:
    import traceback

    click.echo(steady(traceback.format_exc()), err=True, nl=False)
    raise CommandFailure(f"this is a defect of lintpickle; please report it with the lines above: {ISSUES}")


def _print_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(f"lintpickle {__version__}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "-V",
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version and exit.",
)
def app() -> None:
    """Find the line that will break when Python code crosses a process boundary.

    lintpickle reads code that feeds DataLoader workers, mp.spawn, pools and torch.save. It names what will
    not pickle there, will hang or go wrong, and the path by which it gets there.
    """
