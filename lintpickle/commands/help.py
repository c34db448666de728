"""`lintpickle help`."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    above = ctx.find_root()
    names = above.command.list_commands(above) if isinstance(above.command, click.Group) else []
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


@click.command(short_help="Show the help of a command, or list all commands.")
@click.argument("name", required=False, metavar="[COMMAND]", shell_complete=_complete)
@click.pass_context
def command(ctx: click.Context, name: str | None) -> None:
    """Show the help of a command, as its --help does; without one, list all commands."""
    above = ctx.find_root()
    group = above.command
    if name is None or not isinstance(group, click.Group):
        click.echo(above.get_help())
        return
    found_name, found, _ = group.resolve_command(above, [name])
    if found is not None:
        with click.Context(found, info_name=found_name, parent=above) as inner:
            click.echo(inner.get_help())
