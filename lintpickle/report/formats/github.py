"""Workflow commands of GitHub Actions: annotations on the changed files of a pull request."""

from __future__ import annotations

from lintpickle.diagnostics import Diagnostic, Outcome
from lintpickle.escaping import no_command
from lintpickle.report.common import place, whole_message
from lintpickle.report.context import ReportContext
from lintpickle.report.plain_file import file_location, slashed
from lintpickle.terminal import visible


class Github:
    name = "github"
    human = False

    def render(self, outcome: Outcome, context: ReportContext) -> str:
        return "".join(f"{_command(diagnostic, context)}\n" for diagnostic in outcome.diagnostics)


def _command(diagnostic: Diagnostic, context: ReportContext) -> str:
    location = file_location(diagnostic.location)
    properties = {
        "title": f"lintpickle ({diagnostic.code})",
        "file": slashed(context.relative(location.path)),
        "line": str(location.start.row),
    }
    if location.start.row == location.end.row:
        # GitHub refuses columns of ranges that span rows.
        properties["col"] = str(location.start.column)
        properties["endLine"] = str(location.end.row)
        properties["endColumn"] = str(location.end.column)
    else:
        properties["endLine"] = str(location.end.row)
    shown = ",".join(f"{key}={_escape_property(value)}" for key, value in properties.items())
    return f"::{diagnostic.severity.value} {shown}::{_escape(_message(diagnostic, context))}"


def _message(diagnostic: Diagnostic, context: ReportContext) -> str:
    where = place(diagnostic.location, context)
    lines = [f"{where}: {diagnostic.code} {whole_message(diagnostic)}"]
    for number, step in enumerate(diagnostic.trail, start=1):
        lines.append(f"  {number}. {step.message} ({place(step.location, context, column=False)})")
    advice = diagnostic.fix.message if diagnostic.fix else diagnostic.help
    if advice:
        lines.append(f"  help: {advice}")
    return "\n".join(lines)


def _escape(text: str) -> str:
    return (
        no_command("\n".join(map(visible, text.split("\n"))))
        .replace("%", "%25")
        .replace("\r", "%0D")
        .replace("\n", "%0A")
    )


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
