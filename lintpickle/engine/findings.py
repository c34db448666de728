"""What rules say of the values that cross, value by value: for views that show more than the diagnostics of a run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

from lintpickle.diagnostics import Defect, StartMethod
from lintpickle.interpreter.abstract_values import Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.payload import Crossing
from lintpickle.program.module import Module
from lintpickle.rules.base import Hazard, Rule, worded

_Subject = TypeVar("_Subject")


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

    @property
    def defects(self) -> tuple[Defect, ...]:
        """What of lintpickle itself failed so far."""
        found = self._linker.defects.found
        return tuple(each for path in sorted(found) for each in found[path])

    def crossings(self, pedantic: bool = False) -> Iterator[tuple[Crossing, tuple[Finding, ...]]]:
        """Everything that crosses, in the linker's order, each with what is wrong with it."""
        rules = [rule for rule in self._rules if "crossing" in rule.hooks()]
        for crossing in self._linker.crossings(pedantic):
            methods = self._start_methods.intersection(crossing.root.start_methods)
            always = len(crossing.root.start_methods) == len(StartMethod)
            yield (
                crossing,
                tuple(
                    self._told(rule, hazard)
                    for rule in rules
                    if always or methods.intersection(rule.start_methods)
                    for hazard in self._asked(rule, crossing.root.site.module, rule.crossing, crossing)
                ),
            )

    def calls(self) -> Iterator[tuple[Site, Finding]]:
        """What is wrong with boundary calls as such and with the functions that run in their workers; with the
        site of the boundary (or of the class, where no boundary is in sight)."""
        allowed = [rule for rule in self._rules if self._start_methods.intersection(rule.start_methods)]
        for rule in allowed:
            if "boundary" in rule.hooks():
                for call in self._linker.boundary_calls():
                    found = self._asked(rule, call.frame.module, rule.boundary, call)
                    yield from ((call.site, self._told(rule, hazard)) for hazard in found)
            if "worker" in rule.hooks():
                for code in self._linker.worker_codes():
                    found = self._asked(rule, code.root.site.module, rule.worker, code)
                    yield from ((code.root.site, self._told(rule, hazard)) for hazard in found)

    def _asked(
        self, rule: Rule, home: Module, ask: Callable[[_Subject, Linker], Iterable[Hazard]], subject: _Subject
    ) -> Sequence[Hazard]:
        return self._linker.defects.all_of(home.path, rule.label, ask, subject, self._linker)

    def _told(self, rule: Rule, hazard: Hazard) -> Finding:
        return Finding(rule, hazard, *worded(rule, hazard, self._linker))
