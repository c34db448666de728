"""How an audit is written: for people, and as JSON."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from lintpickle.audit import Audit, AuditedDistribution, Culprit
from lintpickle.diagnostics import Location
from lintpickle.report.common import to_json
from lintpickle.report.summary import plural
from lintpickle.terminal import Style, text_width, visible


def only_reached(result: Audit) -> Audit:
    """The audit, reduced to what the project's own code reaches."""
    kept = (
        replace(each, culprits=tuple(culprit for culprit in each.culprits if culprit.reached))
        for each in result.distributions
    )
    return replace(result, distributions=tuple(kept))


def audit_text(result: Audit, cwd: Path, style: Style) -> str:
    """Distributions with their classes and attributes; what the project reaches comes with its own line."""
    blocks = [_block(each, cwd, style) for each in result.distributions if each.culprits]
    clean = [each.name for each in result.distributions if not each.culprits]
    return "\n".join([*blocks, _summary(result, clean, style)])


def _block(distribution: AuditedDistribution, cwd: Path, style: Style) -> str:
    version = f" {distribution.version}" if distribution.version else ""
    head = style.heading(f"{distribution.name}{version}")
    lines = [f"{head}  {style.dim(hazard_counts(distribution))}"]
    width = max(_width(culprit) for culprit in distribution.culprits)
    for (_, class_name), culprits in groupby(in_classes(distribution), key=lambda c: (c.location.path, c.class_name)):
        lines.append(f"  {style.bold(visible(class_name or '(module)'))}")
        for culprit in culprits:
            lines += _lines(culprit, width, cwd, style)
    return "".join(f"{line}\n" for line in lines)


def in_classes(distribution: AuditedDistribution) -> list[Culprit]:
    """The culprits of each class of a file together, those first that the project reaches."""
    return sorted(distribution.culprits, key=lambda c: (not c.reached, c.location.path, c.class_name or ""))


def hazard_counts(distribution: AuditedDistribution) -> str:
    """How many hazards there are, how many are reached, and how much was read."""
    reached = sum(bool(culprit.reached) for culprit in distribution.culprits)
    return (
        f"{plural(len(distribution.culprits), 'hazard')}, {reached} reached, {plural(distribution.files, 'file')} read"
    )


def what_of(culprit: Culprit) -> str:
    """What of its class or module a culprit is."""
    return f".{culprit.attribute}" if culprit.class_name is not None else culprit.attribute


def _width(culprit: Culprit) -> int:
    return text_width(f"{what_of(culprit)}  {culprit.code} {culprit.name}")


def _lines(culprit: Culprit, width: int, cwd: Path, style: Style) -> Iterator[str]:
    mark = style.error("✗") if culprit.reached else " "
    gap = " " * (width - _width(culprit) + 2)
    code = f"{style.error(culprit.code)} {culprit.name}"
    where = style.dim(place_of(culprit.location, cwd))
    yield f"  {mark} {visible(what_of(culprit))}  {code}{gap}{where}"
    for location in culprit.reached:
        yield f"      {style.bad('reached by')} {place_of(location, cwd)}"


def place_of(location: Location, cwd: Path) -> str:
    """A place with the path as the package or the project has it."""
    path = location.path
    for installed in ("site-packages", "dist-packages"):
        _, found, rest = path.partition(f"{os.sep}{installed}{os.sep}")
        if found:
            return f"{rest}:{location.start.row}"
    shown = os.path.relpath(path, cwd) if Path(path).is_relative_to(cwd) else path
    return f"{shown}:{location.start.row}"


def _summary(result: Audit, clean: list[str], style: Style) -> str:
    if not result.distributions:
        return "The project imports no installed package that could be read.\n"
    reached = sum(bool(culprit.reached) for culprit in result.culprits)
    found = plural(len(result.culprits), "hazard")
    text = f"{plural(len(result.distributions), 'package')}: {found}, {reached} reached by the project's own code.\n"
    if clean:
        text += style.dim(f"Without a hazard: {', '.join(clean)}") + "\n"
    return text


def audit_json(result: Audit) -> str:
    """The audit for programs."""
    return to_json([_distribution(each) for each in result.distributions])


def _distribution(distribution: AuditedDistribution) -> dict[str, Any]:
    return {
        "distribution": distribution.name,
        "version": distribution.version or None,
        "files": distribution.files,
        "hazards": [_culprit(culprit) for culprit in distribution.culprits],
    }


def _culprit(culprit: Culprit) -> dict[str, Any]:
    return {
        "code": culprit.code,
        "name": culprit.name,
        "class": culprit.class_name,
        "attribute": culprit.attribute,
        "message": culprit.message,
        "error": culprit.error,
        "confidence": culprit.confidence.value,
        **_location(culprit.location),
        "reached": [_location(location) for location in culprit.reached],
    }


def _location(location: Location) -> dict[str, Any]:
    return {"filename": location.path, "row": location.start.row, "column": location.start.column}
