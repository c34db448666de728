"""Settling: what judging gave for all modules of a program, made into findings, each culprit once.

The culprit is what has to be changed: the lambda, the header of the local class. If one place alone leads to it, the
finding is reported there, where the value is kept or passed. If several do, it is reported at the culprit, and they are
the places related to it. If the culprit is no code of the project, each place of the project that leads to it is a
finding of its own. If it is what the whole program lacks, the best place is the finding, and all of them are related.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.diagnostics import Confidence, Diagnostic, Related

Key: TypeAlias = tuple[str, str, int, int]
"""Code, path, offset, and the offset of the hazard if it is in another file."""
Rank: TypeAlias = tuple[int, int, bool, int]
"""How sure it is, what sort of code leads there, whether no boundary does, how long the trail is: the less, the
better."""


class RankedDiagnostic(Struct, frozen=True):
    """A diagnostic that judging one module gave. `key` is the same for all that have one culprit, `place` for those
    that have one place. Of all that have both in common, the one with the least rank counts, then the first one.
    `at_culprit` is the same diagnostic, told at its culprit; None if its place is there."""

    key: Key
    place: Key
    rank: Rank
    diagnostic: Diagnostic
    at_culprit: Diagnostic | None = None

    @property
    def paths(self) -> set[str]:
        """The files in which any place stands that this tells."""
        told = [each for each in (self.diagnostic, self.at_culprit) if each is not None]
        steps = (step.location.path for each in told for step in each.trail)
        return {self.place[1], *(each.location.path for each in told), *steps}

    @property
    def has_fix(self) -> bool:
        """Whether anything can be mended, at the place or at the culprit."""
        at_culprit = self.at_culprit.fix if self.at_culprit is not None else None
        return (self.diagnostic.fix or at_culprit) is not None


def settled(found: Mapping[str, Iterable[RankedDiagnostic]], order: Sequence[str]) -> list[Diagnostic]:
    """The diagnostics of a program from what judging gave for its modules, which are in the order of the program: each
    culprit once, with its strongest confidence and its shortest trail. Sorted by path, position and code."""
    diagnostics = _merged(_by_culprit(found, order))
    return sorted(diagnostics, key=lambda d: (d.location.path, d.span, d.code, d.message))


def _by_culprit(
    found: Mapping[str, Iterable[RankedDiagnostic]], order: Sequence[str]
) -> Iterator[list[RankedDiagnostic]]:
    """What is best for each place, best first, of one culprit after the other."""
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
