"""The objects of the json format, one a line."""

from __future__ import annotations

import json

from lintpickle.diagnostics import Outcome
from lintpickle.escaping import json_text
from lintpickle.report.common import diagnostic_json
from lintpickle.report.context import ReportContext


class JsonLines:
    name = "json-lines"
    human = False

    def render(self, outcome: Outcome, context: ReportContext) -> str:
        lines = (
            json_text(json.dumps(diagnostic_json(diagnostic, context), ensure_ascii=False, separators=(",", ":")))
            for diagnostic in outcome.diagnostics
        )
        return "".join(f"{line}\n" for line in lines)
