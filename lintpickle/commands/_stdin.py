"""Checking standard input: findings go to standard output; with --fix, the fixed text does."""

from __future__ import annotations

import sys

from lintpickle.commands._answer import exit_code, new_findings, report, tell_failures
from lintpickle.commands._output import remark
from lintpickle.commands._request import Request, read_source
from lintpickle.diagnostics import LintpickleError, Outcome
from lintpickle.source.discovery import is_excluded
from lintpickle.source.document import Document, UnreadableSource, decode_document, document_from_text


def check_stdin(request: Request, path: str) -> int:
    """Lint what standard input holds, under a path that need not exist. Returns the exit code.

    Raises `LintpickleError` when the input cannot be decoded.
    """
    from lintpickle.api import FixMode, lint_source

    raw = sys.stdin.buffer.read()
    fixing = request.fix_mode is FixMode.WRITE
    settings = request.resolver.for_path(path)
    if settings.force_exclude and is_excluded(path, settings):
        if fixing:
            _write_bytes(raw)
        return 0
    document = _decode(raw, path)
    text = document.text
    if document.cells is not None:
        if request.fix_mode is not FixMode.NONE:
            raise LintpickleError("a notebook on standard input cannot be fixed: name the file instead")
        text = raw.decode("utf-8-sig")
    outcome = lint_source(text, path, resolver=request.resolver, fix=request.fix_mode)
    for notice in () if request.quiet else outcome.notices:
        remark(notice, color=request.color)
    after = _text_after(outcome)
    if fixing:
        _write_bytes(raw if after is None else document.encode(after))
        if after is not None:
            document = document_from_text(after, path)

    def source(wanted: str) -> Document | None:
        return document if wanted == path else read_source(wanted)

    outcome = new_findings(request, outcome, source=source)
    report(request, outcome, source=source, to_stderr=fixing)
    tell_failures(request, outcome)
    return exit_code(request, outcome)


def _decode(raw: bytes, path: str) -> Document:
    try:
        return decode_document(raw, path)
    except UnreadableSource as error:
        raise LintpickleError(f"standard input: {error}") from None


def _text_after(outcome: Outcome) -> str | None:
    return outcome.changes[0].after if outcome.changes else None


def _write_bytes(content: bytes) -> None:
    stream = sys.stdout.buffer
    stream.write(content)
    stream.flush()
