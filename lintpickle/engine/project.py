"""One project: reading it, judging it, caching the results."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec.structs import replace

from lintpickle import disk
from lintpickle.cache.facts import FactsCache
from lintpickle.cache.store import CacheStore, digest
from lintpickle.catalog import Catalog, load_catalog
from lintpickle.diagnostics import (
    Confidence,
    Defect,
    Diagnostic,
    PlaceKind,
    StartMethod,
    told_at,
)
from lintpickle.disk import Evidence
from lintpickle.engine.file_findings import not_analysed, syntax_error
from lintpickle.engine.moves import named_in
from lintpickle.engine.processes import may_share
from lintpickle.engine.results import Results
from lintpickle.engine.roots import Project, program_files
from lintpickle.engine.scheduler import Scheduler
from lintpickle.engine.snapshots import Broken, File, Snapshot, Snapshots, rest_of
from lintpickle.imports.environment import Environment, find_environment
from lintpickle.imports.module_finder import ModuleFinder, project_roots
from lintpickle.limits import Cut
from lintpickle.payload.file_purposes import FilePurposes
from lintpickle.prefilter.marks import Vocabulary
from lintpickle.prefilter.screen import Screen
from lintpickle.prefilter.words import Words
from lintpickle.profiling import Part, running
from lintpickle.program.first_party import FirstPartyModules
from lintpickle.program.module import Module, Unread
from lintpickle.program.program import Program
from lintpickle.program.spill_file import SpillFile
from lintpickle.pythons import Pythons, Version, read_pythons
from lintpickle.rulebook.known_rules import known_rules
from lintpickle.selection import RuleSelection
from lintpickle.settings import Settings, SettingsResolver
from lintpickle.source.comment_lines import Filler, gaps
from lintpickle.source.document import Document, UnreadableSource, read_document
from lintpickle.suppressions.applying import may_suppress
from lintpickle.watchdog import Budget

if TYPE_CHECKING:
    from lintpickle.engine.judge import Judge
    from lintpickle.engine.rule_runner import RuleRunner
    from lintpickle.payload.linker import Linker
    from lintpickle.program.program import Survey
    from lintpickle.rules.base import Rule

_PIN = re.compile(
    r"""(?:\b(?:set_start_method|get_context)\(\s*|\b\w*(?:context|method)\s*=\s*)["']fork["']|\bFork(?:Context|Process)\b"""
)
"""How code asks for fork, as a rule."""

FEW = 0.01
"""The share of a program's files that may be read anew in each run before a new snapshot is taken."""


class Analysis:
    """A project that can be judged again and again while single documents change; everything else is read once.

    Files that are `fenced` are left out, and it is said why.
    With `moving_to`, it is judged as if nothing pinned fork, under that start method.
    What earlier runs have found out comes from `store`; not so fixes that are going to be applied (`fixing`): whoever
    can write to the store must not be able to write to the code.
    What an analysis of the same project has read (`read_by`) is not read again.
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
    ) -> None:
        self._jobs = jobs
        self._fenced = fenced
        self._moving_to = moving_to
        self._fixing = fixing
        self._project = project
        self._resolver = resolver
        self._selections: dict[Settings, RuleSelection] = {}
        settings = project.settings
        self.environment = environment_of(project)
        with running(Part.CATALOG):
            self._catalog = load_catalog(tuple(str(path) for path in settings.catalog), store)
        self._codes = self.selection(settings).codes
        run_seconds = settings.max_run_seconds
        self._budget = Budget(
            settings.max_file_seconds, settings.max_memory, time.monotonic() + run_seconds, run_seconds
        )
        self._pythons = _pythons(settings, self.environment)
        if universe is None:
            with running(Part.DISCOVER):
                universe = () if project.complete else program_files(project, resolver)
        universe = [*universe, *project.reported]
        roots = project_roots(project.root, [str(path) for path in settings.src], universe)
        self._is_second = read_by is not None
        self._program: Program = read_by._program if read_by is not None else self._new_program(roots, store)
        self._set_universe(universe)
        self._purposes = FilePurposes(str(project.root), () if project.named else project.reported)
        self._recalled: Snapshot | None = None
        self._changed_since: frozenset[str] = frozenset()
        """The files that have changed since the snapshot that was recalled."""
        self._known_broken: dict[str, Broken] = {}
        self._settled: Sequence[Diagnostic] = ()
        """The latest diagnostics, of all files of the program."""
        self.held_back = 0
        """How many of those of the reported files are only possible, and not asked for."""
        self.unread: tuple[Diagnostic, ...] = ()
        """The reported files in tests and the like that cannot be read, where that is not asked for."""
        self._snapshots: Snapshots | None = None
        if store is not None:
            self._snapshots = Snapshots(store, str(project.root), self._universe, self._looks(roots))

    def _new_program(self, roots: Sequence[str], store: CacheStore | None) -> Program:
        described, vocabulary = self._catalog.described(), _vocabulary(self._catalog)
        program = Program(
            ModuleFinder(roots, self.environment, described),
            described,
            vocabulary,
            FactsCache(store, str(self._project.root), vocabulary),
            SpillFile(Words(self._catalog.boundary_makers()), is_open=may_share(self._jobs)),
            lambda: self._screen.words,
        )
        program.find_surveys = partial(_surveys, self._catalog)
        return program

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
    ) -> dict[str, list[Diagnostic]]:
        """Diagnostics by path, for every reported file (possibly an empty list). A document in `overlay` replaces the
        file on disk, for this call and later ones. Only what a change can affect is judged again. `progress` receives
        the number of files read and the total, then `checking` the number of files judged and the total."""
        for path, document in (overlay or {}).items():
            self._program.load(path, document)
        judging = self._judging or self._recall()
        if judging is None:
            self._read_all(progress)
            judging = self._judging_of(self._own_paths())
        self._judging = judging
        judging.checking = checking
        for path in self._project.named:
            self._program.check(path)
        found: dict[str, list[Diagnostic]] = {path: [] for path in self._project.reported}
        with running(Part.LINK):
            diagnostics = judging.diagnostics()
        self._settled = diagnostics
        self.held_back = sum(each.location.path in found and self._is_held_back(each) for each in diagnostics)
        for diagnostic in diagnostics:
            if diagnostic.location.path in found and self._selected(diagnostic):
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
        """Remove the time budget of the run; that of each file remains. For faces that run as long as someone uses
        them."""
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
                if self._selected(said) and said not in found[path]:
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
        if self._snapshots is None:
            return None
        with running(Part.RECALL):
            snapshot = self._snapshots.load()
            changes = snapshot.changes() if snapshot is not None and snapshot.universe == self._universe else None
        if not self._is_second:
            self._program.facts_home = snapshot.home if snapshot is not None else self._snapshots.home()
        if snapshot is None or changes is None:
            return None
        self._recalled, self._changed_since = snapshot, changes.texts
        self._known_broken = {path: each for path, each in snapshot.broken.items() if path not in changes.texts}
        for path in changes.texts:
            self._program.note_change(path, path in changes.same_statements, snapshot.files[path].gaps)
        judging = self._judging_of(snapshot.first_party)
        judging.judged = snapshot.judged
        if self._fixing:
            judging.doubted = snapshot.judged.with_fixes()
        return judging

    def _read_all(self, progress: Callable[[int, int], None] | None) -> None:
        self._program.read_ahead(self._universe, progress)

    def _report_broken(self, found: dict[str, list[Diagnostic]]) -> None:
        """Report the syntax errors of files that have been read, and nothing else in those files."""
        held_back = []
        for path in found:
            broken = self._broken(path)
            if broken is None:
                continue
            said = broken.diagnostic
            is_certain = said.confidence is Confidence.CERTAIN
            found[path] = [said] if self._selected(said) or (is_certain and broken.unread) else []
            if self._is_held_back(said):
                held_back.append(replace(said, where=self._purposes.kind(path)))
        self.unread = tuple(held_back)

    def _broken(self, path: str) -> Broken | None:
        """The diagnostic of a file if it has a syntax error."""
        if path in self._known_broken and path not in self._program.given:
            return self._known_broken[path]
        module = self._program.known(path)
        if isinstance(module, Unread):
            return Broken(self._syntax_error(module), True)
        if module is None or module.facts.broken is None:
            return None
        unread = Unread.for_broken(path, module.facts.broken, module.document)
        return Broken(self._syntax_error(unread), False)

    def _syntax_error(self, unread: Unread) -> Diagnostic:
        """The diagnostic of a file that cannot be read. It is only possible for tests, examples and docs, which may
        contain text that is not Python."""
        if unread.given_up:
            return not_analysed(unread.path, unread.reason)
        said = syntax_error(unread)
        return said if self._purposes.is_library(unread.path) else replace(said, confidence=Confidence.POSSIBLE)

    def may_suppress(self, path: str) -> bool:
        """Whether a comment in a reported file can concern a rule of lintpickle."""
        if self._recalled is not None and not self._program.is_read(path):
            return path in self._recalled.commented
        document = self.document(path)
        return document is not None and may_suppress(document)

    @property
    def may_pin_fork(self) -> bool:
        """Whether a file of the library may ask for fork by its name, under which much is no hazard. (What tests ask
        for concerns their own processes.)"""
        return any(map(self._may_pin_fork, self._universe))

    def _may_pin_fork(self, path: str) -> bool:
        if self._recalled is not None and not self._program.is_read(path):
            return path in self._recalled.forking
        if not self._purposes.is_library(path):
            return False
        document = self.document(path)
        return document is not None and "fork" in document.text and _PIN.search(document.text) is not None

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
        )

    @cached_property
    def rules(self) -> tuple[type[Rule], ...]:
        """The rules that the settings of the project enable. They are loaded when they are first asked for."""
        return _loaded(self._codes)

    @cached_property
    def _screen(self) -> Screen:
        return _screen(self.rules, self._catalog)

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
        rules = self.rules if codes is None else _loaded(codes)
        return replace(self._judge, rules=rules, start_methods=start_methods).shown_to_rules(linker)

    def keep(self, evidence: Evidence) -> None:
        """Write the facts of files, and the results, into the cache, if there is one. `evidence` holds what was read
        from the disk, beginning before the analysis was made."""
        if self._snapshots is None or self._judging is None or self._judging.judged is None or self._failures:
            return  # What failed may not fail again.
        self._program.keep_facts([each.text for each in self._recalled_files.values()])
        most = FEW * len(self._universe)
        if (
            self._recalled is None
            or self._judging.judged_again > most
            or self._recalled.looking_otherwise(evidence.contents) > most
        ):
            self._snapshots.keep(self._snapshot(self._snapshots, self._judging.judged, evidence))

    @property
    def _recalled_files(self) -> Mapping[str, File]:
        """The files of the snapshot that was used; empty if there was none."""
        return self._recalled.files if self._recalled is not None else {}

    def _gaps(self, path: str, named: Collection[str]) -> tuple[Filler, ...] | None:
        """The gaps in a file, if it is one of those that are named."""
        document = self.document(path) if path in named else None
        return gaps(document.code) if document is not None and document.cells is None else None

    def _snapshot(self, snapshots: Snapshots, judged: Results, evidence: Evidence) -> Snapshot:
        named = named_in(judged)
        files = {
            path: each
            if path in self._changed_since
            else snapshots.file(
                evidence.contents.get(path),
                each.text,
                each.statements,
                each.gaps if each.gaps is not None else self._gaps(path, named),
            )
            for path, each in self._recalled_files.items()
        }
        statements = self._program.digests_of_statements()
        for path, text in self._program.digests().items():
            status = evidence.contents.get(path) if path not in self._program.given else None
            files[path] = snapshots.file(status, text, statements[path], self._gaps(path, named))
        broken = ((path, self._broken(path)) for path in self._universe)
        asked = rest_of(evidence, files)
        return Snapshot(
            judged,
            self._universe,
            tuple(self._own_paths()),
            files,
            snapshots.folders(evidence.listings),
            asked,
            snapshots.digests(asked, self._recalled),
            self._program.facts_home,
            {path: each for path, each in broken if each is not None},
            frozenset(filter(self.may_suppress, self._universe)),
            frozenset(filter(self._may_pin_fork, self._universe)),
        )

    def document(self, path: str) -> Document | None:
        """The document of a reported file; None if it could not be read."""
        known_broken = self._known_broken.get(path)
        if self._recalled is None or self._program.is_read(path) or (known_broken is not None and known_broken.unread):
            return self._program.file_survey.document(path)
        try:
            return read_document(path)
        except UnreadableSource:
            return None

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

    def selection(self, settings: Settings) -> RuleSelection:
        """The rules that settings select. The result is kept, because files share settings."""
        if settings not in self._selections:
            self._selections[settings] = RuleSelection.build(settings, tuple(known_rules().values()))
        return self._selections[settings]

    def _selected(self, diagnostic: Diagnostic) -> bool:
        settings = self._resolver.for_path(diagnostic.location.path)
        if diagnostic.confidence is Confidence.POSSIBLE and not settings.pedantic:
            return False
        return self.selects(diagnostic.code, diagnostic.location.path)

    def _is_held_back(self, diagnostic: Diagnostic) -> bool:
        """Whether a diagnostic is only reported with `pedantic`."""
        path = diagnostic.location.path
        if diagnostic.confidence is not Confidence.POSSIBLE:
            return False
        return not self._resolver.for_path(path).pedantic and self.selects(diagnostic.code, path)

    def selects(self, code: str, path: str) -> bool:
        """Whether a rule is on in a file."""
        return self.selection(self._resolver.for_path(path)).selects(code, path)


def _screen(rules: Sequence[type[Rule]], catalog: Catalog) -> Screen:
    """The screen for the text that the rules need to see."""
    from lintpickle.payload.made_transforms import transform_words

    marks = {mark for rule in rules if "crossing" in rule.hooks() for mark in rule.marks}
    words = {word for rule in rules for word in rule.words}
    return Screen(marks, words | transform_words(marks), catalog.boundary_words())


def environment_of(project: Project) -> Environment:
    """The present Python environment of a project. Raises LintpickleError if the configured one does not exist."""
    settings = project.settings
    setting = str(settings.python) if settings.python is not None else None
    return find_environment(setting, project.root, os.environ, sys.prefix)


def _pythons(settings: Settings, environment: Environment) -> tuple[Version, ...]:
    """The Pythons that the program runs on: as configured, otherwise the version of its environment and later ones,
    otherwise that of lintpickle."""
    configured = read_pythons(settings.target_version) if settings.target_version is not None else None
    return (configured or Pythons()).since(environment.python_version or sys.version_info[:2])


def _vocabulary(catalog: Catalog) -> Vocabulary:
    return Vocabulary(
        catalog.hazard_calls(), catalog.hazard_values(), catalog.boundary_words(), catalog.hazard_holders()
    )


def _surveys(catalog: Catalog) -> dict[str, Survey]:
    """All surveys by name. What asks them is loaded now: a run in which nothing is judged does without it."""
    from lintpickle.analyses import setting_makers
    from lintpickle.call_graph import named_calls

    return {**setting_makers.surveys(catalog), **named_calls.surveys()}


def _loaded(codes: Collection[str]) -> tuple[type[Rule], ...]:
    """The rules with these codes."""
    from lintpickle.rules import all_rules

    with running(Part.LOAD):
        return tuple(rule for rule in all_rules() if rule.code in codes)
