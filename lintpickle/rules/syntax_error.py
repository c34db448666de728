from __future__ import annotations

from collections.abc import Iterable

from lintpickle.diagnostics import Confidence, Severity, Span
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Linker, Module, Rule, Site

_NOTEBOOK = ".ipynb"


class SyntaxErrorRule(Rule):
    """A file that cannot be read as Python."""

    code = "LP900"
    name = "syntax-error"
    severity = Severity.ERROR
    start_methods = ALL_START_METHODS
    words = frozenset()
    message = "the cell cannot be read as Python: {reason}"
    help = "correct the cell, or make it a raw one; the other cells are checked"

    def module(self, module: Module, linker: Linker) -> Iterable[Hazard]:
        """Report the cells of a notebook that cannot be read; the others are checked. (The engine reports other
        files.)"""
        for cell in module.document.broken if module.path.endswith(_NOTEBOOK) else ():
            is_kept = linker.purposes.is_library(module.path) and not linker.purposes.is_only_shown(module.path)
            is_code = cell.is_to_be_run and is_kept
            yield Hazard(
                site=Site(module, Span(cell.offset, cell.offset)),
                noun="the cell",
                error=None,
                data={"reason": cell.reason},
                confidence=None if is_code else Confidence.POSSIBLE,
            )
