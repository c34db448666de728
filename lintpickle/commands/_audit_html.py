"""An audit as one self-contained HTML page, like that of `lintpickle graph`: packages fold, what is reached is open."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from lintpickle.audit import Audit, AuditedDistribution, Culprit
from lintpickle.commands._audit_text import hazard_counts, in_classes, place_of, what_of
from lintpickle.graph.page import hides, page, placed, safe
from lintpickle.report.summary import plural


def audit_html(result: Audit, cwd: Path) -> str:
    """The page: a section for each distribution, those first that the project reaches."""
    ordered = sorted(result.distributions, key=lambda each: (not _reached(each), not each.culprits, each.name))
    body = "\n".join(part for each in ordered for part in _distribution(each, cwd))
    found = plural(len(result.culprits), "hazard")
    reached = sum(bool(culprit.reached) for culprit in result.culprits)
    lead = f"{plural(len(result.distributions), 'package')}: {found}, {reached} reached by the project's own code"
    only = "Only what is reached" if reached and hides(body) else None
    return page(f"lintpickle: {found}", "What in installed packages cannot be shipped", lead, only, body, False)


def _reached(distribution: AuditedDistribution) -> bool:
    return any(culprit.reached for culprit in distribution.culprits)


def _distribution(distribution: AuditedDistribution, cwd: Path) -> Iterator[str]:
    is_reached = _reached(distribution)
    quiet, is_open = ("", " open") if is_reached else (' class="quiet"', "")
    name = f"{distribution.name} {distribution.version}".strip()
    count = "" if distribution.culprits else '<span class="good">✓</span>'
    yield f"<section{quiet}><details{is_open}><summary><h2>{safe(name)}</h2>{count}"
    yield f'<span class="note">{safe(hazard_counts(distribution))}</span></summary><div class="in">'
    ordered = in_classes(distribution)
    for (_, class_name), culprits in groupby(ordered, key=lambda each: (each.location.path, each.class_name)):
        listed = list(culprits)
        some = any(culprit.reached for culprit in listed)
        yield f'<details{" open" if some else ""} class="{"" if some else "quiet"}"><summary>'
        yield f'<span class="label">{safe(class_name or "(module)")}</span></summary><div class="in">'
        for culprit in listed:
            yield from _culprit(culprit, cwd)
        yield "</div></details>"
    yield "</div></details></section>"


def _culprit(culprit: Culprit, cwd: Path) -> Iterator[str]:
    badge = f'<span class="badge" title="{safe(culprit.message)}">{culprit.code} {safe(culprit.name)}</span>'
    classes = "leaf hazard" if culprit.reached else "leaf quiet"
    yield f'<div class="{classes}"><span class="what">{safe(what_of(culprit))}</span>{badge}'
    yield placed(place_of(culprit.location, cwd))
    if culprit.error is not None:
        yield f'<span class="error">{safe(culprit.error)}</span>'
    yield "</div>"
    for location in culprit.reached:
        yield f'<div class="leaf note">reached by{placed(place_of(location, cwd))}</div>'
