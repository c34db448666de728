"""For the terminal: totals, then each boundary with what is to be done there, then the pins."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.diagnostics import Applicability
from lintpickle.migration.model import Boundary, Finding, Migration, Verdict
from lintpickle.migration.wording import (
    SHOWN_GAPS,
    headline,
    hidden,
    left_to_do,
    outcome,
    pinned,
    shown_gaps,
    spot,
    title,
    totals,
)
from lintpickle.report.common import place
from lintpickle.report.context import ReportContext
from lintpickle.terminal import visible

_LONGEST = 100


class Full:
    name = "full"
    human = True

    def render(self, migration: Migration, context: ReportContext) -> str:
        return "".join(f"{line}\n" for line in _lines(migration, context))


def _lines(migration: Migration, context: ReportContext) -> Iterator[str]:
    style = context.style
    yield style.heading(title(migration))
    yield totals(migration)
    told: set[tuple[str, str]] = set()
    for boundary in migration.counted:
        if boundary.verdict is not Verdict.READY:
            yield ""
            yield from _boundary(boundary, context, told)
    ready = [boundary for boundary in migration.counted if boundary.verdict is Verdict.READY]
    if ready:
        yield ""
        yield from (_head(boundary, context) for boundary in ready)
    if migration.pins:
        yield ""
        yield style.heading("Fork is asked for here:")
        for pin in migration.pins:
            place = style.accent(visible(spot(pin.spot, context)))
            yield f"  {place}  {visible(pin.text)}: {left_to_do(migration, pin)}"


def _head(boundary: Boundary, context: ReportContext) -> str:
    style = context.style
    paints = {
        Verdict.BREAKS: style.error,
        Verdict.CHANGES: style.warning,
        Verdict.CANNOT_TELL: style.heading,
        Verdict.READY: style.good,
    }
    verdict = paints[boundary.verdict](boundary.verdict.value)
    today = pinned(boundary, context)
    shown = f"{headline(boundary)}: {today}" if today is not None else headline(boundary)
    return f"{verdict}  {style.accent(visible(spot(boundary.spot, context)))}  {visible(shown)}"


def _boundary(boundary: Boundary, context: ReportContext, told: set[tuple[str, str]]) -> Iterator[str]:
    style = context.style
    yield _head(boundary, context)
    for finding in boundary.findings:
        diagnostic = finding.diagnostic
        where = place(diagnostic.location, context, column=False)
        yield f"  {style.error(diagnostic.code)} {visible(where)}  {style.bold(visible(diagnostic.told))}"
        error = outcome(finding)
        if error is not None:
            yield f"    {style.bad(visible(error))}"
        comment = hidden(finding, context)
        if comment is not None:
            yield f"    {visible(comment)}"
        if (diagnostic.message, where) in told:
            yield style.dim("    as above")
            continue
        told.add((diagnostic.message, where))
        yield from _way(finding, context)
    gaps = shown_gaps(boundary)
    for gap in gaps[:SHOWN_GAPS]:
        yield f"  ? {visible(gap.message)}  {style.dim(visible(spot(gap.spot, context)))}"
    if len(gaps) > SHOWN_GAPS:
        yield style.dim(f"  ? and {len(gaps) - SHOWN_GAPS} more, see --format json")


def _way(finding: Finding, context: ReportContext) -> Iterator[str]:
    style, diagnostic = context.style, finding.diagnostic
    for number, step in enumerate(diagnostic.trail, start=1):
        where = place(step.location, context, column=False)
        text = " ".join(context.row_text(step.location, step.location.start.row).split())[:_LONGEST]
        yield f"    {number}. {visible(step.message)}  {style.accent(visible(where))}  {style.dim(visible(text))}"
    fix = diagnostic.fix
    if fix is not None and fix.applicability is not Applicability.DISPLAY:
        flag = "--fix" if fix.applicability is Applicability.SAFE else "--fix --unsafe-fixes"
        yield f"    {style.heading('fix:')} {visible(fix.message)} ({flag})"
    elif diagnostic.help:
        yield f"    {style.heading('help:')} {visible(diagnostic.help)}"
