"""Judging: what crosses, shown to the rules; what they find, made into diagnostics."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from lintpickle.diagnostics import Confidence, Diagnostic, StartMethod, Step
from lintpickle.project.link import Linker
from lintpickle.project.payload import Crossing, Root
from lintpickle.project.things import Hop, Site
from lintpickle.project.worker import WorkerCode
from lintpickle.rules.base import Hazard, Rule

_RANK = {Confidence.CERTAIN: 0, Confidence.LIKELY: 1, Confidence.POSSIBLE: 2}


@dataclass(frozen=True)
class _Finding:
    """A hazard with the rule that found it, why it crosses, and where it is reported."""

    rule: Rule
    hazard: Hazard
    root: Root
    hops: tuple[Hop, ...]
    place: Site

    @property
    def key(self) -> tuple[str, str, int, int]:
        site = self.hazard.site
        reported = (self.place.module.document.path, self.place.span.start)
        return (self.rule.code, *reported, site.span.start if site.module is not self.place.module else 0)

    @property
    def rank(self) -> tuple[int, int]:
        return (_RANK[self.root.confidence], len(self.hops))


class Judge:
    """Shows a linked program to rules. `paths` are the absolute paths of the files to report on."""

    def __init__(
        self,
        linker: Linker,
        rules: Sequence[type[Rule]],
        start_methods: Collection[StartMethod],
        paths: Collection[str],
    ) -> None:
        self._linker = linker
        self._rules = [rule() for rule in rules]
        self._start_methods = frozenset(start_methods)
        self._paths = frozenset(paths)

    def diagnostics(self, pedantic: bool) -> list[Diagnostic]:
        """All diagnostics in the files to report on; each hazard once, with its strongest confidence and its
        shortest trail. Sorted by path, position and code."""
        best: dict[tuple[str, str, int, int], _Finding] = {}
        for finding in self._findings(pedantic):
            known = best.get(finding.key)
            if known is None or finding.rank < known.rank:
                best[finding.key] = finding
        found = [self._diagnostic(finding) for finding in best.values()]
        return sorted(found, key=lambda d: (d.location.path, d.span, d.code, d.message))

    def _findings(self, pedantic: bool) -> Iterator[_Finding]:
        crossing_rules = [r for r in self._rules if type(r).crossing is not Rule.crossing]
        worker_rules = [r for r in self._rules if type(r).worker is not Rule.worker and self._wanted(r)]
        for crossing in self._linker.crossings(pedantic):
            for rule in crossing_rules:
                if self._bites(rule, crossing.root):
                    for hazard in rule.crossing(crossing, self._linker):
                        yield from self._placed(rule, hazard, crossing)
        if worker_rules:
            for code in self._linker.worker_codes():
                for rule in worker_rules:
                    if self._start_methods & frozenset(rule.start_methods):
                        yield from self._in_worker(rule, code)

    def _wanted(self, rule: Rule) -> bool:
        """Whether any module holds a word that the rule needs."""
        return any(word in module.code for module in self._linker.modules for word in rule.words)

    def _in_worker(self, rule: Rule, code: WorkerCode) -> Iterator[_Finding]:
        for hazard in rule.worker(code, self._linker):
            place = self._place(hazard.site, hazard.hops)
            if place is not None:
                yield _Finding(rule, hazard, code.root, hazard.hops, place)

    def _bites(self, rule: Rule, root: Root) -> bool:
        """Whether a start method that the user allows pickles this payload and matters to the rule."""
        return bool(self._start_methods & frozenset(root.start_methods) & frozenset(rule.start_methods)) or (
            root.spec is not None and len(root.start_methods) == len(StartMethod)
        )

    def _placed(self, rule: Rule, hazard: Hazard, crossing: Crossing) -> Iterator[_Finding]:
        hops = (*crossing.hops, *hazard.hops)
        place = self._place(hazard.site, hops)
        if place is not None:
            yield _Finding(rule, hazard, crossing.root, hops, place)

    def _place(self, site: Site, hops: Sequence[Hop]) -> Site | None:
        """Where to report: the hazard, or the nearest first-party step that leads to it. None if that is in no
        file that is reported on."""
        candidates = [site, *(hop.site for hop in reversed(hops))]
        place = next((candidate for candidate in candidates if candidate.module.first_party), None)
        if place is None or place.module.document.path not in self._paths:
            return None
        return place

    def _diagnostic(self, finding: _Finding) -> Diagnostic:
        rule, hazard, place = finding.rule, finding.hazard, finding.place
        document = place.module.document
        message = rule.message.format(**hazard.data, error=hazard.error or "")
        elsewhere = place.module is not hazard.site.module
        if elsewhere:
            row = hazard.site.module.document.position(hazard.site.span.start).row
            message = f"{message} (in {hazard.site.module.name}, line {row})"
        fix = rule.fix(hazard) if not elsewhere and _exact(hazard.site) else None
        return Diagnostic(
            code=rule.code,
            name=rule.name,
            message=message,
            severity=rule.severity,
            confidence=finding.root.confidence,
            location=document.location(place.span),
            span=place.span,
            noqa_row=document.noqa_row(place.span.start),
            start_methods=tuple(m for m in finding.root.start_methods if m in self._start_methods),
            error=hazard.error,
            help=hazard.help or rule.help,
            trail=tuple(_steps(finding.hops, Hop(hazard.noun, hazard.site))),
            fix=fix,
        )


def _steps(hops: Sequence[Hop], end: Hop) -> Iterator[Step]:
    """The hops without repetitions; the hazard itself is a step of its own unless the last hop contains it."""
    last: Hop | None = None
    for hop in hops:
        if hop != last:
            yield Step(hop.message, hop.site.module.document.location(hop.site.span))
        last = hop
    if last is None or not _contains(last.site, end.site):
        yield Step(end.message, end.site.module.document.location(end.site.span))


def _contains(outer: Site, inner: Site) -> bool:
    return (
        outer.module is inner.module
        and outer.span.start <= inner.span.start
        and inner.span.end <= outer.span.end
    )


def _exact(site: Site) -> bool:
    """Whether spans in the room around the site are exact, so that edits may rely on them."""
    for plot in site.module.outline.plots:
        if plot.span.start <= site.span.start < plot.span.end:
            room = site.module.room(plot)
            return room is not None and room.exact
    return False
