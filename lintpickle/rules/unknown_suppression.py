from __future__ import annotations

from lintpickle.diagnostics import Applicability, Severity
from lintpickle.rules.authoring import ALL_START_METHODS, Rule


class UnknownSuppressionRule(Rule):
    """A suppression comment that names a rule that does not exist."""

    code = "LP903"
    name = "unknown-suppression"
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    applicability = Applicability.SAFE
