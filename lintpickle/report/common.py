"""What several formats share: how places are written, and records as JSON values."""

from __future__ import annotations

import json
from typing import Any

from lintpickle.diagnostics import Diagnostic, Location, Position, Step
from lintpickle.escaping import json_text
from lintpickle.report.context import ReportContext
from lintpickle.rulebook.summaries import rule_url

JsonValue = Any

__all__ = ["diagnostic_json", "place", "rule_url", "to_json", "whole_message"]


def place(location: Location, context: ReportContext, *, column: bool = True) -> str:
    """`path:row:column`, or `nb.ipynb:cell 3:row:column`, with the path from the working folder."""
    parts = [context.relative(location.path)]
    if location.cell is not None:
        parts.append(f"cell {location.cell}")
    parts.append(str(location.start.row))
    if column:
        parts.append(str(location.start.column))
    return ":".join(parts)


def whole_message(diagnostic: Diagnostic) -> str:
    """The message, with the number of further places that lead to the culprit."""
    more = len(diagnostic.related) - 1
    return f"{diagnostic.message} (and {more} more place{'s' * (more > 1)})" if more > 0 else diagnostic.message


def to_json(value: JsonValue) -> str:
    """JSON as every format writes it: indented, keys in the order given, ending in a newline."""
    return json_text(json.dumps(value, indent=2, ensure_ascii=False)) + "\n"


def position_json(position: Position) -> JsonValue:
    return {"row": position.row, "column": position.column}


def diagnostic_json(diagnostic: Diagnostic, context: ReportContext) -> JsonValue:
    """A finding: the keys that ruff writes, by the same names, and lintpickle's own. `related` is only there if several
    places lead to the culprit."""
    value = {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "message": diagnostic.message,
        "severity": diagnostic.severity.value,
        "confidence": diagnostic.confidence.value,
        "start_methods": [method.value for method in diagnostic.start_methods],
        "error": diagnostic.error,
        "help": diagnostic.help,
        "filename": diagnostic.location.path,
        "cell": diagnostic.location.cell,
        "location": position_json(diagnostic.location.start),
        "end_location": position_json(diagnostic.location.end),
        "noqa_row": diagnostic.noqa_row,
        "url": rule_url(diagnostic.code, diagnostic.name),
        "fix": _fix_json(diagnostic, context),
        "trail": [_step_json(step) for step in diagnostic.trail],
    }
    if diagnostic.related:
        value["related"] = [_step_json(related) for related in diagnostic.related]
    return value


def _step_json(step: Step) -> JsonValue:
    return {
        "message": step.message,
        "filename": step.location.path,
        "cell": step.location.cell,
        "location": position_json(step.location.start),
        "end_location": position_json(step.location.end),
    }


def _fix_json(diagnostic: Diagnostic, context: ReportContext) -> JsonValue:
    fix, document = diagnostic.fix, context.fix_document(diagnostic)
    if fix is None or document is None:
        return None
    edits = [
        {
            "content": edit.content,
            "cell": where.cell,
            "location": position_json(where.start),
            "end_location": position_json(where.end),
        }
        for edit, where in ((edit, document.location(edit.span)) for edit in fix.edits)
    ]
    return {"applicability": fix.applicability.value, "message": fix.message, "edits": edits}
