"""What `lintpickle trace` does: read the text, explain it, and fix the line if asked."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click
from msgspec import Struct
from msgspec.structs import replace

from lintpickle import disk
from lintpickle.commands._request import STDIN, read_source
from lintpickle.diagnostics import FileChange, LintpickleError
from lintpickle.engine.fixing import fix_finding
from lintpickle.report import ReportContext
from lintpickle.rulebook.summaries import rule_infos
from lintpickle.settings import SettingsResolver
from lintpickle.source.document import document_from_text
from lintpickle.tracebacks import Explanation, explain

_MOST_BYTES = 64 * disk.MEGABYTE


class Asked(Struct, frozen=True):
    """A traceback (a file, or "-"), the folder of the program, its settings, and whether to fix the line."""

    file: str
    project: Path
    resolver: SettingsResolver
    fix: bool


def answer(asked: Asked) -> Explanation:
    """The explanation; after fixing, if that was asked. Raises `LintpickleError` for a file that cannot be read."""
    folder = (asked.resolver.cwd / asked.project).resolve()
    explanation = explain(_text(asked.file), folder, asked.resolver)
    if not asked.fix or not explanation.candidates:
        return explanation
    change, notices = fix_finding(explanation.candidates[0].diagnostic, folder, asked.resolver, write=True)
    if change is None and not notices:
        notices = ("nothing was fixed: there is no fix that may be applied to the first line",)
    changes = (change,) if change is not None else ()
    return replace(explanation, changes=changes, notices=(*explanation.notices, *notices))


def _text(file: str) -> str:
    if file == STDIN:
        if sys.stdin.isatty():
            click.echo("Paste the traceback, then press Ctrl-D:", err=True)
        return sys.stdin.buffer.read(_MOST_BYTES).decode("utf-8-sig", errors="replace")
    try:
        data = disk.read(file, _MOST_BYTES)
    except OSError as error:
        raise LintpickleError(f"{file}: cannot be read: {error.strerror or error}") from None
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    return data.decode("utf-8-sig", errors="replace")


def context_of(resolver: SettingsResolver, changes: Sequence[FileChange], color: bool, *, links: bool) -> ReportContext:
    """The report of findings, as `check` writes it but without the summary. It refers to the files as they were before
    `changes`."""
    before = {change.path: document_from_text(change.before, change.path) for change in changes}
    return ReportContext(
        cwd=resolver.cwd,
        source=lambda path: before.get(path) or read_source(path),
        rules=rule_infos,
        color=color,
        links=links,
        unsafe_fixes=resolver.for_run().unsafe_fixes,
        quiet=True,
    )
