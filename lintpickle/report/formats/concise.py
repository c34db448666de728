"""One line for each finding, which editors and scripts can parse."""

from __future__ import annotations

from lintpickle.diagnostics import Diagnostic, Outcome
from lintpickle.report.common import place, whole_message
from lintpickle.report.context import ReportContext
from lintpickle.report.summary import summary
from lintpickle.terminal import visible


class Concise:
    name = "concise"
    human = True

    def render(self, outcome: Outcome, context: ReportContext) -> str:
        lines = (_line(diagnostic, context) for diagnostic in outcome.diagnostics)
        return "".join(f"{line}\n" for line in lines) + summary(outcome, context)


def _line(diagnostic: Diagnostic, context: ReportContext) -> str:
    style = context.style
    mark = f"[{style.accent('*')}] " if context.fixable(diagnostic) else ""
    where = style.bold(visible(place(diagnostic.location, context)))
    return f"{where}: {style.error(diagnostic.code)} {mark}{visible(whole_message(diagnostic))}"
