"""One self-contained page, like that of `lintpickle graph`: boundaries that fold, what is to do open from the start."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from lintpickle.graph.page import page
from lintpickle.migration.model import Boundary, Finding, Migration, Verdict
from lintpickle.migration.wording import headline, left_to_do, outcome, spot, title, totals
from lintpickle.report.context import ReportContext
from lintpickle.terminal import visible


class Html:
    name = "html"
    human = False

    def render(self, migration: Migration, context: ReportContext) -> str:
        parts = [part for boundary in migration.boundaries for part in _boundary(boundary, context)]
        body = "\n".join([*parts, *_pins(migration, context)])
        heading = _safe(title(migration))
        is_filtered = not migration.is_ready
        return page(
            f"lintpickle: {heading}", heading, _safe(totals(migration)), "Only what is to do", body, is_filtered
        )


def _boundary(boundary: Boundary, context: ReportContext) -> Iterator[str]:
    is_ready = boundary.verdict is Verdict.READY
    quiet, is_open = (' class="quiet"', "") if is_ready else ("", " open")
    mark = "good" if is_ready else "badge"
    yield f'<section{quiet}><details{is_open}><summary><span class="{mark}">{boundary.verdict.value}</span>'
    yield f"<h2>{_safe(headline(boundary))}</h2>{_place(spot(boundary.spot, context))}</summary>"
    yield '<div class="in">'
    for finding in boundary.findings:
        yield from _finding(finding, context)
    for gap in boundary.gaps:
        yield f'<div class="leaf unknown"><span>? {_safe(gap.message)}</span>{_place(spot(gap.spot, context))}</div>'
    yield "</div></details></section>"


def _finding(finding: Finding, context: ReportContext) -> Iterator[str]:
    diagnostic, error = finding.diagnostic, outcome(finding)
    place = f"{context.relative(diagnostic.location.path)}:{diagnostic.location.start.row}"
    badge = f'<span class="badge">{diagnostic.code} {_safe(diagnostic.name)}</span>'
    yield f'<div class="leaf hazard">{badge}<span>{_safe(diagnostic.told)}</span>{_place(place)}'
    yield f'<span class="error">{_safe(error)}</span></div>' if error is not None else "</div>"
    for step in diagnostic.trail:
        where = f"{context.relative(step.location.path)}:{step.location.start.row}"
        yield f'<div class="leaf note"><span>{_safe(step.message)}</span>{_place(where)}</div>'
    advice = diagnostic.fix.message if diagnostic.fix is not None else diagnostic.help
    if advice:
        yield f'<div class="leaf"><span class="what">{_safe(advice)}</span></div>'


def _pins(migration: Migration, context: ReportContext) -> Iterator[str]:
    if migration.pins:
        yield "<section><details open><summary><h2>Where fork is asked for</h2></summary>"
        yield '<div class="in">'
        for pin in migration.pins:
            yield f'<div class="leaf"><span class="label">{_safe(pin.text)}</span>'
            yield f'<span class="note">{_safe(left_to_do(migration, pin))}</span>'
            yield f"{_place(spot(pin.spot, context))}</div>"
        yield "</div></details></section>"


def _place(text: str) -> str:
    return f'<span class="place">{_safe(text)}</span>'


def _safe(text: str) -> str:
    return escape(visible(text))
