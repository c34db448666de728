"""What judging a program gave, module by module, and what that rests on: so that after a change only those modules are
judged again that have to do with it.

What is known of a module comes from its own text and from the modules that its imports lead to, and so on
(`Judged.asked`); from searches through the texts of all modules (`Searches`); and from what other modules tell
(`Told`). A module is judged again if any of these may be different now. That may be too many modules, never too few.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.diagnostics import Defect
from lintpickle.engine.rule_runner import Judge
from lintpickle.engine.settling import Found
from lintpickle.interning import Same
from lintpickle.limits import Cut
from lintpickle.payload.linker import Linker
from lintpickle.program.cross_module import Question, Told, Topic, united
from lintpickle.program.first_party import THE_PROGRAM, OwnModules, Searches
from lintpickle.resolution.boundary_aliases import StandIns

_Known = TypeVar("_Known")


class Judged(Struct, frozen=True):
    """What is known of a program. Modules are named by their paths, first-party ones or those of packages."""

    found: dict[str, tuple[Found, ...]]
    asked: dict[str, set[str]]
    """For each module, those that were looked into for what it imports."""
    searches: Searches
    topics: dict[str, set[Topic]]
    questions: dict[str, dict[Question, bool]]
    boundaries: frozenset[str]
    """All that the names of boundaries are known by (`StandIns`)."""
    occurring: frozenset[str]
    """The words of rules that stand in any module."""
    defects: dict[str, set[Defect]] = {}
    """What of lintpickle itself failed while the modules were judged."""
    cuts: dict[str, set[Cut]] = {}
    """The limits that were reached meanwhile, by the modules in which stands what was being followed."""

    @classmethod
    def of(cls, linker: Linker, judge: Judge, pedantic: bool) -> Judged:
        """Judge the modules that the linker is for."""
        found = judge.found(pedantic)
        return cls(
            found,
            linker.program.asked(),
            linker.own.searches,
            linker.told.topics,
            linker.told.questions,
            _boundaries(linker.stand_ins),
            judge.occurring,
            linker.defects.found,
            linker.evaluator.cuts.found,
        )

    @classmethod
    def merged(cls, parts: Sequence[Judged], own: OwnModules) -> Judged:
        """What several runs gave that each judged some of the modules of one program; `own` are all of them."""
        return cls(
            {path: found for part in parts for path, found in part.found.items()},
            united(*(part.asked for part in parts)),
            Searches.merged([part.searches for part in parts], own),
            {path: topics for part in parts for path, topics in part.topics.items()},
            {path: questions for part in parts for path, questions in part.questions.items()},
            parts[0].boundaries,
            frozenset().union(*(part.occurring for part in parts)),
            united(*(part.defects for part in parts)),
            united(*(part.cuts for part in parts)),
        )

    def without_derivations(self) -> Judged:
        """Without what is the same in all runs over the same modules, and large."""
        return replace(self, searches=replace(self.searches, derivations={}, makers=(), stored={}))

    def with_same(self, same: Same) -> Judged:
        """With paths and questions that are not only equal but the same wherever they stand."""
        return replace(
            self,
            asked={same.of(path): set(map(same.of, asked)) for path, asked in self.asked.items()},
            searches=replace(
                self.searches,
                found={sought: tuple(map(same.of, found)) for sought, found in self.searches.found.items()},
            ),
            questions={
                same.of(path): {same.of(question): answer for question, answer in asked.items()}
                for path, asked in self.questions.items()
            },
        )

    def with_fixes(self) -> frozenset[str]:
        """The modules that gave a diagnostic with a fix."""
        return frozenset(path for path, found in self.found.items() if any(each.has_fix for each in found))

    def wrongly_answered(self, order: Mapping[str, int]) -> set[str]:
        """The modules that were told something else than what all others together tell."""
        return _answered_otherwise(self.questions, Told(order, self.topics))

    def affected(self, changed: Collection[str], own: OwnModules, stand_ins: StandIns) -> set[str] | None:
        """The modules for which something may be different when the text of some has changed; None if that may be so
        for all. `own` and `stand_ins` are those of now."""
        if _boundaries(stand_ins) != self.boundaries:
            return None
        affected = self._leading_to(set(changed))
        affected.update(self._searching(changed, own))
        affected.update(self._deriving(changed, own, stand_ins))
        return None if THE_PROGRAM in affected else affected

    def _searching(self, changed: Collection[str], own: OwnModules) -> Iterator[str]:
        """Those whose searches find, or have found, what has changed."""
        for sought, found in self.searches.found.items():
            if own.found_among_changed(sought) or not own.changed.isdisjoint(found):
                yield from self.searches.askers[sought]

    def _deriving(self, changed: Collection[str], own: OwnModules, stand_ins: StandIns) -> Iterator[str]:
        """Those that have asked for the names of derived classes which are others now."""
        before = self.searches.derivations
        if all(before.get(path) == own.all_derivations.get(path) for path in changed):
            return
        for name, derived in self.searches.derived.items():
            if stand_ins.names_derived(name) != derived:
                yield from self.searches.derived_for[name]

    def _leading_to(self, changed: set[str]) -> set[str]:
        """The modules, all that lead to them by what they import, and those whose searches find one of these."""
        askers: dict[str, list[str]] = {}
        for asker, asked in self.asked.items():
            for path in asked:
                askers.setdefault(path, []).append(asker)
        reached = set(changed)
        waiting = list(changed)
        while waiting:
            for asker in askers.get(waiting.pop(), ()):
                if asker not in reached:
                    reached.add(asker)
                    waiting.append(asker)
        finding = (
            self.searches.askers[sought]
            for sought, found in self.searches.found.items()
            if not reached.isdisjoint(found)
        )
        return reached.union(*finding)

    def told_without(self, modules: Collection[str], order: Mapping[str, int]) -> Told:
        """What all but the modules have told."""
        return Told(order, {path: topics for path, topics in self.topics.items() if path not in modules})

    def asking_again(self, judged_again: Collection[str], told: Told) -> set[str]:
        """The modules whose questions have other answers now that some were judged again."""
        differing = (self.topics.get(path, set()) ^ told.topics.get(path, set()) for path in judged_again)
        about = frozenset[Topic]().union(*differing)
        return _answered_otherwise(_without(self.questions, judged_again), told, about) if about else set()

    def after(self, judged_again: Collection[str], now: Judged, own: OwnModules) -> Judged:
        """What is known when some modules were judged again, which gave what is known `now` of these. What is imported
        was looked into for others too, which are judged again only if the text that imports it changes."""
        return Judged(
            {**_without(self.found, judged_again), **now.found},
            united(_without(self.asked, own.changed), now.asked),
            own.searches_after(self.searches, judged_again),
            {**_without(self.topics, judged_again), **now.topics},
            {**_without(self.questions, judged_again), **now.questions},
            self.boundaries,
            self.occurring | now.occurring,
            {**_without(self.defects, {*judged_again, ""}), **now.defects},
            united(_without(self.cuts, {*judged_again, ""}), now.cuts),
        )


def _answered_otherwise(
    questions: Mapping[str, Mapping[Question, bool]], told: Told, about: Collection[Topic] | None = None
) -> set[str]:
    """The modules that would get another answer to a question (about some topics; None: any) now."""
    return {
        path
        for path, asked in questions.items()
        for question, answer in asked.items()
        if (about is None or question.topic in about) and told.answer(path, question) != answer
    }


def _boundaries(stand_ins: StandIns) -> frozenset[str]:
    return frozenset({*stand_ins.names, *(f"{name}." for name in stand_ins.held)})


def _without(known: Mapping[str, _Known], paths: Collection[str]) -> dict[str, _Known]:
    return {path: value for path, value in known.items() if path not in paths}
