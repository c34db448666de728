"""The report for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintpickle.saved_files.formats import InspectionPage
from lintpickle.saved_files.formats._words import (
    REFUSED,
    REFUSED_RULE,
    SCANNER,
    closing,
    explanation,
    headline,
    outcome_of,
    part_line,
    remarks,
    times,
    trouble,
)
from lintpickle.saved_files.records import Inspection, Need, Standing, TorchVerdict
from lintpickle.terminal import Style, visible

_FOUND = (Standing.PROJECT, Standing.ENVIRONMENT, Standing.STANDARD_LIBRARY, Standing.ARCHIVE, Standing.UNSEEN)
_TITLES = {
    Standing.PROJECT: "defined in the project",
    Standing.ENVIRONMENT: "defined in the environment",
    Standing.STANDARD_LIBRARY: "defined in the standard library",
    Standing.ARCHIVE: "brought along in the file",
    Standing.UNSEEN: "not visible in source (made while a module is imported, or compiled)",
}


class Full:
    """What is wrong first, then everything that a file asks for."""

    human = True

    def render(self, inspections: Sequence[Inspection], page: InspectionPage) -> str:
        blocks = [
            "\n".join(visible(line) if not page.color else line for line in _block(each, page)) for each in inspections
        ]
        return "\n\n".join([*(block.rstrip("\n") for block in blocks), closing(list(inspections))]) + "\n"


def _block(found: Inspection, page: InspectionPage) -> Iterator[str]:
    style = page.style
    yield f"{style.heading(visible(page.path(found.path)))}  {headline(found)}"
    for part in found.contents.parts:
        yield f"  {visible(part_line(part))}"
    for line in trouble(found):
        yield f"  {style.error('error')}: {visible(line)}"
    for need in found.dangers:
        yield from _danger(need, style)
    if found.dangers:
        yield f"    = {SCANNER}"
    for need in found.missing:
        yield from _missing(need, page, style)
    yield from _cures(found)
    for verdict in found.verdicts:
        yield from _verdict(verdict, style)
    for standing in _FOUND:
        yield from _listed([need for need in found.needs if need.standing is standing], standing, page, style)
    for line in remarks(found):
        yield f"  {style.heading('note')}: {visible(line)}"


def _danger(need: Need, style: Style) -> Iterator[str]:
    assert need.danger is not None
    yield f"  {style.error('runs code')}: {visible(need.path)} {times(need.asked)}".rstrip()
    yield f"    = loading the file calls it, and it {need.danger.does}"


def _missing(need: Need, page: InspectionPage, style: Style) -> Iterator[str]:
    yield f"  {style.error('missing')}: {visible(need.path)} {times(need.asked)}".rstrip()
    for line in explanation(need):
        yield f"    = {visible(line)}"
    for place in need.elsewhere:
        yield f"    = it may be {visible(place.path)} now: {visible(page.place(place.location))}"
    if not need.elsewhere:
        yield f"    = nothing called {visible(need.name)} is defined in the project"


def _cures(found: Inspection) -> Iterator[str]:
    if found.cures:
        yield "  help: before loading, let the names in the file lead to where things are now, then write it again:"
        yield ""
        yield from (f"      {visible(line)}" for line in found.cures)
        yield ""


def _verdict(verdict: TorchVerdict, style: Style) -> Iterator[str]:
    outcome = outcome_of(verdict)
    painted = style.error(outcome) if outcome == REFUSED else outcome
    yield f"  torch.load(weights_only=True) of torch {verdict.torch}: {painted}"
    if verdict.refused:
        yield f"    = not allowed by default: {visible(', '.join(verdict.refused))} (`lintpickle rule {REFUSED_RULE}`)"
    for never in verdict.never:
        yield f"    = cannot be allowed: {visible(never.what)}"
    for line in verdict.unsure:
        yield f"    = may be refused: {visible(line)}"
    if verdict.allow is not None:
        rest = "all but that" if verdict.never else "what it needs"
        yield f"  help: if you trust the file, this allows {rest}:"
        yield ""
        yield from (f"      {visible(line)}" for line in (*verdict.imports, verdict.allow))
        yield ""


def _listed(needs: list[Need], standing: Standing, page: InspectionPage, style: Style) -> Iterator[str]:
    if not needs:
        return
    yield f"  {_TITLES[standing]}:"
    width = min(60, max(len(visible(need.path)) for need in needs))
    for need in needs:
        where = visible(page.place(need.place.location)) if need.place is not None else ""
        how = " by getattr" if need.by_getattr else ""
        yield f"    {visible(need.path):<{width}}  {times(need.asked)}{how}  {style.dim(where)}".rstrip()
