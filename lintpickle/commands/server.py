"""`lintpickle server`: the language server, over standard input and output."""

from __future__ import annotations

import gc
import sys
from importlib.util import find_spec

import click

from lintpickle.diagnostics import LintpickleError


@click.command(short_help="Start the language server for editors.")
@click.option(
    "--stdio", is_flag=True, help="Accepted because editors pass it; standard input and output are always used."
)
@click.option(
    "--clientProcessId", "client_process_id", type=int, help="Accepted because editors pass it; it has no effect."
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="warning",
    show_default=True,
    help="What to write to standard error.",
)
def command(stdio: bool, client_process_id: int | None, log_level: str) -> None:
    """Start the language server. Editors do this. It speaks the Language Server Protocol on standard input and output,
    and ends when they are closed."""
    if find_spec("pygls") is None:
        raise LintpickleError("the language server needs one more package: pip install 'lintpickle[lsp]'")
    from lintpickle.server.app import make_server
    from lintpickle.server.logs import start_log

    start_log(log_level)
    # A look at a large project leaves much for the collector. The session calls it when it disturbs nobody, before and
    # after such a look; by itself it should come only if that does not happen.
    gc.set_threshold(500_000, 20, 50)
    sys.setswitchinterval(0.001)
    make_server().start_io()
