"""For an issue or a pull request: Markdown with boxes to tick."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.migration.model import Boundary, Migration, Verdict
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
from lintpickle.rulebook.summaries import rule_url
from lintpickle.terminal import visible

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|@!~])")


class Markdown:
    name = "markdown"
    human = False

    def render(self, migration: Migration, context: ReportContext) -> str:
        return "".join(f"{line}\n" for line in _lines(migration, context))


def _lines(migration: Migration, context: ReportContext) -> Iterator[str]:
    yield f"## {title(migration)}"
    yield ""
    yield totals(migration)
    for verdict in Verdict:
        boundaries = [boundary for boundary in migration.counted if boundary.verdict is verdict]
        if boundaries:
            yield ""
            yield f"### {verdict.value.capitalize()}"
            yield ""
            for boundary in boundaries:
                yield from _boundary(boundary, context)
    if migration.pins:
        yield ""
        yield "### Where fork is asked for"
        yield ""
        yield "| place | code | left to do |"
        yield "| --- | --- | --- |"
        for pin in migration.pins:
            cells = (_code(spot(pin.spot, context)), _code(pin.text), _text(left_to_do(migration, pin)))
            yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _boundary(boundary: Boundary, context: ReportContext) -> Iterator[str]:
    box = "[x]" if boundary.verdict is Verdict.READY else "[ ]"
    today = pinned(boundary, context)
    added = f": {_text(today)}" if today is not None else ""
    yield f"- {box} {_code(spot(boundary.spot, context))} {_code(headline(boundary))}{added}"
    for finding in boundary.findings:
        diagnostic = finding.diagnostic
        where = place(diagnostic.location, context, column=False)
        rule = f"[{diagnostic.code}]({rule_url(diagnostic.code, diagnostic.name)})"
        yield f"  - {rule} {_code(where)}: {_text(diagnostic.told)}"
        error = outcome(finding)
        if error is not None:
            yield f"    {_code(error)}"
        comment = hidden(finding, context)
        if comment is not None:
            yield f"    {_text(comment)}"
        advice = diagnostic.fix.message if diagnostic.fix is not None else diagnostic.help
        if advice:
            yield f"    *{_text(advice)}*"
    gaps = shown_gaps(boundary)
    for gap in gaps[:SHOWN_GAPS]:
        yield f"  - {_text(gap.message)} ({_code(spot(gap.spot, context))})"
    if len(gaps) > SHOWN_GAPS:
        yield f"  - and {len(gaps) - SHOWN_GAPS} more"


def _text(text: str) -> str:
    """Text of which nothing is taken for Markdown but code in backquotes."""
    parts = re.split(r"(`[^`\n]+`)", visible(text))
    return "".join(part if index % 2 else _SPECIAL.sub(r"\\\1", part) for index, part in enumerate(parts))


def _code(text: str) -> str:
    """A code span that holds whatever the text does."""
    shown = visible(" ".join(text.split()))
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence, pad = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{pad}{shown}{pad}{fence}"
