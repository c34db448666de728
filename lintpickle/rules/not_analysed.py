from __future__ import annotations

from collections.abc import Iterable

from lintpickle.diagnostics import Confidence, Severity, Span
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Linker, Module, Rule, Site


class NotAnalysedRule(Rule):
    """A file that lintpickle stopped checking, as a whole or in part."""

    code = "LP904"
    name = "not-analysed"
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    words = frozenset()
    message = "not analysed: {reason}"
    help = "check it by hand, raise the limit, or exclude the file"

    def module(self, module: Module, linker: Linker) -> Iterable[Hazard]:
        """Report code that is nested too deeply to be parsed. (The engine reports the other reasons.)"""
        for block in module.facts.absurd():
            yield Hazard(
                site=Site(module, Span(block.span.start, block.span.start)),
                noun="the code",
                error=None,
                data={"reason": "the code that begins here is nested too deeply to be read"},
                confidence=None if linker.purposes.is_library(module.path) else Confidence.POSSIBLE,
            )
