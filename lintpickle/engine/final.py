"""From the diagnostics of a run to those that are shown: comments suppress some, and only fixes that the settings allow
remain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from lintpickle.diagnostics import Applicability, Diagnostic, PlaceKind
from lintpickle.engine.project import Analysis
from lintpickle.profiling import Part, running
from lintpickle.selection import RuleSelection
from lintpickle.settings import SettingsResolver
from lintpickle.suppressions.applying import PlacesLeft, without_suppressed


def final_diagnostics(
    analysis: Analysis,
    paths: Iterable[str],
    found: Mapping[str, Sequence[Diagnostic]],
    resolver: SettingsResolver,
) -> dict[str, list[Diagnostic]]:
    """Diagnostics by path after suppressions. Fixes that the settings do not allow for a rule are only displayed."""
    final: dict[str, list[Diagnostic]] = {}
    places = PlacesLeft(
        lambda path: analysis.files.document(path) if analysis.files.may_suppress(path) else None,
        analysis.selections.selects,
    )
    for path in paths:
        kept = list(found[path])
        document = analysis.files.document(path) if kept or analysis.files.may_suppress(path) else None
        if document is not None:
            selection = analysis.selections.selection(resolver.for_path(path))
            with running(Part.SUPPRESS, path):
                kept = without_suppressed(document, kept, selection, analysis.places_in(path))
                left = (places.of(diagnostic) if diagnostic.related else diagnostic for diagnostic in kept)
                kept = [_fixable(diagnostic, selection) for diagnostic in left if diagnostic is not None]
        kind = analysis.kind_of_place(path) if kept else PlaceKind.LIBRARY
        if kind is not PlaceKind.LIBRARY:
            kept = [replace(diagnostic, where=kind) for diagnostic in kept]
        final[path] = kept
    return final


def _fixable(diagnostic: Diagnostic, selection: RuleSelection) -> Diagnostic:
    return diagnostic if diagnostic.code in selection.fixable else with_display_fix(diagnostic)


def with_display_fix(diagnostic: Diagnostic) -> Diagnostic:
    if diagnostic.fix is None:
        return diagnostic
    return replace(diagnostic, fix=replace(diagnostic.fix, applicability=Applicability.DISPLAY))
