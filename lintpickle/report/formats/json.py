"""One JSON array of findings, with ruff's key names."""

from __future__ import annotations

from lintpickle.diagnostics import Outcome
from lintpickle.report.common import diagnostic_json, to_json
from lintpickle.report.context import ReportContext


class Json:
    name = "json"
    human = False

    def render(self, outcome: Outcome, context: ReportContext) -> str:
        return to_json([diagnostic_json(diagnostic, context) for diagnostic in outcome.diagnostics])
