"""What rules say of the things that cross, thing by thing: for views that show more than the diagnostics of a run."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from lintpickle.diagnostics import StartMethod
from lintpickle.project.link import Linker
from lintpickle.project.payload import Crossing
from lintpickle.project.things import Site
from lintpickle.rules.base import Hazard, Rule, worded


class Finding(Struct, frozen=True):
    """A hazard with the rule that found it, and both told: see `worded`."""

    rule: Rule
    hazard: Hazard
    message: str
    error: str | None


class Findings:
    """Shows a linked program to rules, as far as they bite under the allowed start methods."""

    def __init__(self, linker: Linker, rules: Sequence[type[Rule]], start_methods: Collection[StartMethod]) -> None:
        self._linker = linker
        self._start_methods = frozenset(start_methods)
        self._rules = [rule() for rule in rules]

    def crossings(self, pedantic: bool = False) -> Iterator[tuple[Crossing, tuple[Finding, ...]]]:
        """Everything that crosses, in the linker's order, each with what is wrong with it."""
        rules = [rule for rule in self._rules if type(rule).crossing is not Rule.crossing]
        for crossing in self._linker.crossings(pedantic):
            methods = self._start_methods.intersection(crossing.root.start_methods)
            always = len(crossing.root.start_methods) == len(StartMethod)
            yield (
                crossing,
                tuple(
                    self._told(rule, hazard)
                    for rule in rules
                    if always or methods.intersection(rule.start_methods)
                    for hazard in rule.crossing(crossing, self._linker)
                ),
            )

    def calls(self) -> Iterator[tuple[Site, Finding]]:
        """What is wrong with boundary calls as such and with the functions that run in their workers; with the
        site of the boundary (or of the class, where no boundary is in sight)."""
        allowed = [rule for rule in self._rules if self._start_methods.intersection(rule.start_methods)]
        for rule in allowed:
            if type(rule).boundary is not Rule.boundary:
                for call in self._linker.boundary_calls():
                    yield from ((call.site, self._told(rule, hazard)) for hazard in rule.boundary(call, self._linker))
            if type(rule).worker is not Rule.worker:
                for code in self._linker.worker_codes():
                    yield from (
                        (code.root.site, self._told(rule, hazard)) for hazard in rule.worker(code, self._linker)
                    )

    def _told(self, rule: Rule, hazard: Hazard) -> Finding:
        return Finding(rule, hazard, *worded(rule, hazard, self._linker))
