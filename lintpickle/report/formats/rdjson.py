"""The Reviewdog Diagnostic Format. Its columns count bytes of UTF-8."""

from __future__ import annotations

from lintpickle.addresses import SITE
from lintpickle.diagnostics import Applicability, Diagnostic, Edit, Location, Outcome, Span
from lintpickle.fixes.edits import apply_edits
from lintpickle.report.common import JsonValue, to_json, whole_message
from lintpickle.report.context import ReportContext
from lintpickle.report.plain_file import file_location, file_message, slashed, utf8_column
from lintpickle.rulebook.summaries import rule_url

_LONGEST_SUGGESTION = 20


class Rdjson:
    name = "rdjson"
    human = False

    def render(self, outcome: Outcome, context: ReportContext) -> str:
        return to_json(
            {
                "source": {"name": "lintpickle", "url": SITE},
                "diagnostics": [_diagnostic(item, context) for item in outcome.diagnostics],
            }
        )


def _diagnostic(diagnostic: Diagnostic, context: ReportContext) -> JsonValue:
    value: JsonValue = {
        "message": file_message(whole_message(diagnostic), diagnostic.location),
        "location": _location(diagnostic.location, context),
        "severity": diagnostic.severity.value.upper(),
        "code": {"value": diagnostic.code, "url": rule_url(diagnostic.code, diagnostic.name)},
    }
    suggestion = _suggestion(diagnostic, context)
    if suggestion is not None:
        value["suggestions"] = [suggestion]
    if diagnostic.trail or diagnostic.related:
        value["related_locations"] = [
            {
                "message": file_message(step.message, step.location),
                "location": _location(step.location, context),
            }
            for step in (*diagnostic.trail, *diagnostic.related)
        ]
    return value


def _range(location: Location, context: ReportContext) -> JsonValue:
    return {
        end: {
            "line": position.row,
            "column": utf8_column(context.row_text(location, position.row), position.column),
        }
        for end, position in (("start", location.start), ("end", location.end))
    }


def _location(location: Location, context: ReportContext) -> JsonValue:
    plain = file_location(location)
    return {
        "path": slashed(context.relative(plain.path)),
        "range": _range(plain, context),
    }


def _suggestion(diagnostic: Diagnostic, context: ReportContext) -> JsonValue:
    """The fix as one replacement: suggestions are alternatives, so the edits of one fix must not be taken
    apart.

    None when the edits lie too far from each other for that.
    """
    fix, document = diagnostic.fix, context.fix_document(diagnostic)
    if fix is None or document is None or document.cells is not None:
        return None
    if fix.applicability is Applicability.DISPLAY:
        return None
    replaced = Span(min(edit.span.start for edit in fix.edits), max(edit.span.end for edit in fix.edits))
    location = document.location(replaced)
    if location.end.row - location.start.row >= _LONGEST_SUGGESTION:
        return None
    edits = [
        Edit(Span(edit.span.start - replaced.start, edit.span.end - replaced.start), edit.content) for edit in fix.edits
    ]
    text = apply_edits(document.text[replaced.start : replaced.end], edits)
    return {"range": _range(location, context), "text": text}
