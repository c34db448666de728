"""What a change of lintpickle adds to the findings, takes away and costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from tools.sweep.results import Finding, Result


@dataclass(frozen=True)
class Change:
    """How one tree's results differ.

    A finding whose confidence changed is in `moved` with the one that it had, and neither in `added` nor in `gone`. So
    is one that another now stands for, or that now stands for what was reported at several places.
    """

    tree: str
    version: str
    old: Result
    new: Result
    added: tuple[Finding, ...]
    gone: tuple[Finding, ...]
    moved: tuple[tuple[str, Finding], ...]

    @property
    def ratio(self) -> float:
        """The new CPU time over the old one."""
        return self.new.cpu / max(self.old.cpu, 0.01)


def compare(old: Mapping[str, Result], new: Mapping[str, Result]) -> list[Change]:
    """The changes of those trees that both sweeps linted at the same version."""
    pairs = ((old[name], result) for name, result in new.items() if name in old)
    return [_change(before, after) for before, after in pairs if before.version == after.version]


def _change(old: Result, new: Result) -> Change:
    before, after = _counted(old), _counted(new)
    gathered = {(each.code, place) for each in new.findings for place in each.related}
    places = {(each.code, each.place) for each in old.findings}
    gathering = {
        (each.code, each.place) for each in new.findings if any((each.code, place) in places for place in each.related)
    }
    moved = [
        (known.confidence, found)
        for found in after
        for known in before
        if found.confidence != known.confidence and _same(found, known)
    ]
    here = {found for _, found in moved}
    there = {known for known in before if any(_same(known, found) for found in here)}
    return Change(
        new.tree,
        new.version,
        old,
        new,
        tuple(each for each in (after - before).elements() if each not in here and _key(each) not in gathering),
        tuple(each for each in (before - after).elements() if each not in there and _key(each) not in gathered),
        tuple(moved),
    )


def _counted(result: Result) -> Counter[Finding]:
    """The findings without what may be worded in another way."""
    return Counter(
        Finding(each.code, each.confidence, each.path, each.line, each.message, each.cell) for each in result.findings
    )


def _same(one: Finding, other: Finding) -> bool:
    return _key(one) == _key(other)


def _key(finding: Finding) -> tuple[str, str]:
    return finding.code, finding.place
