"""`lintpickle config`: every option, with its default and its documentation."""

from __future__ import annotations

import difflib
import json
import os
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from lintpickle.settings import Option
    from lintpickle.terminal import Style


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from lintpickle.settings import options

    return [option.name for option in options() if option.name.startswith(incomplete)]


@click.command(short_help="Explain the options of the configuration file.")
@click.argument("name", required=False, shell_complete=_complete)
@click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The output format.",
)
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="When to use colours.",
)
def command(name: str | None, output_format: str, color: str) -> None:
    """Show the options of the configuration file; with a NAME, show one option in full."""
    from lintpickle.commands._output import paged, write_report
    from lintpickle.report.common import to_json
    from lintpickle.settings import options
    from lintpickle.terminal import Style, wants_color

    chosen = [option for option in options() if name in (None, option.name, option.attribute)]
    if name is not None and not chosen:
        near = difflib.get_close_matches(name, [option.name for option in options()], n=1)
        hint = f"Did you mean '{near[0]}'?" if near else "`lintpickle config` lists the options."
        raise click.UsageError(f"Unknown option '{name}'. {hint}")
    if output_format == "json":
        values = [_json(option) for option in chosen]
        write_report(to_json(values[0] if name is not None else values), None, human=False)
        return
    style = Style(wants_color(color, sys.stdout, os.environ))
    text = _details(chosen[0], style) if name is not None else "\n".join(_entry(option, style) for option in chosen)
    paged(text, color=style.color)


def _json(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "type": option.kind.label,
        "default": option.default,
        "doc": option.doc,
        "example": option.example,
    }


def _default(option: Option) -> str:
    if option.default is None:
        return "not set"
    if isinstance(option.default, list) and len(option.default) > 8:
        return f"[{len(option.default)} entries]"
    return json.dumps(option.default, ensure_ascii=False)


def _entry(option: Option, style: Style) -> str:
    return f"{style.heading(option.name)} {style.dim('=')} {_default(option)}\n    {option.summary}\n"


def _details(option: Option, style: Style) -> str:
    import textwrap

    default = "not set" if option.default is None else json.dumps(option.default, ensure_ascii=False)
    return (
        f"{style.heading(option.name)}\n\n"
        f"{textwrap.fill(option.doc, 90)}\n\n"
        f"{style.bold('Type')}: {option.kind.label}\n"
        f"{textwrap.fill(f'Default: {default}', 90, subsequent_indent='  ')}\n"
        f"{style.bold('Example')}:\n{textwrap.indent(option.example, '    ')}\n"
    )
