"""The report as Markdown, for a comment on a pull request or an issue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lintpickle.saved_files.formats import InspectionPage
from lintpickle.saved_files.formats._words import (
    SCANNER,
    closing,
    explanation,
    headline,
    outcome_of,
    part_line,
    remarks,
    trouble,
)
from lintpickle.saved_files.records import Inspection, Need, TorchVerdict
from lintpickle.terminal import visible

_ACTIVE = re.compile(r"([\\`*_{}\[\]<>()#+!|~@&])")


class Markdown:
    """A heading for each file, what is wrong, and a table of what it asks for."""

    human = False

    def render(self, inspections: Sequence[Inspection], page: InspectionPage) -> str:
        blocks = ["\n".join(_block(each, page)) for each in inspections]
        return "\n\n".join([*blocks, closing(list(inspections))]) + "\n"


def _plain(text: str) -> str:
    """Text in which nothing is Markdown, except for pairs of backticks around code of ours."""
    return _ACTIVE.sub(r"\\\1", visible(text))


def _code(text: str) -> str:
    """Text as code, whatever stands in it."""
    text = visible(text)
    fence = "`" * (max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
    inner = f" {text} " if text.startswith("`") or text.endswith("`") else text
    return f"{fence}{inner}{fence}".replace("|", "\\|")


def _block(found: Inspection, page: InspectionPage) -> Iterator[str]:
    yield f"### {_code(page.path(found.path))}"
    yield ""
    yield f"{_plain(headline(found))}"
    yield ""
    yield from (f"- {_plain(part_line(part))}" for part in found.contents.parts)
    yield from (f"- **error**: {_plain(line)}" for line in trouble(found))
    for need in found.dangers:
        assert need.danger is not None
        yield f"- **runs code**: {_code(need.path)}: loading the file calls it, and it {need.danger.does}"
    if found.dangers:
        yield f"- {SCANNER}"
    for need in found.missing:
        yield f"- **missing**: {_code(need.path)}: {_plain('; '.join(explanation(need)))}{_elsewhere(need, page)}"
    yield from (f"- {_plain(line)}" for line in remarks(found))
    if found.cures:
        yield from ("", "Before loading:", "", *_fenced(found.cures))
    for verdict in found.verdicts:
        yield from _verdict(verdict)
    if found.needs:
        yield from ("", "| global | count | where |", "| --- | --- | --- |")
        yield from (_row(need, page) for need in found.needs)


def _elsewhere(need: Need, page: InspectionPage) -> str:
    places = (f"{_code(place.path)} ({_plain(page.place(place.location))})" for place in need.elsewhere)
    said = ", ".join(places)
    return f"; it may be {said} now" if said else ""


def _verdict(verdict: TorchVerdict) -> Iterator[str]:
    yield ""
    yield f"`torch.load(weights_only=True)` of torch {verdict.torch}: **{outcome_of(verdict)}**"
    yield ""
    yield from (f"- not allowed by default: {_code(path)}" for path in verdict.refused)
    yield from (f"- cannot be allowed: {_plain(never.what)}" for never in verdict.never)
    yield from (f"- may be refused: {_plain(line)}" for line in verdict.unsure)
    if verdict.allow is not None:
        yield from ("", "If you trust the file:", "", *_fenced((*verdict.imports, verdict.allow)))


def _fenced(lines: Sequence[str]) -> list[str]:
    shown = [visible(line) for line in lines]
    longest = max((len(run) for line in shown for run in re.findall(r"`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}python", *shown, fence]


def _row(need: Need, page: InspectionPage) -> str:
    where = need.standing.value
    if need.place is not None:
        where += f": {page.place(need.place.location)}"
    return f"| {_code(need.path)} | {need.asked} | {_plain(where)} |"
