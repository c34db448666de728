"""The parameters of `textDocument/publishDiagnostics`, one JSON object a line for each file with findings."""

from __future__ import annotations

import json
from pathlib import Path

from lintpickle.diagnostics import Diagnostic, Location, Outcome, Position, Severity
from lintpickle.escaping import json_text
from lintpickle.report.common import JsonValue, whole_message
from lintpickle.report.context import ReportContext
from lintpickle.report.ordering import by_file
from lintpickle.report.plain_file import file_location, file_message, utf16_character
from lintpickle.rulebook.summaries import rule_url

_SEVERITIES = {Severity.ERROR: 1, Severity.WARNING: 2}


class Lsp:
    name = "lsp"
    human = False

    def render(self, outcome: Outcome, context: ReportContext) -> str:
        lines = []
        for path, group in by_file(outcome.diagnostics).items():
            diagnostics = [_diagnostic(item, context) for item in group]
            value = {"uri": Path(path).as_uri(), "diagnostics": diagnostics}
            lines.append(json_text(json.dumps(value, ensure_ascii=False, separators=(",", ":"))))
        return "".join(f"{line}\n" for line in lines)


def _diagnostic(diagnostic: Diagnostic, context: ReportContext) -> JsonValue:
    value: JsonValue = {
        "range": _location(diagnostic.location, context)["range"],
        "severity": _SEVERITIES[diagnostic.severity],
        "code": diagnostic.code,
        "codeDescription": {"href": rule_url(diagnostic.code, diagnostic.name)},
        "source": "lintpickle",
        "message": file_message(whole_message(diagnostic), diagnostic.location),
        "data": {"name": diagnostic.name, "confidence": diagnostic.confidence.value},
    }
    if diagnostic.trail or diagnostic.related:
        value["relatedInformation"] = [
            {
                "location": _location(step.location, context),
                "message": file_message(step.message, step.location),
            }
            for step in (*diagnostic.trail, *diagnostic.related)
        ]
    return value


def _location(location: Location, context: ReportContext) -> JsonValue:
    plain = file_location(location)
    return {
        "uri": Path(plain.path).as_uri(),
        "range": {
            "start": _position(plain, plain.start, context),
            "end": _position(plain, plain.end, context),
        },
    }


def _position(location: Location, position: Position, context: ReportContext) -> JsonValue:
    text = context.row_text(location, position.row)
    return {"line": position.row - 1, "character": utf16_character(text, position.column)}
