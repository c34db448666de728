from __future__ import annotations

from lintpickle.diagnostics import Severity
from lintpickle.rules.base import ALL_START_METHODS, Rule


class SyntaxErrorRule(Rule):
    """A file that cannot be read as Python."""

    code = "LP900"
    name = "syntax-error"
    severity = Severity.ERROR
    start_methods = ALL_START_METHODS
