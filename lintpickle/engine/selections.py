"""Which diagnostics are shown: what the settings of each file select."""

from __future__ import annotations

from lintpickle.diagnostics import Confidence, Diagnostic
from lintpickle.rulebook.known_rules import known_rules
from lintpickle.selection import RuleSelection
from lintpickle.settings import Settings, SettingsResolver


class Selections:
    """The selections of a run. They are kept, because files share settings."""

    def __init__(self, resolver: SettingsResolver) -> None:
        self._resolver = resolver
        self._selections: dict[Settings, RuleSelection] = {}

    def selection(self, settings: Settings) -> RuleSelection:
        """The rules that settings select."""
        if settings not in self._selections:
            self._selections[settings] = RuleSelection.build(settings, tuple(known_rules().values()))
        return self._selections[settings]

    def selects(self, code: str, path: str) -> bool:
        """Whether a rule is on in a file."""
        return self.selection(self._resolver.for_path(path)).selects(code, path)

    def shows(self, diagnostic: Diagnostic) -> bool:
        """Whether a diagnostic is shown."""
        path = diagnostic.location.path
        return not self._is_too_doubtful(diagnostic) and self.selects(diagnostic.code, path)

    def holds_back(self, diagnostic: Diagnostic) -> bool:
        """Whether a diagnostic is only shown with `pedantic`."""
        return self._is_too_doubtful(diagnostic) and self.selects(diagnostic.code, diagnostic.location.path)

    def _is_too_doubtful(self, diagnostic: Diagnostic) -> bool:
        if diagnostic.confidence is not Confidence.POSSIBLE:
            return False
        return not self._resolver.for_path(diagnostic.location.path).pedantic
