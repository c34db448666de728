"""The findings of rules, one by one: on the way to diagnostics, and for views that show more than diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

from lintpickle.diagnostics import Confidence, Defect, StartMethod
from lintpickle.engine.settling import Key
from lintpickle.interpreter.abstract_values import Hop, Site
from lintpickle.payload.confidence import of_boundary
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module
from lintpickle.rules.base import Hazard, Rule, worded

_Subject = TypeVar("_Subject")


class RuleFinding(Struct, frozen=True):
    """A hazard with the rule that found it, its confidence, the module whose analysis found it, and the place where it
    is reported. This is the only record between a `Hazard` and a `Diagnostic`."""

    home: Module
    rule: Rule
    hazard: Hazard
    confidence: Confidence
    start_methods: tuple[StartMethod, ...]
    hops: tuple[Hop, ...]
    place: Site
    from_boundary: bool = True
    """Whether the trail starts at a boundary that was found."""

    root: Site | None = None
    """The boundary or the class from which it was found; None for findings about code itself."""
    is_forked_too: bool = False
    """Whether it also bites under fork."""
    crossing: Crossing | None = None
    """The crossing, if it was found by following a payload."""

    at_culprit: RuleFinding | None = None
    """The same finding, reported where its culprit is defined, if that is another place in the project."""

    @property
    def key(self) -> Key:
        if self.hazard.cause is not None:
            return (self.rule.code, self.hazard.cause, -1, -1)
        return (self.at_culprit or self).place_key

    @property
    def place_key(self) -> Key:
        site = self.hazard.site
        if self.rule.once_per_file:
            return (self.rule.code, self.place.module.path, -1, -1)
        elsewhere = site.module is not self.place.module
        return (
            self.rule.code,
            self.place.module.path,
            self.place.span.start,
            site.span.start if elsewhere else -1,
        )


class Findings:
    """Shows a linked program to those rules that bite under the allowed start methods."""

    def __init__(self, linker: Linker, rules: Sequence[type[Rule]], start_methods: Collection[StartMethod]) -> None:
        self._linker = linker
        self._start_methods = frozenset(start_methods)
        self._rules = [rule() for rule in rules]

    @property
    def defects(self) -> tuple[Defect, ...]:
        """Failures of lintpickle itself so far."""
        found = self._linker.defects.found
        return tuple(each for path in sorted(found) for each in found[path])

    def crossings(self, pedantic: bool = False) -> Iterator[tuple[Crossing, tuple[RuleFinding, ...]]]:
        """Everything that crosses, in the linker's order, each with its findings."""
        rules = [rule for rule in self._rules if "crossing" in rule.hooks()]
        for crossing in self._linker.crossings(pedantic):
            methods = self._start_methods.intersection(crossing.root.start_methods)
            yield (
                crossing,
                tuple(
                    _finding(rule, hazard, crossing.root.site, crossing.root.confidence, crossing.hops)
                    for rule in rules
                    if crossing.root.is_always_pickled or methods.intersection(rule.start_methods)
                    for hazard in self._asked(rule, crossing.root.site.module, rule.crossing, crossing)
                ),
            )

    def calls(self) -> Iterator[tuple[Site, RuleFinding]]:
        """The findings about boundary calls and about the functions that their workers run, with the site of the
        boundary (or of the class, if no boundary is known)."""
        allowed = [rule for rule in self._rules if self._start_methods.intersection(rule.start_methods)]
        for rule in allowed:
            if "boundary" in rule.hooks():
                for call in self._linker.boundary_calls():
                    found = self._asked(rule, call.frame.module, rule.boundary, call)
                    sure = of_boundary(call)
                    yield from ((call.site, _finding(rule, each, call.site, sure, call.hops)) for each in found)
            if "worker" in rule.hooks():
                for code in self._linker.worker_codes():
                    found = self._asked(rule, code.root.site.module, rule.worker, code)
                    site = code.root.site
                    yield from ((site, _finding(rule, each, site, code.confidence, ())) for each in found)

    def _asked(
        self, rule: Rule, home: Module, ask: Callable[[_Subject, Linker], Iterable[Hazard]], subject: _Subject
    ) -> Sequence[Hazard]:
        return self._linker.defects.all_of(home.path, rule.label, ask, subject, self._linker)

    def worded(self, finding: RuleFinding) -> tuple[str, str | None]:
        """The message of a finding, and its run-time error."""
        return worded(finding.rule, finding.hazard, self._linker)


def _finding(rule: Rule, hazard: Hazard, root: Site, confidence: Confidence, hops: tuple[Hop, ...]) -> RuleFinding:
    sure = hazard.confidence or confidence
    return RuleFinding(root.module, rule, hazard, sure, rule.start_methods, hops, hazard.site, root=root)
