"""Decides which modules of a program are judged, and in which processes: all of them, in several processes where that
pays, or those that a change affects."""

from __future__ import annotations

import signal
from collections.abc import Callable, Collection, Iterable, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING

from lintpickle.catalog import Catalog
from lintpickle.defects import GIVEN_UP
from lintpickle.diagnostics import Defect, Diagnostic
from lintpickle.engine.moves import Move, moved_results
from lintpickle.engine.processes import in_shares, processes_for
from lintpickle.engine.results import Results
from lintpickle.engine.settling import settled
from lintpickle.engine.shared_judging import SharedJudging
from lintpickle.limits import Cut, merged
from lintpickle.parsing.quick_libcst import import_libcst
from lintpickle.prefilter.words import Words
from lintpickle.program.cross_module import (
    EXPORTS_PAYLOAD,
    FORKED,
    LIBRARY_LOADERS,
    OTHER_LOADERS,
    SENDS_TO_PROCESSES,
    WORKERS,
    CrossModuleFact,
    CrossModuleFacts,
)
from lintpickle.program.cuts import Cuts
from lintpickle.program.first_party import THE_PROGRAM, FirstPartyModules
from lintpickle.program.module import Module
from lintpickle.program.program import Program
from lintpickle.program.stages import Stage
from lintpickle.resolution.boundary_aliases import BoundaryAliases
from lintpickle.source.comment_lines import gaps
from lintpickle.watchdog import Budget

if TYPE_CHECKING:
    from lintpickle.engine.judge import Judge

MOST_JUDGED_AGAIN = 0.8
"""If a change affects more than this share of a program's modules, all of them are judged again."""
BYTES_IN_A_SHARE = 10_000_000
"""The amount of source of a large program that one process judges, before it ends and releases its memory."""

MOST_GIVEN_UP = 20
"""If processes are killed at more files than this, no more are left out: something else is wrong."""


class Scheduler:
    """Judges a program as often as asked. `first_party` are the paths of its first-party modules, in order; `jobs` is
    described in `processes_for`. `find_judge` is asked when there is something to judge."""

    def __init__(
        self,
        program: Program,
        catalog: Catalog,
        find_judge: Callable[[], Judge],
        first_party: Sequence[str],
        jobs: int | None,
        budget: Budget,
    ) -> None:
        self.judged: Results | None = None
        """What is known; None before anything was judged."""
        self.first_party = tuple(first_party)
        self.doubted: frozenset[str] = frozenset()
        """The modules that are judged again the next time, whatever is known of them."""
        self.judged_again = 0
        """How often a module was judged after it had been."""
        self.checking: Callable[[int, int], None] | None = None
        self.stage: Stage | None = None
        """Receives how many modules have been judged, and how many there are, when all are judged."""
        self._checked = 0
        self.given_up: dict[str, str] = {}
        """The files that are left out, with the reason."""
        self._program = program
        self._catalog = catalog
        self._find_judge = find_judge
        self._jobs = jobs
        self._budget = budget

    @cached_property
    def _judge(self) -> Judge:
        return self._find_judge()

    def diagnostics(self) -> list[Diagnostic]:
        """All diagnostics of the program, for its present texts. After an interruption, it can be called again."""
        changed = frozenset(self._program.changed)
        again = self._again(self.judged, changed)
        if again is None and self.judged is not None:
            self.judged_again += len(self.first_party)
        self.judged = again or self._all()
        self._program.settle(changed)
        self.doubted = frozenset()
        return settled(self.judged.found, self.first_party)

    @property
    def defects(self) -> tuple[Defect, ...]:
        """Failures of lintpickle itself that are known so far."""
        found = self.judged.defects if self.judged is not None else {}
        known = tuple(each for path in sorted(found) for each in found[path])
        return known + tuple(Defect(path, GIVEN_UP, "", "", said) for path, said in self.given_up.items())

    @property
    def only_exports_payload(self) -> bool:
        """Whether the program exports classes that its users ship, and starts no processes itself."""
        has_processes = self._is_told(WORKERS) or self._is_told(SENDS_TO_PROCESSES)
        return self._is_told(EXPORTS_PAYLOAD) and not has_processes

    @property
    def is_forked(self) -> bool:
        """Whether the program asks for fork, so that workers get nothing pickled at their start."""
        return self._is_told(FORKED)

    def _is_told(self, fact: CrossModuleFact) -> bool:
        return self.judged is not None and any(fact in each for each in self.judged.topics.values())

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The limits that were reached, as far as is known so far."""
        found = self.judged.cuts if self.judged is not None else {}
        return merged(each for cuts in found.values() for each in cuts)

    def alone(self, path: str) -> list[Diagnostic]:
        """What the boundaries and classes of one module lead to, wherever that is reported."""
        searches = self.judged.searches if self.judged is not None else None
        first_party = FirstPartyModules(self._program, self.first_party, searches, self._program.changed)
        return settled(self._judged(first_party, [path], None).found, self.first_party)

    def _tell(self, checked: int) -> None:
        self._checked = min(checked, len(self.first_party))  # Some are judged twice.
        if self.checking is not None:
            self.checking(self._checked, len(self.first_party))

    def _tell_more(self, checked: int) -> None:
        self._tell(self._checked + checked)

    def _all(self) -> Results:
        self._tell(0)
        first_party = FirstPartyModules(self._program, self.first_party)
        sizes = first_party.sizes()
        size = sum(sizes.values())
        at_once = processes_for(self._jobs, size)
        count = max(at_once, size // BYTES_IN_A_SHARE) if self._program.file_survey.is_large else at_once
        shares = in_shares(sizes, count)
        if len(shares) > 1:
            return self._shared(first_party, shares, at_once)
        return self._judge.results(first_party, first_party.order, None, self._budget, self.stage)

    def _judged(self, first_party: FirstPartyModules, paths: Iterable[str], told: CrossModuleFacts | None) -> Results:
        """The results of judging these modules, within the time that each may take."""
        return self._judge.results(first_party, paths, told, self._budget)

    def _again(self, before: Results | None, changed: Set[str]) -> Results | None:
        """The results after the modules that changes affect were judged again; None if those are so many that all may
        as well be."""
        if before is None or not (changed or self.doubted):
            return before
        first_party = FirstPartyModules(self._program, self.first_party, before.searches, changed)
        moves = {path: self._move(path) for path in self._program.same_statements.keys() & changed}
        before, stuck = moved_results(before, moves)
        affected = before.affected(
            changed, moves.keys(), stuck, first_party, BoundaryAliases(first_party, self._catalog, Cuts())
        )
        if affected is None:
            return None
        affected |= self.doubted
        if not affected:
            return before.with_searches(first_party)
        return self._settled(before, affected, first_party, MOST_JUDGED_AGAIN, moved=moves)

    def _move(self, path: str) -> Move | None:
        """The way from the places in the version of a file that was judged to those in the present one."""
        before, known = self._program.same_statements[path], self._program.load(path)
        now = gaps(known.document.code) if isinstance(known, Module) else None
        return Move(before, now) if before is not None and now is not None else None

    def _settled(
        self,
        before: Results,
        affected: set[str],
        first_party: FirstPartyModules,
        most: float = float("inf"),
        apart: bool = False,
        moved: Collection[str] = (),
    ) -> Results | None:
        """The results after the affected modules were judged again (`apart`: in another process), and then those that
        depend on their shared facts. None if these are more than a share of all. `first_party` knows the results of
        earlier searches."""
        self._program.file_survey.assume_mentioned(before.occurring)
        while len(affected) < most * len(self.first_party):
            told = before.told_without(affected, first_party.order)
            now = (self._apart(first_party, affected, told) if apart else None) or self._judged(
                first_party, affected, told
            )
            self.judged_again += len(affected)
            if now.program_wide != before.program_wide:
                return None
            more = before.asking_again(affected, told)
            if not more:
                return before.after(affected, now, first_party, moved)
            affected |= more
        return None

    def _shared(self, first_party: FirstPartyModules, shares: list[list[str]], at_once: int) -> Results:
        """Judge each share of the modules in a process, then again the modules that depend on facts that others
        share."""
        import_libcst()  # once for all processes
        self._judge.linked(first_party, ())  # What it reads of the modules is there for all processes.
        told = CrossModuleFacts(first_party.order, {THE_PROGRAM: self._assumed(first_party)})
        parts = self._in_processes(first_party, shares, told, at_once)
        judged_parts = [part for part in parts if part is not None]
        if not judged_parts:
            return self._judged(first_party, first_party.order, None)
        judged = Results.merged(judged_parts, first_party)
        lost = [path for share, part in zip(shares, parts, strict=True) if part is None for path in share]
        again = {*lost, *judged.wrongly_answered(first_party.order)}
        knowing = FirstPartyModules(self._program, self.first_party, judged.searches)
        knowing.reached = first_party.reached
        return (self._settled(judged, again, knowing, apart=True) if again else None) or judged

    def _assumed(self, first_party: FirstPartyModules) -> set[CrossModuleFact]:
        """What each process assumes that the modules of others share. Whoever it misleads is judged again. Most
        programs with anything to find have workers; and what names loaders mostly has some with workers."""
        words = Words(self._catalog.boundary_names(frozenset({"dataloader"})))
        is_library = self._judge.purposes.is_library
        loading = first_party.candidates(words, first_party.paths)
        return {WORKERS, *(LIBRARY_LOADERS if is_library(path) else OTHER_LOADERS for path in loading)}

    def _apart(self, first_party: FirstPartyModules, paths: Collection[str], told: CrossModuleFacts) -> Results | None:
        """The results of judging these modules in a separate process; None if that failed."""
        [now] = self._in_processes(first_party, [sorted(paths)], told, at_once=1)
        if now is not None:
            told.learn(now.topics)
            first_party.learn(now.searches)
        return now

    def _in_processes(
        self, first_party: FirstPartyModules, shares: Sequence[Sequence[str]], told: CrossModuleFacts, at_once: int
    ) -> list[Results | None]:
        """The results of judging each share in a separate process; None for those that failed."""
        judging = SharedJudging(self._program, first_party, told, self._judged, self._give_up, self._tell_more)
        return judging.results(shares, at_once)

    def _give_up(self, number: int, path: str) -> bool:
        """Leave out the file at which a process was killed. False if the file is unknown, or if this happens too
        often."""
        if not path or path in self.given_up or len(self.given_up) >= MOST_GIVEN_UP:
            return False
        try:
            name = signal.Signals(number).name
        except ValueError:
            name = f"signal {number}"
        self.leave_out(path, f"a process that worked at it was killed ({name})")
        return True

    def leave_out(self, path: str, reason: str) -> None:
        """Judge the program without a file."""
        self.given_up[path] = reason
        self._program.give_up(path, reason)
