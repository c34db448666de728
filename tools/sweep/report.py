"""Sweeps as Markdown, short enough for a comment on a change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tools.sweep.comparing import Change
from tools.sweep.results import Finding, Result, slow, typical_cost
from tools.sweep.verdicts import Count, Verdict, Verdicts, tally

CONFIDENCES = ("certain", "likely", "possible")
_SHOWN = 50
"""So many findings are listed one by one; of the rest, the number is told."""


def overview(results: Sequence[Result], factor: float = 5.0) -> Iterator[str]:
    """What a sweep cost, what it found by rule, and which trees are out of the ordinary."""
    lines = sum(result.lines for result in results)
    yield f"{len(results)} trees, {lines:,} lines; {sum(1 for r in results if r.ended)} ended. " + (
        f"CPU per 1,000 lines: median {typical_cost(results) * 1000:.0f} ms. "
        f"Largest process: {max((result.peak for result in results), default=0):.0f} MB."
    )
    yield ""
    yield from by_rule(found for result in results for found in result.findings)
    yield ""
    yield from _table(
        ("tree out of the ordinary", "lines", "CPU s", "ms per 1,000 lines", "MB", "exit status"),
        (
            (each.tree, f"{each.lines:,}", f"{each.cpu:.0f}", f"{each.cost * 1000:.0f}", f"{each.peak:.0f}", _end(each))
            for each in slow(results, factor)
        ),
    )


def by_rule(findings: Iterable[Finding]) -> Iterator[str]:
    """Findings by rule and confidence, and how many of them stand outside of the library's own code."""
    counts: Counter[tuple[str, str]] = Counter()
    for finding in findings:
        counts[finding.code, finding.confidence] += 1
        counts[finding.code, "library"] += finding.part == "library"
    columns = (*CONFIDENCES, "library")
    yield from _table(
        ("rule", *CONFIDENCES, "in library code"),
        ((code, *(str(counts[code, column]) for column in columns)) for code in sorted({code for code, _ in counts})),
    )


def changes(found: Sequence[Change], verdicts: Verdicts, factor: float = 1.25) -> Iterator[str]:
    """What one sweep has that the other has not, with the verdicts, and where the time went up or down."""
    old, new = sum(each.old.cpu for each in found), sum(each.new.cpu for each in found)
    added, gone = sum(len(each.added) for each in found), sum(len(each.gone) for each in found)
    yield (
        f"{len(found)} trees: {added} findings added, {gone} gone, {sum(len(each.moved) for each in found)} of another "
        f"confidence. CPU {old:.0f} s -> {new:.0f} s."
    )
    for title, lines in (
        ("gone", [_line(change.old, each, verdicts) for change in found for each in change.gone]),
        ("added", [_line(change.new, each, verdicts) for change in found for each in change.added]),
        (
            "another confidence",
            [
                f"{_line(change.new, each, verdicts)} (was {before})"
                for change in found
                for before, each in change.moved
            ],
        ),
    ):
        if lines:
            yield from ("", f"**{title}** ({len(lines)})", "", *_listed(lines))
    rows = [each for each in found if not 1 / factor < each.ratio < factor and max(each.old.cpu, each.new.cpu) > 2]
    yield ""
    yield from _table(
        ("time", "CPU s before", "CPU s after", "ratio", "exit status"),
        (
            (e.tree, f"{e.old.cpu:.1f}", f"{e.new.cpu:.1f}", f"{e.ratio:.2f}", f"{_end(e.old)} -> {_end(e.new)}")
            for e in sorted(rows, key=lambda each: -each.ratio)
        ),
    )


def precision(results: Sequence[Result], verdicts: Verdicts) -> Iterator[str]:
    """How many findings bite, by rule and by confidence."""
    counts = tally(results, verdicts)
    yield from precision_table(counts)
    lost = [each for each in verdicts.unseen(results) if each.judgement.value == "bites"]
    if lost:
        yield from ("", f"**no longer reported, though they bite** ({len(lost)})", "", *map(_verdict, lost))
    unread = list(verdicts.unread(results))
    if unread:
        yield from ("", f"**nobody has read** ({len(unread)})", "")
        yield from _listed([_line(result, finding, verdicts) for result, finding in unread])


def precision_table(counts: Mapping[tuple[str, str], Count]) -> Iterator[str]:
    """A table of counts by rule and confidence, with the sums of each confidence at its end."""
    sums = {name: sum((c for (_, n), c in counts.items() if n == name), Count()) for name in CONFIDENCES}
    rows = [*counts.items(), *((("all", name), total) for name, total in sums.items() if total != Count())]
    yield from _table(
        ("rule", "confidence", "bites", "letter", "false", "bite of those read", "not read"),
        (
            (code, name, str(c.bites), str(c.letter), str(c.false), share(c.bites, c.read), str(c.unread))
            for (code, name), c in rows
        ),
    )


def share(part: int, whole: int) -> str:
    """A percentage; "-" of nothing."""
    return f"{100 * part / whole:.0f} %" if whole else "-"


def _line(result: Result, finding: Finding, verdicts: Verdicts) -> str:
    verdict = verdicts.on(result, finding)
    judged = f" [{verdict.judgement.value}]" if verdict else ""
    return f"* {result.tree} {finding.place} {finding.code} {finding.confidence}{judged}: {finding.message}"


def _verdict(verdict: Verdict) -> str:
    return f"* {verdict.tree} {verdict.place} {verdict.code}: {verdict.message}"


def _listed(lines: Sequence[str]) -> Iterator[str]:
    yield from lines[:_SHOWN]
    if len(lines) > _SHOWN:
        yield f"* and {len(lines) - _SHOWN} more"


def _end(result: Result) -> str:
    return "time limit" if result.status is None else str(result.status)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A Markdown table; nothing if it has no rows."""
    body = [f"| {' | '.join(row)} |" for row in rows]
    if body:
        yield f"| {' | '.join(head)} |"
        yield f"|{' --- |' * len(head)}"
        yield from body
