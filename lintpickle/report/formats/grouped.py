"""Findings under the name of their file."""

from __future__ import annotations

from lintpickle.diagnostics import Diagnostic, Outcome
from lintpickle.report.common import whole_message
from lintpickle.report.context import ReportContext
from lintpickle.report.ordering import by_file
from lintpickle.report.summary import summary
from lintpickle.terminal import visible


class Grouped:
    name = "grouped"
    human = True

    def render(self, outcome: Outcome, context: ReportContext) -> str:
        parts = []
        for path, diagnostics in by_file(outcome.diagnostics).items():
            parts.append(f"{context.style.bold(visible(context.relative(path)))}:\n")
            width = max(len(_place(diagnostic)) for diagnostic in diagnostics)
            parts.extend(f"  {_line(diagnostic, context, width)}\n" for diagnostic in diagnostics)
            parts.append("\n")
        return "".join(parts) + summary(outcome, context)


def _place(diagnostic: Diagnostic) -> str:
    location = diagnostic.location
    cell = f"cell {location.cell}:" if location.cell is not None else ""
    return f"{cell}{location.start.row}:{location.start.column}"


def _line(diagnostic: Diagnostic, context: ReportContext, width: int) -> str:
    style = context.style
    mark = f"[{style.accent('*')}] " if context.fixable(diagnostic) else ""
    where = f"{_place(diagnostic):<{width}}"
    return f"{where}  {style.error(diagnostic.code)} {mark}{visible(whole_message(diagnostic))}"
