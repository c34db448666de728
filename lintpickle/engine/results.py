"""What judging a program gave, module by module, and what that rests on: so that after a change only those modules are
judged again that have to do with it.

What is known of a module comes from its own text and from the modules that its imports lead to, and so on
(`Results.asked`); from searches through the texts of all modules (`Searches`); and from what other modules tell
(`CrossModuleFacts`). A module is judged again if any of these may be different now. That may be too many modules, never
too few. Where comment lines and blank lines alone are others, all of that is what it was, at other places: only those
modules are judged again that tell of places in the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.diagnostics import Defect
from lintpickle.engine.rule_runner import RuleRunner
from lintpickle.engine.settling import RankedDiagnostic
from lintpickle.interning import Same
from lintpickle.limits import Cut
from lintpickle.payload.linker import Linker
from lintpickle.program.cross_module import CrossModuleFact, CrossModuleFacts, Dependency, merged_sets
from lintpickle.program.first_party import THE_PROGRAM, FirstPartyModules, Searches
from lintpickle.resolution.boundary_aliases import BoundaryAliases

_Known = TypeVar("_Known")


class Results(Struct, frozen=True):
    """What is known of a program. Modules are named by their paths, first-party ones or those of packages."""

    found: dict[str, tuple[RankedDiagnostic, ...]]
    asked: dict[str, set[str]]
    """For each module, those that were looked into for what it imports."""
    searches: Searches
    topics: dict[str, set[CrossModuleFact]]
    dependencies: dict[str, dict[Dependency, bool]]
    boundaries: frozenset[str]
    """All that the names of boundaries are known by (`BoundaryAliases`)."""
    occurring: frozenset[str]
    """The words of rules that stand in any module."""
    defects: dict[str, set[Defect]] = {}
    """What of lintpickle itself failed while the modules were judged."""
    cuts: dict[str, set[Cut]] = {}
    """The limits that were reached meanwhile, by the modules in which stands what was being followed."""

    @classmethod
    def of(cls, linker: Linker, judge: RuleRunner, pedantic: bool) -> Results:
        """Judge the modules that the linker is for."""
        found = judge.found(pedantic)
        return cls(
            found,
            linker.program.asked(),
            linker.first_party.searches,
            linker.cross_module.topics,
            linker.cross_module.dependencies,
            _boundaries(linker.aliases),
            judge.occurring,
            linker.defects.found,
            linker.evaluator.cuts.found,
        )

    @classmethod
    def merged(cls, parts: Sequence[Results], first_party: FirstPartyModules) -> Results:
        """What several runs gave that each judged some of the modules of one program; `own` are all of them."""
        return cls(
            {path: found for part in parts for path, found in part.found.items()},
            merged_sets(*(part.asked for part in parts)),
            Searches.merged([part.searches for part in parts], first_party),
            {path: topics for part in parts for path, topics in part.topics.items()},
            {path: dependencies for part in parts for path, dependencies in part.dependencies.items()},
            parts[0].boundaries,
            frozenset().union(*(part.occurring for part in parts)),
            merged_sets(*(part.defects for part in parts)),
            merged_sets(*(part.cuts for part in parts)),
        )

    def without_derivations(self) -> Results:
        """Without what is the same in all runs over the same modules, and large."""
        return replace(self, searches=replace(self.searches, derivations={}, makers=(), stored={}))

    def with_same(self, same: Same) -> Results:
        """With paths and dependencies that are not only equal but the same wherever they stand."""
        return replace(
            self,
            asked={same.of(path): set(map(same.of, asked)) for path, asked in self.asked.items()},
            searches=replace(
                self.searches,
                found={sought: tuple(map(same.of, found)) for sought, found in self.searches.found.items()},
            ),
            dependencies={
                same.of(path): {same.of(question): answer for question, answer in asked.items()}
                for path, asked in self.dependencies.items()
            },
        )

    def with_fixes(self) -> frozenset[str]:
        """The modules that gave a diagnostic with a fix."""
        return frozenset(path for path, found in self.found.items() if any(each.has_fix for each in found))

    def wrongly_answered(self, order: Mapping[str, int]) -> set[str]:
        """The modules that were told something else than what all others together tell."""
        return _answered_otherwise(self.dependencies, CrossModuleFacts(order, self.topics))

    def affected(
        self,
        changed: Collection[str],
        moved: Collection[str],
        first_party: FirstPartyModules,
        aliases: BoundaryAliases,
    ) -> set[str] | None:
        """The modules for which something may be different when the text of some has changed; None if that may be so
        for all. In those that have `moved`, only comment lines and blank lines are others: they say what they said, at
        other places. `first_party` and `aliases` are those of now."""
        if _boundaries(aliases) != self.boundaries:
            return None
        affected = self._leading_to(set(changed).difference(moved)) | self._naming(moved)
        affected.update(self._searching(changed, moved, first_party))
        affected.update(self._deriving(changed, first_party, aliases))
        return None if THE_PROGRAM in affected else affected

    def _naming(self, moved: Collection[str]) -> set[str]:
        """These modules, and those whose findings, topics and questions name places in them."""
        if not moved:
            return set()
        naming = {path for path, found in self.found.items() if not all(each.paths.isdisjoint(moved) for each in found)}
        for known in (self.topics, self.dependencies):
            naming.update(path for path, asked in known.items() if any(_names(each, moved) for each in asked))
        return naming.union(moved)

    def _searching(
        self, changed: Collection[str], moved: Collection[str], first_party: FirstPartyModules
    ) -> Iterator[str]:
        """Those whose searches find, or have found, what has changed; of what has moved, only one of the two."""
        for sought, found in self.searches.found.items():
            before = first_party.changed.intersection(found)
            now = first_party.found_among_changed(sought)
            if before.symmetric_difference(now) or not before.issubset(moved):
                yield from self.searches.askers.get(sought, ())
            if bool(found) != bool(now or len(before) < len(found)):
                yield from self.searches.only_whether.get(sought, ())

    def _deriving(
        self, changed: Collection[str], first_party: FirstPartyModules, aliases: BoundaryAliases
    ) -> Iterator[str]:
        """Those that have asked for the names of derived classes which are others now."""
        before = self.searches.derivations
        if all(before.get(path) == first_party.all_derivations.get(path) for path in changed):
            return
        for name, derived in self.searches.derived.items():
            if aliases.names_derived(name) != derived:
                yield from self.searches.derived_for[name]

    def _leading_to(self, changed: set[str]) -> set[str]:
        """The modules, all that lead to them by what they import, and those whose searches find one of these."""
        askers: dict[str, list[str]] = {}
        for asker, asked in self.asked.items():
            for path in asked:
                askers.setdefault(path, []).append(asker)
        traced = set(changed)
        waiting = list(changed)
        while waiting:
            for asker in askers.get(waiting.pop(), ()):
                if asker not in traced:
                    traced.add(asker)
                    waiting.append(asker)
        finding = (
            asking
            for sought, asking in self.searches.askers.items()
            if not traced.isdisjoint(self.searches.found[sought])
        )
        return traced.union(*finding)

    def told_without(self, modules: Collection[str], order: Mapping[str, int]) -> CrossModuleFacts:
        """What all but the modules have told."""
        return CrossModuleFacts(order, {path: topics for path, topics in self.topics.items() if path not in modules})

    def asking_again(self, judged_again: Collection[str], told: CrossModuleFacts) -> set[str]:
        """The modules whose dependencies have other answers now that some were judged again."""
        differing = (self.topics.get(path, set()) ^ told.topics.get(path, set()) for path in judged_again)
        about = frozenset[CrossModuleFact]().union(*differing)
        return _answered_otherwise(_without(self.dependencies, judged_again), told, about) if about else set()

    def after(
        self,
        judged_again: Collection[str],
        now: Results,
        first_party: FirstPartyModules,
        moved: Collection[str] = (),
    ) -> Results:
        """What is known when some modules were judged again, which gave what is known `now` of these. What is imported
        was looked into for others too, which are judged again only if the statements that import it change: not in
        those that have `moved`."""
        return Results(
            {**_without(self.found, judged_again), **now.found},
            merged_sets(_without(self.asked, first_party.changed.difference(moved)), now.asked),
            first_party.searches_after(self.searches, judged_again),
            {**_without(self.topics, judged_again), **now.topics},
            {**_without(self.dependencies, judged_again), **now.dependencies},
            self.boundaries,
            self.occurring | now.occurring,
            {**_without(self.defects, {*judged_again, ""}), **now.defects},
            merged_sets(_without(self.cuts, {*judged_again, ""}), now.cuts),
        )


def _answered_otherwise(
    dependencies: Mapping[str, Mapping[Dependency, bool]],
    told: CrossModuleFacts,
    about: Collection[CrossModuleFact] | None = None,
) -> set[str]:
    """The modules that would get another answer to a question (about some topics; None: any) now."""
    return {
        path
        for path, asked in dependencies.items()
        for question, answer in asked.items()
        if (about is None or question.topic in about) and told.answer(path, question) != answer
    }


def _names(known: CrossModuleFact | Dependency, paths: Collection[str]) -> bool:
    """Whether something that a module tells, or asks, names a place in one of the files."""
    topic = known.topic if isinstance(known, Dependency) else known
    return any(each in paths for each in topic)


def _boundaries(aliases: BoundaryAliases) -> frozenset[str]:
    return frozenset({*aliases.names, *(f"{name}." for name in aliases.held)})


def _without(known: Mapping[str, _Known], paths: Collection[str]) -> dict[str, _Known]:
    return {path: value for path, value in known.items() if path not in paths}
