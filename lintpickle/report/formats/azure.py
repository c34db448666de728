"""Logging commands of Azure Pipelines."""

from __future__ import annotations

from lintpickle.diagnostics import Diagnostic, Outcome
from lintpickle.escaping import no_command
from lintpickle.report.common import whole_message
from lintpickle.report.context import ReportContext
from lintpickle.report.plain_file import file_location, file_message, slashed
from lintpickle.terminal import visible


class Azure:
    name = "azure"
    human = False

    def render(self, outcome: Outcome, context: ReportContext) -> str:
        return "".join(f"{_command(diagnostic, context)}\n" for diagnostic in outcome.diagnostics)


def _command(diagnostic: Diagnostic, context: ReportContext) -> str:
    location = file_location(diagnostic.location)
    properties = {
        "type": diagnostic.severity.value,
        "sourcepath": slashed(context.relative(location.path)),
        "linenumber": str(location.start.row),
        "columnnumber": str(location.start.column),
        "code": diagnostic.code,
    }
    shown = "".join(f"{key}={_escape_property(value)};" for key, value in properties.items())
    return f"##vso[task.logissue {shown}]{_escape(file_message(whole_message(diagnostic), diagnostic.location))}"


def _escape(text: str) -> str:
    return (
        no_command("\n".join(map(visible, text.split("\n"))))
        .replace("%", "%AZP25")
        .replace("\r", "%0D")
        .replace("\n", "%0A")
    )


def _escape_property(text: str) -> str:
    return _escape(text).replace(";", "%3B").replace("]", "%5D")
