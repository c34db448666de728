from __future__ import annotations

from collections.abc import Iterable

from lintpickle.diagnostics import Confidence, Severity, Span
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Linker, Module, Rule, Site


class NotAnalysedRule(Rule):
    """A file that was given up, as a whole or in part."""

    code = "LP904"
    name = "not-analysed"
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    words = frozenset()
    message = "not analysed: {reason}"
    help = "look at it yourself, raise the limit, or leave the file out with exclude"

    def module(self, module: Module, linker: Linker) -> Iterable[Hazard]:
        """What nests so deep that the parser must not be asked to read it. (Of other files, the engine says it.)"""
        for block in module.facts.absurd():
            yield Hazard(
                site=Site(module, Span(block.span.start, block.span.start)),
                noun="the code",
                error=None,
                data={"reason": "what begins here nests too deep to be read"},
                confidence=None if linker.purposes.is_library(module.path) else Confidence.POSSIBLE,
            )
