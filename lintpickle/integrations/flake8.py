"""The flake8 plugin: lintpickle's findings among those of flake8.

flake8 imports this module at every start. It reports findings whose cause lies in other files too, unless
`--lintpickle-file-only` is given; the configuration of lintpickle holds. A bad configuration is reported as LP999;
an unforeseen error costs the findings of a file, which a line on standard error says, and nothing else.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from lintpickle import __version__
from lintpickle.diagnostics import LintpickleError
from lintpickle.escaping import one_line

if TYPE_CHECKING:
    from lintpickle.integrations._host import Host

CONFIGURATION_ERROR = "LP999"

Reported = tuple[int, int, str, type[Any]]
"""Row (from 1), column (from 0, in code points), text, and the plugin."""


class Plugin:
    """Checks one file."""

    name = "lintpickle"
    version = __version__
    file_only: ClassVar[bool] = False
    paths: ClassVar[tuple[str, ...]] = ()

    def __init__(self, tree: ast.AST, filename: str, lines: list[str]) -> None:
        self._path = filename
        self._text = "".join(lines)

    @classmethod
    def add_options(cls, manager: Any) -> None:
        manager.add_option(
            "--lintpickle-file-only",
            action="store_true",
            default=False,
            parse_from_config=True,
            help="Report what a file (and what it imports) shows by itself; do not read the rest of its project.",
        )

    @classmethod
    def parse_options(cls, options: Any) -> None:
        cls.file_only = options.lintpickle_file_only
        cls.paths = tuple(getattr(options, "filenames", None) or ())

    def run(self) -> Iterator[Reported]:
        for row, column, text in self._findings():
            yield row, column, text, type(self)

    def _findings(self) -> list[tuple[int, int, str]]:
        try:
            found = _host(self.paths, self.file_only).diagnostics(self._path, self._text)
            return [(d.location.start.row, d.location.start.column - 1, f"{d.code} {d.message}") for d in found]
        except LintpickleError as error:
            return [(1, 0, one_line(f"{CONFIGURATION_ERROR} {error}"))]
        except Exception as error:  # Whatever it is, flake8 and its other plugins must go on.
            message = f"lintpickle: {self._path} was not checked: {type(error).__name__}: {error}"
            print(one_line(message), file=sys.stderr)
            return []


@cache
def _host(paths: tuple[str, ...], file_only: bool) -> Host:
    from pathlib import Path

    from lintpickle.integrations._host import Host

    cwd = Path.cwd()
    return Host(cwd, [folder for path in paths or (".",) if (folder := cwd / path).is_dir()], file_only)
