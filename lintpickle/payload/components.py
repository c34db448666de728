"""What a program is linked with: the parts that all of linking shares."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec.structs import replace

from lintpickle.boundaries.calls import Boundaries
from lintpickle.boundaries.fresh_workers import TASK_RUNNER
from lintpickle.boundaries.mocks import Mocks
from lintpickle.boundaries.names import BoundaryNames
from lintpickle.boundaries.program_wide import ProgramWide, SetMethods
from lintpickle.call_graph.callers import Callers
from lintpickle.call_graph.constructing_calls import ConstructingCalls
from lintpickle.call_graph.iterating import found_once
from lintpickle.call_graph.named_calls import NamedCalls
from lintpickle.call_graph.objects_when_read import ObjectsWhenRead
from lintpickle.call_graph.registered_in_modules import RegisteredInModules
from lintpickle.call_graph.registered_in_objects import RegisteredInObjects
from lintpickle.call_graph.run_again import RunAgain
from lintpickle.catalog import BOUNDARY_PARTS, Catalog, Error, Product
from lintpickle.defects import LINKING, Defects
from lintpickle.diagnostics import StartMethod
from lintpickle.facts.values import Expr
from lintpickle.imports.declared import Declared
from lintpickle.interpreter.abstract_values import Frame, Site, TracedValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.probes import Probes
from lintpickle.interpreter.root_frames import RootFrame, RootFrames
from lintpickle.parsing.outline import Block
from lintpickle.payload.by_kind import ByKind
from lintpickle.payload.constructions import Constructions
from lintpickle.payload.file_purposes import FilePurposes
from lintpickle.payload.interest import Interest
from lintpickle.payload.library_users import LibraryUsers
from lintpickle.payload.module_use import ModuleUse
from lintpickle.payload.payload import Payload
from lintpickle.payload.programs_of_scripts import ProgramsOfScripts
from lintpickle.payload.public_api import PublicClasses
from lintpickle.payload.put_aside import PutAside
from lintpickle.payload.starts import STARTING_NAMES
from lintpickle.payload.unused import Unused
from lintpickle.prefilter.screen import INNER_CLASS, Screen
from lintpickle.prefilter.words import Words
from lintpickle.profiling import Part, running
from lintpickle.program.cross_module import CrossModuleFacts
from lintpickle.program.first_party import FirstPartyModules
from lintpickle.program.module import Module
from lintpickle.program.program import Program
from lintpickle.program.remembering import Answer, Remembering
from lintpickle.program.stages import Stage
from lintpickle.pythons import Version
from lintpickle.resolution.boundary_aliases import BoundaryAliases
from lintpickle.resolution.class_headers import ClassHeaderKinds
from lintpickle.resolution.name_targets import NameTargets
from lintpickle.resolution.names import NameResolver
from lintpickle.resolution.reachable_names import NameReach
from lintpickle.resolution.star_imports import StarImports

WORKER_KINDS = frozenset({"dataloader", "process", "spawn", "pool", "executor"})
STARTING_KINDS = WORKER_KINDS | {"manager"}
"""Those that start processes: workers, or the server of a manager, which runs no code of the program."""

_Item = TypeVar("_Item")


class Components(Remembering):
    """`scope` are the modules of `first_party` that are judged; `told` is what others have told. With `moving_to`, the
    program is judged as if nothing pinned fork, under that start method. With `always_forks`, its processes are forked
    where it does not ask for anything else."""

    def __init__(
        self,
        program: Program,
        catalog: Catalog,
        first_party: FirstPartyModules,
        scope: Sequence[Module],
        screen: Screen,
        pythons: Sequence[Version],
        purposes: FilePurposes,
        told: CrossModuleFacts | None = None,
        moving_to: StartMethod | None = None,
        is_library: bool = False,
        always_forks: bool = False,
    ) -> None:
        super().__init__()
        self._cut_answers: set[Hashable] = set()
        self.program = program
        self.moving_to = moving_to
        self.stage: Stage | None = None
        """Is told how far judging has got, if anyone watches."""
        self.purposes = purposes
        self.pythons = pythons
        """The Pythons that the program runs on, in ascending order."""
        self.first_party = first_party
        self.scope = scope
        with running(Part.SCREEN):
            self.modules: Sequence[Module] = [module for module in scope if screen.matters(module.lexicon)]
        """Those in which anything can be found."""
        self.cross_module = told or CrossModuleFacts(first_party.order)
        self.defects = Defects()
        """What of lintpickle itself failed. It costs the root that was being followed, or a rule on a module."""
        self.catalog = catalog
        self.screen = screen
        stars = StarImports(program)
        self.evaluator = Evaluator(NameResolver(program, stars, catalog), catalog, pythons)
        cuts = self.evaluator.cuts
        self.evaluator.check = self.defects.watchdog.check
        self.evaluator.attributes.when_read = ObjectsWhenRead(self.evaluator).when_read
        registries = RegisteredInObjects(self.evaluator, first_party, lambda: self.defects.watchdog.path)
        tables = RegisteredInModules(self.evaluator, first_party, lambda: self.defects.watchdog.path)
        self.evaluator.module_names.with_registered = tables.with_registered
        self.evaluator.attributes.with_registered = lambda found, owner, name: tables.with_subclasses(
            registries.with_registered(found, owner, name), owner, name
        )
        self.classes = self.evaluator.classes
        self.headers = ClassHeaderKinds(program, stars, catalog, cuts)
        self.places = places = NameTargets(program, stars, cuts)
        self.boundary_names = BoundaryNames(program, catalog)
        self.interest = Interest(program, places, self.headers, catalog, screen.marks, self.cross_module)
        self.activations = RootFrames(self.evaluator)
        self.boundaries = Boundaries(self.evaluator, moving_to)
        self.aliases = BoundaryAliases(first_party, catalog, cuts)
        self.program_wide = ProgramWide(self.evaluator, self.activations, first_party)
        self.set_methods = (
            SetMethods(frozenset({moving_to})) if moving_to is not None else self.program_wide.start_methods()
        )
        if always_forks:
            self.set_methods = replace(self.set_methods, by_default=frozenset({StartMethod.FORK}))
        """The start methods that the program's own code sets."""
        self.classes.registered = self.program_wide.registered_classes()
        self.conditions = self.evaluator.conditions
        self.probes = Probes(self.evaluator)
        named = NamedCalls(first_party, self.activations)
        constructing = ConstructingCalls(self.evaluator, self.activations, named, self.aliases)
        self.callers = Callers(self.evaluator, self.activations, named, constructing, self.aliases, self.probes)
        self.run_again = RunAgain(self.evaluator, named)
        self.put_aside = PutAside(self.evaluator, named, self.probes)
        self.payload = Payload(self.evaluator, ByKind(self.evaluator, places, self.headers), self.put_aside)
        self.constructions = Constructions(constructing, self.payload, self.evaluator, purposes)
        self._module_use = ModuleUse(first_party, purposes)
        self.mocks = Mocks(first_party)
        self.declared = Declared(purposes.root)
        self.public = PublicClasses(program, places, purposes.root)
        self.unused = Unused(first_party, self.public)
        self.users = LibraryUsers(is_library, self.public, purposes, self.headers, self.callers)
        self.own_places = NameTargets(program, stars, cuts, only_own=True)
        self.starts_reach = NameReach(
            self.own_places,
            {*catalog.starting_words(STARTING_KINDS | {TASK_RUNNER}), *self.aliases.names, *STARTING_NAMES},
            BOUNDARY_PARTS,
            first_party.reached,
        )
        """Where a name stands with which worker processes may be started."""
        self._programs = ProgramsOfScripts(program)
        self._activated: dict[tuple[frozenset[str], re.Pattern[str]], Iterator[RootFrame]] = {}

    def remembered(self, question: Hashable, find: Callable[[], Answer]) -> Answer:
        """The answer to a question, which is computed once. Who gets one for which something was not read is told so,
        too: see `Cuts.hide`."""
        cuts, is_new, before = self.evaluator.cuts, question not in self._answers, self.evaluator.cuts.hide
        cuts.hide = False if is_new else before or question in self._cut_answers
        try:
            return super().remembered(question, find)
        finally:
            if is_new and cuts.hide:
                self._cut_answers.add(question)
            cuts.hide = cuts.hide or before

    def start_methods_at(self, module: Module) -> frozenset[StartMethod]:
        """The start methods that the program's own code leaves possible for that of a module."""
        return self.set_methods.at(module.path, lambda script: self._programs.may_run_with(script, module))

    def linked(self, root: Site, found: Iterable[_Item]) -> Iterator[_Item]:
        """What linking finds from one root, until it fails."""
        return self.evaluator.cuts.within(root, self.defects.each_of(root.module.path, LINKING, found))

    def may_be_of_kind(self, module: Module, block: Block, kinds: Collection[str]) -> bool:
        """Whether a class of the block is of one of the kinds (of any, if none is named), as far as heads of classes
        tell; what a class holds in its own body is not looked into."""
        if not kinds or INNER_CLASS.search(module.code, block.span.start, block.span.end):
            return True
        return any(self.headers.kind(module, header) in kinds for header in block.classes)

    def evaluate(self, value: Expr, frame: Frame) -> tuple[TracedValue, ...]:
        """The values that an expression can be in a frame, each with the hops through which it came. Never empty."""
        return self.evaluator.evaluate(value, frame)

    def error(self, error: Error) -> str:
        """A run-time error as the oldest of the program's Pythons words it, or the first one on which it comes."""
        return self.catalog.error_on(error, self.fails_since(error) or self.pythons[0])

    def fails_since(self, error: Error) -> Version | None:
        """The first of the program's Pythons on which the error comes, if it is not the oldest one."""
        first = error.first_failing(self.pythons) if isinstance(error, Product) else None
        return None if first == self.pythons[0] else first

    def activations_with(self, words: Collection[str], form: re.Pattern[str], asker: str) -> Iterator[RootFrame]:
        """What runs in the blocks of the program in which a form stands; one of the words is in it. `asker` is as for
        `FirstPartyModules.search`."""
        self.first_party.search(Words(words), asker, form)  # This module has asked, though others may have before.
        return found_once(self._activated, (frozenset(words), form), lambda: self._activations(words, form, asker))

    def _activations(self, words: Collection[str], form: re.Pattern[str], asker: str) -> Iterator[RootFrame]:
        for module in self.first_party.naming(Words(words), asker, form):
            for block in module.outline.blocks:
                facts = module.facts_of(block) if form.search(module.code, block.span.start, block.span.end) else None
                if facts is not None:
                    yield from self.activations.in_block(module, facts, form)
