"""Adopting lintpickle in a project that has findings already: suppress them all, or accept them in a baseline."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

from msgspec.structs import replace

from lintpickle.baseline import Baseline, read_baseline
from lintpickle.commands._output import remark, write_report
from lintpickle.commands._request import Request, read_source
from lintpickle.diagnostics import LintpickleError, Outcome
from lintpickle.fixes.write import write_atomically
from lintpickle.report.summary import plural
from lintpickle.rulebook.pages import OWN_FAMILY
from lintpickle.source.document import Document
from lintpickle.suppressions.ignore_edits import add_ignore_edits
from lintpickle.tree import leaves


def add_ignores(request: Request, outcome: Outcome, reason: str) -> tuple[str, ...]:
    """Write suppression comments for all findings but those about files and comments themselves, and say how many.
    Gives, for each file that cannot be written, what prevents that."""
    unwritten: list[str] = []
    count = files = 0
    named = [os.path.abspath(request.resolver.cwd / path) for path in request.paths]
    wanted = [each for each in outcome.diagnostics if not each.code.startswith(OWN_FAMILY)]
    for path, group in groupby(wanted, key=lambda each: each.location.path):
        document = read_source(path)
        outside = leaves(path, named)
        if document is None:
            continue
        if outside is not None:
            remark(f"{path}: no comment written, because it is a link to {outside}", color=request.color)
            continue
        ignores = add_ignore_edits(document, group, reason or None)
        if not ignores.edits:
            continue
        try:
            write_atomically(path, document.encode_edits(ignores.edits), expected=document.raw, named=named)
        except LintpickleError as error:
            unwritten.append(str(error))
            continue
        count += len(ignores.edits)
        files += 1
    if not request.quiet:
        remark(f"wrote {plural(count, 'suppression comment')} to {plural(files, 'file')}", color=request.color)
    return tuple(unwritten)


def against_baseline(
    request: Request, outcome: Outcome, path: Path, source: Callable[[str], Document | None]
) -> Outcome:
    """The outcome without the findings that the baseline knows. Raises `LintpickleError` for a bad baseline."""
    named = [request.stdin_path] if request.stdin_path is not None else request.paths
    checked = [Path(os.path.abspath(request.resolver.cwd / each)) for each in named]
    compared = read_baseline(path).compare(outcome.diagnostics, source, checked)
    if not request.quiet:
        if compared.known:
            remark(f"{plural(compared.known, 'finding')} known by {path}", color=request.color)
        if compared.gone:
            what = plural(compared.gone, "finding")
            remark(f"{what} of {path} not met again: --write-baseline forgets them", color=request.color)
    return replace(outcome, diagnostics=compared.new)


def write_baseline(request: Request, outcome: Outcome, path: Path) -> None:
    """Accept all findings: write them to the file. Raises `LintpickleError` when it cannot be written."""
    folder = Path(os.path.abspath(path.parent))
    if not folder.is_dir():
        raise LintpickleError(f"{path}: there is no folder {folder}")
    write_report(Baseline.of(outcome.diagnostics, folder, read_source).text(), path, human=False)
    if not request.quiet:
        remark(f"wrote {plural(len(outcome.diagnostics), 'finding')} to {path}", color=request.color)
