"""The order of the findings in a report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from lintpickle.diagnostics import STRENGTH, Diagnostic, Position
from lintpickle.source.file_kinds import order_of_kind

_ABOUT_FILES = "LP9"
ReportPlace: TypeAlias = tuple[str, int, Position, str]


def order_for_people(diagnostic: Diagnostic) -> tuple[bool, int, int, ReportPlace]:
    """What to sort by: the most certain first, the library before examples before tests, then by place. What is said of
    files and comments as such comes last."""
    about_file = diagnostic.code.startswith(_ABOUT_FILES)
    order = STRENGTH[diagnostic.confidence]
    return (about_file, order, order_of_kind(diagnostic.where), order_of_places(diagnostic))


def order_of_places(diagnostic: Diagnostic) -> ReportPlace:
    """What to sort by for programs: by path, cell, row, column and code."""
    location = diagnostic.location
    return (location.path, location.cell or 0, location.start, diagnostic.code)


def by_file(diagnostics: Iterable[Diagnostic]) -> dict[str, list[Diagnostic]]:
    """The diagnostics of each file, files in the order of their first ones."""
    files: dict[str, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        files.setdefault(diagnostic.location.path, []).append(diagnostic)
    return files
