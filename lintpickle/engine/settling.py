"""From the results for all modules of a program to its diagnostics, one for each culprit.

The culprit is what has to be changed: the lambda, the header of the local class. If a single place leads to it, the
diagnostic is reported there, where the value is kept or passed. If several places do, it is reported at the culprit,
and they are its related places. If the culprit is not code of the project, each place of the project that leads to it
has its own diagnostic. If the culprit is something that the whole program lacks, or one of its files (a main guard),
the best place has the diagnostic, and the others are related.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.diagnostics import Confidence, Diagnostic, Related

Key: TypeAlias = tuple[str, str, int, int]
"""Code, path, offset, and the offset of the hazard if it is in another file, else -1."""
Rank: TypeAlias = tuple[int, int, bool, int]
"""Its confidence, the kind of code that leads there, whether no boundary does, the length of the trail: lower is
better."""


class RankedDiagnostic(Struct, frozen=True):
    """A diagnostic from judging one module. `key` is the same for all diagnostics with one culprit, `place` for those
    at one place. Of those that share both, the one with the lowest rank counts, then the first one. `at_culprit` is the
    same diagnostic, reported at its culprit; None if it is there already."""

    key: Key
    place: Key
    rank: Rank
    diagnostic: Diagnostic
    at_culprit: Diagnostic | None = None

    @property
    def paths(self) -> set[str]:
        """The files of all places in the diagnostic."""
        told = [each for each in (self.diagnostic, self.at_culprit) if each is not None]
        steps = (step.location.path for each in told for step in each.trail)
        return {self.place[1], *(each.location.path for each in told), *steps}

    @property
    def has_fix(self) -> bool:
        """Whether there is a fix, at the place or at the culprit."""
        at_culprit = self.at_culprit.fix if self.at_culprit is not None else None
        return (self.diagnostic.fix or at_culprit) is not None


def settled(found: Mapping[str, Iterable[RankedDiagnostic]], order: Sequence[str]) -> list[Diagnostic]:
    """The diagnostics of a program: one for each culprit, with its strongest confidence and its shortest trail. `order`
    is the order of the modules. Sorted by path, position and code."""
    diagnostics = _merged(_by_culprit(found, order))
    return sorted(diagnostics, key=lambda d: (d.location.path, d.span, d.code, d.message))


def _by_culprit(
    found: Mapping[str, Iterable[RankedDiagnostic]], order: Sequence[str]
) -> Iterator[list[RankedDiagnostic]]:
    """The best diagnostic for each place, best first, grouped by culprit."""
    culprits: dict[Key, dict[Key, RankedDiagnostic]] = {}
    for path in order:
        for each in found.get(path, ()):
            places = culprits.setdefault(each.key, {})
            known = places.get(each.place)
            if known is None or each.rank < known.rank:
                places[each.place] = each
    for places in culprits.values():
        best, *others = sorted(places.values(), key=lambda each: (each.rank, each.place))
        is_shown = best.diagnostic.confidence is not Confidence.POSSIBLE
        yield [best, *(each for each in others if not (is_shown and each.diagnostic.confidence is Confidence.POSSIBLE))]


def _merged(culprits: Iterable[list[RankedDiagnostic]]) -> Iterator[Diagnostic]:
    alone: dict[Key, RankedDiagnostic] = {}
    for best, *others in culprits:
        if others:
            ordered = (best, *sorted(others, key=lambda each: (each.rank[1], each.place)))
            related = tuple(_related(each.diagnostic) for each in ordered)
            yield replace(best.at_culprit or best.diagnostic, related=related)
            continue
        known = alone.get(best.place)
        if known is None or best.rank < known.rank:
            alone[best.place] = best
    yield from (each.diagnostic for each in alone.values())


def _related(diagnostic: Diagnostic) -> Related:
    return Related(diagnostic.told, diagnostic.location, diagnostic.span, diagnostic.noqa_row)
