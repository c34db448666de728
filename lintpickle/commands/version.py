"""`lintpickle version`."""

from __future__ import annotations

import click

from lintpickle import __version__


@click.command(short_help="Show the version.")
def command() -> None:
    """Show the version, as --version does."""
    click.echo(f"lintpickle {__version__}")
