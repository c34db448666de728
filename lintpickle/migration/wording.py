"""What several formats say in the same words."""

from __future__ import annotations

from collections.abc import Iterable

from lintpickle.migration.model import Boundary, Finding, Gap, Migration, Pin, Spot, Verdict
from lintpickle.report.context import ReportContext
from lintpickle.report.summary import plural
from lintpickle.settings import Origin

SHOWN_GAPS = 4
"""So many gaps of one boundary a report for people has."""


def title(migration: Migration) -> str:
    """What the report is about."""
    return f"Off fork: to {migration.to.value}, Python {migration.python}"


def totals(migration: Migration) -> str:
    """How many boundaries there are of each verdict."""
    if not migration.boundaries:
        return f"No code was found whose processes depend on the start method ({plural(migration.files, 'file')} read)."
    parts = [f"{migration.count(verdict)} {phrase}" for verdict, phrase in _COUNTED.items()]
    count = len(migration.counted)
    boundaries = "1 boundary" if count == 1 else f"{count} boundaries"
    pinned = sum(boundary.works_pinned for boundary in migration.boundaries)
    today = f" {pinned} {'works' if pinned == 1 else 'work'} today, while fork is asked for." if pinned else ""
    return f"{boundaries} in {plural(migration.files, 'file')}: {', '.join(parts)}.{today}{_hidden(migration)}"


def _hidden(migration: Migration) -> str:
    """How many findings comments and settings hide, of those that count here and of the others."""
    here, elsewhere = migration.hidden_here, migration.hidden
    parts = []
    if here:
        told = "that a comment hides counts" if here == 1 else "that comments hide count"
        parts.append(f"{plural(here, 'finding')} {told} here.")
    if elsewhere:
        told = "is hidden by a comment, and does" if elsewhere == 1 else "are hidden by comments, and do"
        parts.append(f"{plural(elsewhere, 'finding')} to which no boundary leads {told} not count.")
    for codes, one, more in (
        (
            migration.off_here,
            "counts here although the settings switch its rule off",
            "count here although the settings switch their rules off",
        ),
        (
            migration.off_elsewhere,
            "to which no boundary leads is of a rule that the settings switch off, and does not count",
            "to which no boundary leads are of rules that the settings switch off, and do not count",
        ),
    ):
        if codes:
            parts.append(f"{plural(len(codes), 'finding')} {one if len(codes) == 1 else more}: {_listed(codes)}.")
    return "".join(f" {part}" for part in parts)


def _listed(codes: Iterable[str]) -> str:
    return ", ".join(sorted(set(codes)))


_COUNTED = {
    Verdict.BREAKS: "break",
    Verdict.CHANGES: "change silently",
    Verdict.CANNOT_TELL: "cannot be told",
    Verdict.READY: "ready",
}


def spot(place: Spot, context: ReportContext) -> str:
    """`path:row` or `nb.ipynb:cell 3:row`, with the path from the working folder."""
    cell = f":cell {place.cell}" if place.cell else ""
    return f"{context.relative(place.path)}{cell}:{place.row}"


def headline(boundary: Boundary) -> str:
    """What a boundary is, and what runs there."""
    if not boundary.is_seen:
        return f"{boundary.what} (no boundary is seen that leads here)"
    return f"{boundary.what} runs {boundary.starts}" if boundary.starts else boundary.what


def pinned(boundary: Boundary, context: ReportContext) -> str | None:
    """That a boundary works as long as fork is asked for, and what becomes of it otherwise; None if that is not so."""
    if not boundary.works_pinned:
        return None
    places = ", ".join(spot(place, context) for place in boundary.forked_at)
    return f"works while fork is asked for at {places}; off fork it {_SINGLE[boundary.verdict]}"


def shown_gaps(boundary: Boundary) -> tuple[Gap, ...]:
    """What is not known of a boundary, for people: where something breaks, limits that were reached do not matter."""
    is_broken = boundary.verdict is Verdict.BREAKS
    return tuple(gap for gap in boundary.gaps if not (is_broken and gap.is_limit))


def outcome(finding: Finding) -> str | None:
    """What goes wrong at run time: the error; None if nothing fails."""
    error = finding.diagnostic.error
    if error is None:
        return None
    return f"{error} (under fork, too)" if finding.is_old else error


def hidden(finding: Finding, context: ReportContext) -> str | None:
    """That a finding counts although a comment hides it or a setting switches its rule off, and where that stands; None
    if that is not so."""
    parts = []
    if finding.hidden_at is not None:
        parts.append(f"hidden by a comment at {spot(finding.hidden_at, context)}")
    if finding.switched_off is not None:
        parts.append(
            f"switched off by `{finding.switched_off.option}` {_written(finding.switched_off.origin, context)}"
        )
    return f"{' and '.join(parts)}, counts all the same" if parts else None


def _written(origin: Origin, context: ReportContext) -> str:
    if origin.path is None:
        return "on the command line"
    path = context.relative(str(origin.path))
    return f"at {path}:{origin.row}" if origin.row is not None else f"in {path}"


def left_to_do(migration: Migration, pin: Pin) -> str:
    """What has to be done before a pin can go."""
    left = _left_to_do(migration, pin)
    return f"for macOS only, on Linux it pins nothing; {left}" if pin.only_on_mac else left


def _left_to_do(migration: Migration, pin: Pin) -> str:
    if migration.is_blind(pin):
        return "it cannot be told: no process is seen that it starts"
    left = migration.left(pin)
    if not left:
        return "nothing is left to do: it can go"
    parts = []
    for verdict, phrase in _COUNTED.items():
        count = sum(boundary.verdict is verdict for boundary in left)
        if count:
            parts.append(f"{count} {phrase if count > 1 else _SINGLE[verdict]}")
    return f"it holds {'1 boundary' if len(left) == 1 else f'{len(left)} boundaries'}: {', '.join(parts)}"


_SINGLE = {**_COUNTED, Verdict.BREAKS: "breaks", Verdict.CHANGES: "changes silently"}
