"""One project: reading it, judging it, caching the results."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec.structs import replace

from lintpickle import disk
from lintpickle.cache.store import CacheStore, digest
from lintpickle.catalog import load_catalog
from lintpickle.diagnostics import Confidence, Defect, Diagnostic, PlaceKind, StartMethod, told_at
from lintpickle.disk import Evidence
from lintpickle.engine.earlier_run import EarlierRun
from lintpickle.engine.file_findings import not_analysed
from lintpickle.engine.preparation import environment_of, program_at, pythons_of, rules_with, screen_for
from lintpickle.engine.roots import Project, program_files
from lintpickle.engine.scheduler import Scheduler
from lintpickle.engine.selections import Selections
from lintpickle.engine.single_files import SingleFiles
from lintpickle.engine.snapshots import Snapshots
from lintpickle.engine.supported_systems import always_forks
from lintpickle.imports.import_roots import project_roots
from lintpickle.limits import Cut
from lintpickle.payload.file_purposes import FilePurposes
from lintpickle.prefilter.screen import Screen
from lintpickle.profiling import Part, running
from lintpickle.program.first_party import FirstPartyModules
from lintpickle.program.module import Module
from lintpickle.program.program import Program
from lintpickle.program.stages import Stage
from lintpickle.settings import SettingsResolver
from lintpickle.source.broken import is_no_python_3, is_python_2
from lintpickle.source.document import Document
from lintpickle.watchdog import Budget

if TYPE_CHECKING:
    from lintpickle.engine.judge import Judge
    from lintpickle.engine.rule_runner import RuleRunner
    from lintpickle.payload.linker import Linker
    from lintpickle.rules.base import Rule


class Analysis:
    """A project that can be judged again and again while single documents change; everything else is read once.

    Files that are `fenced` are left out, and it is said why.
    With `moving_to`, it is judged as if nothing pinned fork, under that start method.
    What earlier runs have found out comes from `store`; not so fixes that are going to be applied (`fixing`): whoever
    can write to the store must not be able to write to the code.
    What an analysis of the same project has read (`read_by`) is not read again.
    Rules of the codes in `also` are on whatever the settings say; `selections` still tells what these say.
    """

    def __init__(
        self,
        project: Project,
        resolver: SettingsResolver,
        universe: Iterable[str] | None = None,
        store: CacheStore | None = None,
        jobs: int | None = 1,
        fixing: bool = False,
        moving_to: StartMethod | None = None,
        fenced: Mapping[str, str] = MappingProxyType({}),
        read_by: Analysis | None = None,
        also: Collection[str] = (),
    ) -> None:
        self._jobs = jobs
        self._fenced = fenced
        self._moving_to = moving_to
        self._fixing = fixing
        self._project = project
        self.selections = Selections(resolver)
        settings = project.settings
        self.environment = environment_of(project)
        with running(Part.CATALOG):
            self._catalog = load_catalog(tuple(str(path) for path in settings.catalog), store)
        self._codes = self.selections.selection(settings).codes.union(also)
        run_seconds = settings.max_run_seconds
        self._budget = Budget(
            settings.max_file_seconds, settings.max_memory, time.monotonic() + run_seconds, run_seconds
        )
        self._pythons = pythons_of(settings, self.environment)
        self._always_forks = moving_to is None and always_forks(project.root, self._pythons)
        if universe is None:
            with running(Part.DISCOVER):
                universe = () if project.complete else program_files(project, resolver)
        universe = [*universe, *project.reported]
        roots = project_roots(project.root, [str(path) for path in settings.src], universe)
        self._is_second = read_by is not None
        self._program: Program = (
            read_by._program
            if read_by is not None
            else program_at(roots, project, self.environment, self._catalog, store, jobs, lambda: self._screen.words)
        )
        self._set_universe(universe)
        self._purposes = FilePurposes(
            str(project.root), () if project.named else project.reported, self._program.file_survey.statements
        )
        self._settled: Sequence[Diagnostic] = ()
        """The latest diagnostics, of all files of the program."""
        self.held_back = 0
        """How many of those of the reported files are only possible, and not asked for."""
        self.unread: tuple[Diagnostic, ...] = ()
        """The reported files in tests and the like that cannot be read, where that is not asked for."""
        snapshots: Snapshots | None = None
        if store is not None:
            snapshots = Snapshots(store, str(project.root), self._universe, self._looks(roots))
        self._earlier = EarlierRun(self._program, snapshots)
        self.files = SingleFiles(self._program, self._earlier, self._purposes)

    def _looks(self, roots: Sequence[str]) -> object:
        """Everything that judging depends on except the files of the program."""
        environment, settings = self.environment, self._project.settings
        catalogs = (str(path) for path in settings.catalog)
        return (
            roots,
            sorted(self._codes),
            [method.value for method in settings.start_methods],
            settings.pedantic,
            settings.library,
            self._moving_to,
            self._always_forks,
            self._purposes.are_asked_for,
            settings.max_file_size,
            self._pythons,
            [(path, digest(disk.read(path)).hex()) for path in catalogs],
            (environment.prefix, environment.site_packages),
            (sorted(environment.editables.items()), sorted(environment.namespaces.items())),
        )

    def _set_universe(self, paths: Iterable[str]) -> None:
        """Make these files, and the packages that they import, the program."""
        self._universe = tuple(dict.fromkeys(paths))
        self._judging: Scheduler | None = None

    def _judging_of(self, first_party: Sequence[str]) -> Scheduler:
        scheduler = Scheduler(self._program, self._catalog, lambda: self._judge, first_party, self._jobs, self._budget)
        for path, reason in self._fenced.items():
            scheduler.leave_out(path, reason)
        return scheduler

    def _own_paths(self) -> Sequence[str]:
        """The first-party files of the program."""
        if self._judging is not None:
            return self._judging.first_party
        return [path for path in self._universe if self._program.finder.module_of(path).first_party]

    def diagnostics(
        self,
        overlay: Mapping[str, Document] | None = None,
        progress: Callable[[int, int], None] | None = None,
        checking: Callable[[int, int], None] | None = None,
        stage: Stage | None = None,
    ) -> dict[str, list[Diagnostic]]:
        """Diagnostics by path, for every reported file (possibly an empty list). A document in `overlay` replaces the
        file on disk, for this call and later ones. Only what a change can affect is judged again. `progress` receives
        the number of files read and the total, then `checking` the number of files judged and the total; `stage`, how
        far the stages of judging have got if one process does all."""
        for path, document in (overlay or {}).items():
            self._program.load(path, document)
        judging = self._judging or self._recall()
        if judging is None:
            self._read_all(progress)
            judging = self._judging_of(self._own_paths())
        self._judging = judging
        judging.checking, judging.stage = checking, stage
        for path in self._project.named:
            self._program.check(path)
        found: dict[str, list[Diagnostic]] = {path: [] for path in self._project.reported}
        with running(Part.LINK):
            diagnostics = judging.diagnostics()
        self._settled = diagnostics
        self.held_back = sum(each.location.path in found and self.selections.holds_back(each) for each in diagnostics)
        for diagnostic in diagnostics:
            if diagnostic.location.path in found and self.selections.shows(diagnostic):
                found[diagnostic.location.path].append(diagnostic)
        self._report_broken(found)
        self._report_given_up(found)
        return found

    def read_all(self, path: str, document: Document) -> None:
        """Read everything in a file, also what no rule needs to see. The document replaces the file on disk."""
        module = self._program.load(path, document)
        if isinstance(module, Module):
            module.facts.read_all()

    def has_no_end(self) -> None:
        """Remove the time budget of the run; that of each file remains. For front ends that run as long as
        someone uses them."""
        self._budget = replace(self._budget, ends=inf)

    @property
    def defects(self) -> tuple[Defect, ...]:
        """Failures of lintpickle itself on the way to the latest diagnostics."""
        return tuple(each for each in self._failures if not each.given_up)

    @property
    def is_momentary(self) -> bool:
        """Whether the next run may give another result for the same files, because something failed or was left out."""
        return bool(self._failures)

    @property
    def given_up(self) -> frozenset[str]:
        """The files that were left out of the latest diagnostics."""
        return frozenset(each.path for each in self._failures if each.given_up)

    @property
    def _failures(self) -> tuple[Defect, ...]:
        return self._judging.defects if self._judging is not None else ()

    def _report_given_up(self, found: dict[str, list[Diagnostic]]) -> None:
        """Report the files that were left out, and once that the run was cut short."""
        for failure in self._failures:
            path = failure.path or next(iter(found), "")
            if failure.given_up and path in found:
                said = not_analysed(path, failure.given_up)
                if self.selections.shows(said) and said not in found[path]:
                    found[path].append(said)

    @property
    def suggests_library(self) -> bool:
        """Whether the setting `library` would find more: the program starts no worker processes, but exports classes
        that its users may ship."""
        is_set = self._project.settings.library
        return not is_set and self._judging is not None and self._judging.only_exports_payload

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The limits that were reached on the way to the latest diagnostics."""
        return self._judging.cuts if self._judging is not None else ()

    def _recall(self) -> Scheduler | None:
        """Continue from the results of an earlier run, if most of what they depend on is unchanged."""
        snapshot = self._earlier.recall(self._universe, is_home_known=self._is_second)
        if snapshot is None:
            return None
        judging = self._judging_of(snapshot.first_party)
        judging.judged = snapshot.judged
        if self._fixing:
            judging.doubted = snapshot.judged.with_fixes()
        return judging

    def _read_all(self, progress: Callable[[int, int], None] | None) -> None:
        self._program.read_ahead(self._universe, progress)

    def _report_broken(self, found: dict[str, list[Diagnostic]]) -> None:
        """Report the syntax errors of files that have been read, and nothing else in those files. Among others that are
        read, a file of Python 2 is left there on purpose, or forgotten, one that names another interpreter in its first
        row is no Python, a template is filled in before it runs, and a pointer of Git LFS stands for a file: these are
        only possible. So is what only Python 2 has, in a program of Python 2 that has no other files."""
        held_back = []
        each_broken = {path: self.files.broken(path) for path in found}
        is_any_read = None in each_broken.values()
        for path, broken in each_broken.items():
            if broken is None:
                continue
            said = broken.diagnostic
            if is_python_2(said.message) or (is_any_read and is_no_python_3(said.message)):
                said = replace(said, confidence=Confidence.POSSIBLE)
            is_certain = said.confidence is Confidence.CERTAIN
            found[path] = [said] if self.selections.shows(said) or (is_certain and broken.unread) else []
            if self.selections.holds_back(said):
                held_back.append(replace(said, where=self._purposes.kind(path)))
        self.unread = tuple(held_back)

    @property
    def may_pin_fork(self) -> bool:
        """Whether a file of the library may ask for fork by its name, under which much is no hazard, or nothing else is
        supported. (What tests ask for concerns their own processes.)"""
        return self._always_forks or any(map(self.files.pin, self._universe))

    @property
    def pins_fork(self) -> bool:
        """Whether that is likely for the latest diagnostics: a call asks for fork, or a setting of some name that has
        been followed to workers. What another project asks for that is checked, too, concerns that."""
        if self._always_forks:
            return True
        own = self._project.reported if self._project.whole else self._universe
        pins = set(map(self.files.pin, own))
        return "by call" in pins or ("by setting" in pins and self._judging is not None and self._judging.is_forked)

    @property
    def _judge(self) -> Judge:
        from lintpickle.engine.judge import Judge

        settings = self._project.settings
        return Judge(
            self._program,
            self._catalog,
            self.rules,
            self._screen,
            self._pythons,
            self._purposes,
            settings.start_methods,
            settings.pedantic,
            settings.library,
            self._moving_to,
            self._always_forks,
        )

    @cached_property
    def rules(self) -> tuple[type[Rule], ...]:
        """The rules that are on in the project. They are loaded when they are first asked for."""
        return rules_with(self._codes)

    @cached_property
    def _screen(self) -> Screen:
        return screen_for(self.rules, self._catalog)

    def linked(self) -> Linker:
        """The program of the project, linked: for views other than diagnostics."""
        self._read_all(None)
        first_party = FirstPartyModules(self._program, self._own_paths())
        return self._judge.linked(first_party, list(first_party))

    def shown_to_rules(
        self, linker: Linker, start_methods: Collection[StartMethod], codes: Collection[str] | None = None
    ) -> RuleRunner:
        """A linked program of the project with those of its rules that bite under these start methods. `codes` selects
        rules instead of the settings."""
        rules = self.rules if codes is None else rules_with(codes)
        return replace(self._judge, rules=rules, start_methods=start_methods).shown_to_rules(linker)

    def keep(self, evidence: Evidence) -> None:
        """Write the facts of files, and the results, into the cache, if there is one. `evidence` holds what was read
        from the disk, beginning before the analysis was made."""
        judging = self._judging
        if judging is None or judging.judged is None or self._failures:
            return  # What failed may not fail again.
        own_paths = self._own_paths()
        self._earlier.keep(judging.judged, judging.judged_again, self._universe, own_paths, self.files, evidence)

    def kind_of_place(self, path: str) -> PlaceKind:
        """What a file of the project is for."""
        return self._purposes.kind(path)

    def places_in(self, path: str) -> list[Diagnostic]:
        """The diagnostics with a related place in a file, each as it would be reported there."""
        return [
            told_at(diagnostic, related)
            for diagnostic in self._settled
            for related in diagnostic.related
            if related.location.path == path
        ]
