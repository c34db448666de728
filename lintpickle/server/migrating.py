"""The command `lintpickle.migrate`: what still depends on fork in a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lintpickle import disk
from lintpickle.diagnostics import StartMethod
from lintpickle.migration import migration_format
from lintpickle.migration.judging import migrate
from lintpickle.report import ReportContext
from lintpickle.rulebook.summaries import rule_infos
from lintpickle.settings import SettingsResolver
from lintpickle.source.document import Document

_PYTHON = "3.14"


def report_on(folder: Path, check: Callable[[], None] | None = None) -> str:
    """The report of `lintpickle migrate` on a folder, in Markdown. `check` is called often: what it raises
    ends the work. Raises `LintpickleError` for bad settings."""
    resolver = SettingsResolver(cwd=folder, overrides={"target-version": _PYTHON})
    with disk.at_most(resolver.for_run().max_file_size):
        migration = migrate([str(folder)], resolver, StartMethod.FORKSERVER, _PYTHON, check)
        context = ReportContext(cwd=folder, source=_no_source, rules=rule_infos)
        return migration_format("markdown").render(migration, context)


def _no_source(_: str) -> Document | None:
    """The Markdown report shows no source."""
    return None
