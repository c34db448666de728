from __future__ import annotations

from lintpickle.diagnostics import Applicability, Severity
from lintpickle.rules.authoring import ALL_START_METHODS, Rule


class BlanketSuppressionRule(Rule):
    """A suppression comment without codes that hides findings."""

    code = "LP902"
    name = "blanket-suppression"
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    applicability = Applicability.SAFE
