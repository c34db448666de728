from __future__ import annotations

from lintpickle.diagnostics import Applicability, Severity
from lintpickle.rules.authoring import ALL_START_METHODS, Rule


class UnusedSuppressionRule(Rule):
    """A suppression comment that hides nothing."""

    code = "LP901"
    name = "unused-suppression"
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    applicability = Applicability.SAFE
