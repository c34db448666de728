"""GitLab's code quality report."""

from __future__ import annotations

from msgspec.structs import replace

from lintpickle.diagnostics import Diagnostic, Outcome, Severity
from lintpickle.report.common import JsonValue, to_json, whole_message
from lintpickle.report.context import ReportContext
from lintpickle.report.plain_file import file_location, file_message, fingerprints, slashed

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor"}


class Gitlab:
    name = "gitlab"
    human = False

    def render(self, outcome: Outcome, context: ReportContext) -> str:
        if context.project_dir is not None:
            # GitLab shows paths as they are from the project's folder.
            context = replace(context, cwd=context.project_dir)
        marks = fingerprints(outcome.diagnostics, context)
        issues = zip(outcome.diagnostics, marks, strict=True)
        return to_json([_issue(diagnostic, mark, context) for diagnostic, mark in issues])


def _issue(diagnostic: Diagnostic, fingerprint: str, context: ReportContext) -> JsonValue:
    location = file_location(diagnostic.location)
    message = file_message(whole_message(diagnostic), diagnostic.location)
    return {
        "check_name": diagnostic.code,
        "description": f"{diagnostic.code}: {message}",
        "severity": _SEVERITIES[diagnostic.severity],
        "fingerprint": fingerprint,
        "location": {
            "path": slashed(context.relative(location.path)),
            "positions": {
                "begin": {"line": location.start.row, "column": location.start.column},
                "end": {"line": location.end.row, "column": location.end.column},
            },
        },
    }
