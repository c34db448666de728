"""The settings that switch off rules for `lintpickle check`. A boundary is not ready because of a setting: here all
rules judge that concern moving off fork, and it is told where the setting stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.diagnostics import Diagnostic
from lintpickle.engine.selections import Selections
from lintpickle.migration.model import SwitchedOff
from lintpickle.rulebook.known_rules import known_rules
from lintpickle.selection import parse_selector
from lintpickle.settings import Origin, Selectors, Settings, SettingsResolver

_NO_CONCERN = ("LP4", "LP5", "LP9")
"""The families of rules that say nothing of start methods."""


def judging_codes() -> frozenset[str]:
    """The codes of the rules that judge whatever the settings say: those that are on by default."""
    return frozenset(rule.code for rule in known_rules().values() if rule.default and _is_concern(rule.code))


class HidingSettings:
    """The settings of the files of a run."""

    def __init__(self, resolver: SettingsResolver, selections: Selections) -> None:
        self._resolver = resolver
        self._selections = selections

    def concerns(self, diagnostic: Diagnostic) -> bool:
        """Whether a diagnostic is of a rule that judges in its file."""
        code = diagnostic.code
        return _is_concern(code) and (
            known_rules()[code].default or self._selections.selects(code, diagnostic.location.path)
        )

    def against(self, diagnostic: Diagnostic) -> SwitchedOff | None:
        """What switches off the rule of a diagnostic in its file; None if it is on."""
        code, path = diagnostic.code, diagnostic.location.path
        settings = self._resolver.for_path(path)
        selection = self._selections.selection(settings)
        if selection.selects(code, path):
            return None
        glob = selection.glob_against(code, path)
        if glob is not None:
            return _of_glob(code, glob, settings)
        found = (each for layer in reversed(settings.layers()) for each in _of_layer(code, layer, settings))
        return next(found, SwitchedOff("select", Origin()))


def _of_glob(code: str, glob: str, settings: Settings) -> SwitchedOff:
    layers = [layer for layer in settings.layers() if layer.origins]
    for layer in reversed(layers):
        for origin in _matching(code, "per_file_ignores", settings.per_file_ignores[glob], layer):
            return SwitchedOff("per-file-ignores", origin)
    return SwitchedOff("per-file-ignores", settings.origins.get("per_file_ignores", Origin()))


def _of_layer(code: str, layer: Selectors, settings: Settings) -> Iterator[SwitchedOff]:
    """What of a layer leaves a rule off, the most telling first."""
    for option, selectors in (("ignore", layer.ignore), ("extend_ignore", layer.extend_ignore)):
        for origin in _matching(code, option, selectors, layer):
            yield SwitchedOff(option.replace("_", "-"), origin)
    if layer.select is not None:
        yield SwitchedOff("select", settings.origins.get("select", Origin()))


def _matching(code: str, option: str, selectors: Iterable[str], layer: Selectors) -> Iterator[Origin]:
    """Where selectors of a layer stand that match a rule."""
    for text in selectors:
        origin = layer.origins.get((option, text), Origin())
        if code in parse_selector(text, tuple(known_rules().values()), option=option, origin=origin).codes:
            yield origin


def _is_concern(code: str) -> bool:
    return not code.startswith(_NO_CONCERN)
