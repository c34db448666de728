"""What the user of `lintpickle check` asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from lintpickle.cache.answers import store_of
from lintpickle.cache.store import CacheStore
from lintpickle.imports.folders import is_installed
from lintpickle.settings import SettingsResolver, options
from lintpickle.source.discovery import leads_outside
from lintpickle.source.document import Document, UnreadableSource, read_document

if TYPE_CHECKING:
    from lintpickle.api import FixMode


STDIN = "-"


class Request(Struct, frozen=True):
    """What the user asked for. `stdin_path` is None unless standard input is to be read."""

    paths: tuple[str, ...]
    resolver: SettingsResolver
    stdin_path: str | None
    fix: bool
    diff: bool
    fix_only: bool
    show_fixes: bool
    statistics: bool
    show_files: bool
    show_settings: bool
    output_file: Path | None
    quiet: bool
    verbose: bool
    profile: bool
    color: str
    exit_zero: bool
    exit_non_zero_on_fix: bool
    add_ignore: str | None
    baseline: Path | None
    write_baseline: Path | None
    watch: bool
    jobs: int | None
    no_cache: bool
    cache_dir: str | None

    @classmethod
    def of(cls, paths: tuple[str, ...], given: Mapping[str, Any]) -> Request:
        """The request of a command line. Raises `LintpickleError` for bad settings."""
        names = {option.attribute for option in options()}
        overrides = {key: value for key, value in given.items() if key in names and value is not None}
        resolver = SettingsResolver(overrides=overrides, config=given["config"], isolated=given["isolated"])
        from_stdin = paths == (STDIN,) or (not paths and given["stdin_filename"])
        stdin_path = os.path.abspath(resolver.cwd / (given["stdin_filename"] or STDIN))
        return cls(
            paths=paths or (".",),
            resolver=resolver,
            stdin_path=stdin_path if from_stdin else None,
            **{name: given[name] for name in cls.__struct_fields__ if name in given},
        )

    @property
    def store(self) -> CacheStore | None:
        """The cache of the run; None if there is none."""
        return store_of(self.cache_dir, self.no_cache, os.environ, self.paths)

    @property
    def only_reports(self) -> bool:
        """Whether the run only writes to the standard streams, and its output depends only on files."""
        writes = self.fix or self.fix_only or self.add_ignore is not None
        writes = writes or self.output_file is not None or self.write_baseline is not None
        return not (writes or self.watch or self.verbose or self.profile or self.stdin_path is not None)

    @property
    def fix_mode(self) -> FixMode:
        from lintpickle.api import FixMode

        if self.diff:
            return FixMode.DIFF
        return FixMode.WRITE if self.fix or self.fix_only else FixMode.NONE


def refuse_contradictions(request: Request) -> None:
    """Raises `UsageError` for options that exclude each other."""
    fixing = {"--fix": request.fix, "--fix-only": request.fix_only, "--diff": request.diff}
    adopting = {
        "--add-ignore": request.add_ignore is not None,
        "--write-baseline": request.write_baseline is not None,
    }
    watching = {"--watch": request.watch}
    piped = {"standard input (-)": request.stdin_path is not None}
    known = {"--baseline": request.baseline is not None}
    shown = {"--diff": request.diff}
    for group, others in (
        (adopting, {**fixing, **watching, **piped}),
        (watching, {**fixing, **piped, "--output-file": request.output_file is not None, "--profile": request.profile}),
        (known, {**adopting, **shown}),
        ({"--add-ignore": adopting["--add-ignore"]}, {"--write-baseline": adopting["--write-baseline"]}),
    ):
        for one in (name for name, given in group.items() if given):
            for other in (name for name, given in others.items() if given):
                raise click.UsageError(f"{one} and {other} exclude each other")


def read_source(path: str) -> Document | None:
    """The document of a file. None if it cannot be read, or if a link leads to it from inside a tree: values are
    followed through such links (installers create them in environments), but the files are not shown."""
    folder = os.path.dirname(path)
    if not is_installed(path) and leads_outside(path, folder) is not None:
        return None
    try:
        return read_document(path)
    except UnreadableSource:
        return None
