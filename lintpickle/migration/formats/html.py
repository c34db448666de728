"""One self-contained page, like that of `lintpickle graph`: boundaries that fold, what is to do open from the start."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.graph.page import page, placed, safe
from lintpickle.migration.model import Boundary, Finding, Migration, Verdict
from lintpickle.migration.wording import headline, hidden, left_to_do, outcome, pinned, shown_gaps, spot, title, totals
from lintpickle.report.common import place
from lintpickle.report.context import ReportContext


class Html:
    name = "html"
    human = False

    def render(self, migration: Migration, context: ReportContext) -> str:
        parts = [part for boundary in migration.counted for part in _boundary(boundary, context)]
        body = "\n".join([*parts, *_pins(migration, context)])
        heading = safe(title(migration))
        ready = [boundary.verdict is Verdict.READY for boundary in migration.counted]
        only = "Only what is to do" if any(ready) and not all(ready) else None
        return page(f"lintpickle: {heading}", heading, safe(totals(migration)), only, body, not migration.is_ready)


def _boundary(boundary: Boundary, context: ReportContext) -> Iterator[str]:
    is_ready = boundary.verdict is Verdict.READY
    quiet, is_open = (' class="quiet"', "") if is_ready else ("", " open")
    mark = "good" if is_ready else "badge"
    yield f'<section{quiet}><details{is_open}><summary><span class="{mark}">{boundary.verdict.value}</span>'
    today = pinned(boundary, context)
    shown = f"{headline(boundary)}: {today}" if today is not None else headline(boundary)
    yield f"<h2>{safe(shown)}</h2>{placed(spot(boundary.spot, context))}</summary>"
    yield '<div class="in">'
    for finding in boundary.findings:
        yield from _finding(finding, context)
    for gap in shown_gaps(boundary):
        yield f'<div class="leaf unknown"><span>? {safe(gap.message)}</span>{placed(spot(gap.spot, context))}</div>'
    yield "</div></details></section>"


def _finding(finding: Finding, context: ReportContext) -> Iterator[str]:
    diagnostic, error = finding.diagnostic, outcome(finding)
    where = place(diagnostic.location, context, column=False)
    badge = f'<span class="badge">{diagnostic.code} {safe(diagnostic.name)}</span>'
    yield f'<div class="leaf hazard">{badge}<span>{safe(diagnostic.told)}</span>{placed(where)}'
    yield f'<span class="error">{safe(error)}</span></div>' if error is not None else "</div>"
    comment = hidden(finding, context)
    if comment is not None:
        yield f'<div class="leaf note"><span>{safe(comment)}</span></div>'
    for step in diagnostic.trail:
        where = place(step.location, context, column=False)
        yield f'<div class="leaf note"><span>{safe(step.message)}</span>{placed(where)}</div>'
    advice = diagnostic.fix.message if diagnostic.fix is not None else diagnostic.help
    if advice:
        yield f'<div class="leaf"><span class="what">{safe(advice)}</span></div>'


def _pins(migration: Migration, context: ReportContext) -> Iterator[str]:
    if migration.pins:
        yield "<section><details open><summary><h2>Where fork is asked for</h2></summary>"
        yield '<div class="in">'
        for pin in migration.pins:
            yield f'<div class="leaf"><span class="label">{safe(pin.text)}</span>'
            yield f'<span class="note">{safe(left_to_do(migration, pin))}</span>'
            yield f"{placed(spot(pin.spot, context))}</div>"
        yield "</div></details></section>"
