"""The results of judging a program, module by module, and their dependencies, so that after a change only the modules
that it can affect are judged again.

The results of a module depend on its own text and the modules that its imports lead to, directly or not
(`Results.asked`); on searches through the texts of all modules (`Searches`); and on facts that other modules share
(`CrossModuleFacts`). A module is judged again if any of these may be different. That may be too many modules, but never
too few. If only comment lines and blank lines have changed, all of this is the same at other places (`engine.moves`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.diagnostics import Defect
from lintpickle.engine.settling import RankedDiagnostic
from lintpickle.interning import Same
from lintpickle.limits import Cut
from lintpickle.program.cross_module import CrossModuleFact, CrossModuleFacts, Dependency, merged_sets
from lintpickle.program.first_party import THE_PROGRAM, FirstPartyModules, Searches

if TYPE_CHECKING:
    from lintpickle.engine.rule_runner import RuleRunner
    from lintpickle.payload.linker import Linker
    from lintpickle.resolution.boundary_aliases import BoundaryAliases

_Known = TypeVar("_Known")


class Results(Struct, frozen=True):
    """The results for a program. Modules, first-party ones and those of packages, are represented by their paths."""

    found: dict[str, tuple[RankedDiagnostic, ...]]
    asked: dict[str, set[str]]
    """The modules that were searched for the imports of each module."""
    searches: Searches
    topics: dict[str, set[CrossModuleFact]]
    dependencies: dict[str, dict[Dependency, bool]]
    boundaries: frozenset[str]
    """All names by which boundaries are known (`BoundaryAliases`)."""
    occurring: frozenset[str]
    """The words of rules that occur in any module."""
    defects: dict[str, set[Defect]] = {}
    """Failures of lintpickle itself while each module was judged."""
    program_wide: tuple[str, ...] = ()
    """What was found that concerns all modules (`ProgramWide.answers`)."""
    cuts: dict[str, set[Cut]] = {}
    """The limits that were reached, by the module of the boundary, class or function that was being followed."""

    @classmethod
    def of(cls, linker: Linker, judge: RuleRunner, pedantic: bool) -> Results:
        """The results of judging the modules for which the linker was made."""
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
            tuple(linker.program_wide.answers),
            linker.evaluator.cuts.found,
        )

    @classmethod
    def merged(cls, parts: Sequence[Results], first_party: FirstPartyModules) -> Results:
        """The results of several runs that each judged some modules of one program. `first_party` are all of its
        modules."""
        return cls(
            {path: found for part in parts for path, found in part.found.items()},
            merged_sets(*(part.asked for part in parts)),
            Searches.merged([part.searches for part in parts], first_party),
            {path: topics for part in parts for path, topics in part.topics.items()},
            {path: dependencies for part in parts for path, dependencies in part.dependencies.items()},
            parts[0].boundaries,
            frozenset().union(*(part.occurring for part in parts)),
            merged_sets(*(part.defects for part in parts)),
            parts[0].program_wide,
            merged_sets(*(part.cuts for part in parts)),
        )

    def without_derivations(self) -> Results:
        """The results without the large part that is the same in all runs over the same modules."""
        return replace(self, searches=replace(self.searches, derivations={}, makers=(), stored={}))

    def with_same(self, same: Same) -> Results:
        """The results with equal paths and dependencies replaced by the same objects."""
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
        """The modules with a diagnostic that has a fix."""
        return frozenset(path for path, found in self.found.items() if any(each.has_fix for each in found))

    def wrongly_answered(self, order: Mapping[str, int]) -> set[str]:
        """The modules that received another answer than the shared facts of all other modules give now."""
        return _answered_otherwise(self.dependencies, CrossModuleFacts(order, self.topics))

    def affected(
        self,
        changed: Collection[str],
        moved: Collection[str],
        stuck: Collection[str],
        first_party: FirstPartyModules,
        aliases: BoundaryAliases,
    ) -> set[str] | None:
        """The modules whose results may be different after the text of some has changed; None if that may be all of
        them. In those that have `moved`, only comment lines and blank lines have changed; the results of
        those that are `stuck` name places in these and could not be moved (see `engine.moves`). `first_party` and
        `aliases` are the present ones."""
        if _boundaries(aliases) != self.boundaries:
            return None
        affected = self._leading_to(set(changed).difference(moved)).union(stuck)
        affected.update(self._searching(changed, moved, first_party))
        affected.update(self._deriving(changed, first_party, aliases))
        return None if THE_PROGRAM in affected else affected

    def _searching(
        self, changed: Collection[str], moved: Collection[str], first_party: FirstPartyModules
    ) -> Iterator[str]:
        """The modules with a search that finds, or found, a changed module; a search that asks for nothing but which
        modules there are may also find a moved one for a word in a comment. (What else is asked of a module that is
        only found for a comment has the answers of one that is not found.)"""
        searches = self.searches
        for sought, found in searches.found.items():
            before = first_party.changed.intersection(found)
            now = first_party.found_among_changed(sought)
            if before.symmetric_difference(now):
                yield from searches.only_which.get(sought, ())
            if not before.union(now).issubset(moved):
                yield from searches.askers.get(sought, ())
                yield from searches.of_texts.get(sought, ())
        for sought, witness in searches.witnesses.items():
            if not witness or witness in first_party.changed:
                now = first_party.found_among_changed(sought)
                if (witness not in now) if witness else now:
                    yield from searches.only_whether.get(sought, ())

    def _deriving(
        self, changed: Collection[str], first_party: FirstPartyModules, aliases: BoundaryAliases
    ) -> Iterator[str]:
        """The modules that asked for the names of derived classes, if these are different now."""
        before = self.searches.derivations
        if all(before.get(path) == first_party.all_derivations.get(path) for path in changed):
            return
        for name, derived in self.searches.derived.items():
            if aliases.names_derived(name) != derived:
                yield from self.searches.derived_for[name]

    def _leading_to(self, changed: set[str]) -> set[str]:
        """The changed modules, all modules that lead to them by imports, and those whose searches find one of these."""
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

    def with_searches(self, first_party: FirstPartyModules) -> Results:
        """The same results, after changes that affect no module but may be found by searches."""
        return replace(self, searches=first_party.searches_after(self.searches, ()))

    def told_without(self, modules: Collection[str], order: Mapping[str, int]) -> CrossModuleFacts:
        """The facts that all modules but these have shared."""
        return CrossModuleFacts(order, {path: topics for path, topics in self.topics.items() if path not in modules})

    def asking_again(self, judged_again: Collection[str], told: CrossModuleFacts) -> set[str]:
        """The modules whose questions have other answers after some modules were judged again."""
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
        """The results after some modules were judged again, with the results `now`. Searches for imports are also kept
        for modules outside that set, which are judged again only if their importing statements change: not those that
        have `moved`."""
        return Results(
            {**_without(self.found, judged_again), **now.found},
            merged_sets(_without(self.asked, first_party.changed.difference(moved)), now.asked),
            first_party.searches_after(self.searches, judged_again),
            {**_without(self.topics, judged_again), **now.topics},
            {**_without(self.dependencies, judged_again), **now.dependencies},
            self.boundaries,
            self.occurring | now.occurring,
            {**_without(self.defects, {*judged_again, ""}), **now.defects},
            now.program_wide,
            merged_sets(_without(self.cuts, {*judged_again, ""}), now.cuts),
        )


def _answered_otherwise(
    dependencies: Mapping[str, Mapping[Dependency, bool]],
    told: CrossModuleFacts,
    about: Collection[CrossModuleFact] | None = None,
) -> set[str]:
    """The modules that would now receive another answer to a question (about these facts; None: about any)."""
    return {
        path
        for path, asked in dependencies.items()
        for question, answer in asked.items()
        if (about is None or question.topic in about) and told.answer(path, question) != answer
    }


def _boundaries(aliases: BoundaryAliases) -> frozenset[str]:
    return frozenset({*aliases.names, *(f"{name}." for name in aliases.held)})


def _without(known: Mapping[str, _Known], paths: Collection[str]) -> dict[str, _Known]:
    return {path: value for path, value in known.items() if path not in paths}
