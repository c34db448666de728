"""The command `lintpickle`. What it can do stands in `lintpickle.commands`, one file for each command."""

from __future__ import annotations

import sys

from lintpickle import __version__


def main() -> int:
    """Run the command line of this process. Returns or exits with 0 (clean), 1 (findings) or 2 (an error)."""
    if sys.argv[1:] == ["--version"]:
        print(f"lintpickle {__version__}")
        return 0
    from lintpickle.commands import app

    app.main(prog_name="lintpickle")
    return 0
