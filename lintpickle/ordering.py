"""The order in which a report tells its findings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from lintpickle.diagnostics import Confidence, Diagnostic, Position
from lintpickle.source.kinds_of_place import order_of_kind

_ORDER = {Confidence.CERTAIN: 0, Confidence.LIKELY: 1, Confidence.POSSIBLE: 2}
_ABOUT_FILES = "LP9"
Order: TypeAlias = tuple[bool, int, int, str, int, Position, str, str]


def order_in_report(diagnostic: Diagnostic) -> Order:
    """What to sort by: the most certain first, the library before examples before tests, then by path and position.
    What is said of files and comments as such comes last."""
    location = diagnostic.location
    return (
        diagnostic.code.startswith(_ABOUT_FILES),
        _ORDER[diagnostic.confidence],
        order_of_kind(diagnostic.where),
        location.path,
        location.cell or 0,
        location.start,
        diagnostic.code,
        diagnostic.message,
    )


def by_file(diagnostics: Iterable[Diagnostic]) -> dict[str, list[Diagnostic]]:
    """The diagnostics of each file, files in the order of their first ones."""
    files: dict[str, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        files.setdefault(diagnostic.location.path, []).append(diagnostic)
    return files
