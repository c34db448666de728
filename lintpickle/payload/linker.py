"""Linking: from the modules of a program to everything in it that crosses a boundary."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec.structs import replace

from lintpickle.boundaries.calls import ITSELF, Boundaries, BoundaryCall
from lintpickle.boundaries.interactive import is_refused
from lintpickle.boundaries.mocks import Mocks
from lintpickle.boundaries.names import UNFOLLOWED_KIND, BoundaryNames
from lintpickle.boundaries.program_wide import ProgramWide, SetMethods
from lintpickle.boundaries.proxies import MANAGER, PUTS, put_into_proxy
from lintpickle.boundaries.unstarted import is_left_alone
from lintpickle.call_graph.callers import Callers
from lintpickle.call_graph.running import after_calls, frame_at
from lintpickle.catalog import BOUNDARY_PARTS, Catalog, Error, Product
from lintpickle.defects import LINKING, Defects
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.facts.records import Called, ItemStore, Store
from lintpickle.facts.values import (
    Attribute,
    Expr,
    Parameter,
    mentions_parameter,
    without_narrowing,
)
from lintpickle.imports.declared import Declared
from lintpickle.interpreter.abstract_values import (
    UNKNOWN,
    AbstractValue,
    ClassValue,
    ContainerValue,
    Doubt,
    ExternalResult,
    FunctionValue,
    Hop,
    InstanceValue,
    ProductValue,
    Site,
    TracedValue,
    joined,
)
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.frames import Bound, Frame
from lintpickle.interpreter.pickle_time import PickleTime
from lintpickle.interpreter.probes import Probes
from lintpickle.interpreter.root_frames import RootFrame, RootFrames
from lintpickle.interpreter.slots import MODULE_CONTAINERS, MODULE_KINDS
from lintpickle.limits import CALLERS
from lintpickle.parsing.outline import Block
from lintpickle.payload.by_kind import ALWAYS_FOLLOWED_KINDS, SHIPPED_KINDS, ByKind, belongs_to_one_process
from lintpickle.payload.clearness import MAKERS_OF_LOADERS, is_unclear
from lintpickle.payload.confidence import FilePurposes, cannot_be_copied, of_boundary, of_crossing
from lintpickle.payload.constructions import Constructions, outermost
from lintpickle.payload.heuristics import made_transforms, returned_datasets, stored_later
from lintpickle.payload.interest import Interest
from lintpickle.payload.made_objects import is_part_of, made_objects
from lintpickle.payload.module_use import ModuleUse
from lintpickle.payload.payload import Crossing, Payload, Root
from lintpickle.payload.public_api import PublicClasses
from lintpickle.payload.put_aside import PutAside, method_that_ships
from lintpickle.payload.starts import STARTING_NAMES
from lintpickle.payload.worker_side import WorkerCode, worker_code
from lintpickle.prefilter.screen import INNER_CLASS, Screen
from lintpickle.prefilter.words import Words
from lintpickle.profiling import Part, running
from lintpickle.program.cross_module import CrossModuleFact, CrossModuleFacts
from lintpickle.program.first_party import FirstPartyModules
from lintpickle.program.module import Module
from lintpickle.program.program import Program
from lintpickle.pythons import Version
from lintpickle.resolution.boundary_aliases import BoundaryAliases
from lintpickle.resolution.class_headers import ClassHeaderKinds
from lintpickle.resolution.name_targets import NameTargets
from lintpickle.resolution.names import NameResolver
from lintpickle.resolution.reachable_names import NameReach
from lintpickle.resolution.star_imports import StarImports
from lintpickle.source.file_kinds import PlaceKind

PICKLED_ON_START = (StartMethod.SPAWN, StartMethod.FORKSERVER)
CARRIES_FUNCTIONS = frozenset({"cloudpickle", "joblib", "deepcopy"})
"""Kinds of boundaries that do not look functions up by their names."""
WORKER_KINDS = frozenset({"dataloader", "process", "spawn", "pool", "executor"})

_Item = TypeVar("_Item")

WORKERS: CrossModuleFact = ("workers",)
EXPORTS_PAYLOAD: CrossModuleFact = ("exports payload",)
_GIVEN_TO_USERS = SHIPPED_KINDS - {"process"}
"""What modules tell that may start workers."""
_LOADERS: CrossModuleFact = ("loaders", "of the library")
_OTHER_LOADERS: CrossModuleFact = ("loaders", "of tests, examples, docs")
"""What modules tell whose loaders may have workers."""
_IDLE_LOADERS: CrossModuleFact = ("loaders without workers",)
"""What modules tell of loaders of theirs that surely have none."""
_UNCLEAR: CrossModuleFact = ("loads anything",)
"""What modules tell that may make workers load datasets that cannot be followed."""
_PROCESS_CLASS = "Process)"
"""What stands in the head of a class of processes."""
_KIND_PHRASES = {
    "dataset": "a Dataset: a DataLoader pickles it for each worker",
    "iterable-dataset": "an IterableDataset: a DataLoader pickles it for each worker",
    "module": "an nn.Module: torch.save(model), mp.spawn and process pools pickle it",
    "lightning-module": "a LightningModule: spawn strategies and torch.save(model) pickle it",
    "transform": "a transform: it travels with any dataset that holds it",
    "collate": "a collate function: a DataLoader pickles it for each worker",
    "process": "a Process: `start()` pickles it",
}
_GIVEN_PHRASE = "public: users of the library may ship it"


class Linker:
    """One program, linked. `scope` are the modules of `own` that are judged; `told` is what others have told. With
    `moving_to`, it is judged as if nothing pinned fork, under that start method."""

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
    ) -> None:
        self.program = program
        self.moving_to = moving_to
        self._is_library = is_library
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
        self.evaluator.check = self.defects.watchdog.check
        self.classes = self.evaluator.classes
        self.headers = ClassHeaderKinds(program, stars, catalog)
        places = NameTargets(program, stars)
        self.boundary_names = BoundaryNames(program, catalog)
        self.interest = Interest(program, places, self.headers, catalog, screen.marks, self.cross_module)
        self.activations = RootFrames(self.evaluator)
        self.boundaries = Boundaries(self.evaluator, moving_to)
        self.aliases = BoundaryAliases(first_party, catalog)
        self.program_wide = ProgramWide(self.evaluator, self.activations, first_party)
        self._set_methods = (
            SetMethods(frozenset({moving_to})) if moving_to is not None else self.program_wide.start_methods()
        )
        """The start methods that the program's own code leaves possible."""
        self.classes.registered = self.program_wide.registered_classes()
        self.conditions = self.evaluator.conditions
        self.probes = Probes(self.evaluator)
        self.callers = Callers(
            self.evaluator, self.activations, first_party, self.aliases, self.conditions, self.probes
        )
        self._put_aside = PutAside(self.evaluator, self.callers, self.probes)
        self.payload = Payload(self.evaluator, ByKind(self.evaluator, places, self.headers), self._put_aside)
        self._constructions = Constructions(self.callers, self.payload, self.conditions, purposes)
        self._module_use = ModuleUse(first_party, purposes)
        self._mocks = Mocks(first_party)
        self.declared = Declared(purposes.root)
        self._public = PublicClasses(program, places, purposes.root)
        self.own_places = NameTargets(program, stars, only_own=True)
        self.starts_reach = NameReach(
            self.own_places,
            {*catalog.starting_words(WORKER_KINDS), *self.aliases.names, *STARTING_NAMES},
            BOUNDARY_PARTS,
            first_party.reached,
        )
        """Where a name stands with which worker processes may be started."""
        self._are_followed = False
        self._boundary_calls: tuple[BoundaryCall, ...] | None = None
        self._worker_codes: tuple[WorkerCode, ...] | None = None
        self._shipped: dict[int, tuple[Crossing, ...]] = {}
        self._asked_first: list[BoundaryCall] = []
        """Boundaries before which it is asked whether what they get can be pickled."""

    def boundary_calls(self) -> tuple[BoundaryCall, ...]:
        """Every boundary call in first-party code, specialised to its call sites where its payload is a
        parameter."""
        if self._boundary_calls is None:
            self._boundary_calls = tuple(self._find_boundary_calls())
            for call in self._boundary_calls:
                path = call.frame.module.path
                if call.spec.kind in WORKER_KINDS and self.boundaries.crosses(call):
                    self.cross_module.share(path, WORKERS)
                    if call.spec.kind == "dataloader":
                        self.cross_module.share(path, _LOADERS if self.purposes.is_library(path) else _OTHER_LOADERS)
                elif call.spec.kind in WORKER_KINDS and self.purposes.is_library(path):
                    self.cross_module.share(path, _IDLE_LOADERS)
                    for crossing in self._linked(call.site, self._follow(call)):
                        if isinstance(crossing.value, InstanceValue):
                            self._tell_class("loaded without workers", crossing.value.class_, call)
                        else:
                            self.cross_module.share(path, _loaded_at(crossing.site))
            for module in self.scope:
                if MAKERS_OF_LOADERS.are_in(module.lexicon):
                    self.cross_module.share(module.path, _UNCLEAR)
            for module in self.modules:
                if _PROCESS_CLASS in module.code:
                    self.cross_module.share(module.path, WORKERS)
                if self._exports_payload(module):
                    self.cross_module.share(module.path, EXPORTS_PAYLOAD)
        return self._boundary_calls

    def _exports_payload(self, module: Module) -> bool:
        """Whether a distribution exports a class of a module that is made to be shipped by its kind."""
        return self.purposes.is_library(module.path) and any(
            self.headers.kind(module, header) in _GIVEN_TO_USERS and self._public.exports(header.name, module)
            for block in module.outline.blocks
            for header in block.classes
        )

    def is_given(self, class_: ClassValue) -> bool:
        """Whether the users of a library may ship objects of a class: the setting `library` says that the program is
        one, and the class is public."""
        return self._is_library and self.purposes.is_library(class_.module.path) and self._public.offers(class_)

    def has_users(self, module: Module) -> bool:
        """Whether a module is one of a library that has users: see `is_given`."""
        return self._is_library and self.purposes.is_library(module.path)

    def gives(self, root: RootFrame) -> bool:
        """Whether the users of a library get what a function returns (see `is_given`), or what a public one returns
        that calls it."""
        path = root.frame.module.path
        if not self.has_users(root.frame.module):
            return False
        if self._public.is_reached(root.function.qualname, root.frame.module):
            return True
        return any(
            self.purposes.is_library(caller.frame.module.path)
            and self._public.is_reached(caller.function.qualname, caller.frame.module)
            and any(is_part_of(call, value) for value in caller.function.returns)
            for caller, call in self.callers.calls(root, path)
        )

    def has_workers(self, asking: Module) -> bool:
        """Whether the program has any boundary with workers, or a class of its own that is a process."""
        self.boundary_calls()
        return self.cross_module.is_shared(asking.path, WORKERS)

    def has_loaders(self, asking: Module) -> bool:
        """Whether the program has loaders with workers; for its library, those of tests, examples and docs do not
        count."""
        self.boundary_calls()
        is_library = self.purposes.is_library(asking.path)
        kinds = (_LOADERS,) if is_library else (_LOADERS, _OTHER_LOADERS)
        return any(self.cross_module.is_shared(asking.path, kind) for kind in kinds)

    def is_loaded_without_workers(self, site: Site) -> bool:
        """Whether a loader that certainly has no workers receives an object that is made at a place in the library."""
        self.boundary_calls()
        return self.cross_module.is_shared(site.module.path, _loaded_at(site))

    def is_idle(self, class_: ClassValue) -> bool:
        """Whether loaders that are seen get objects of a class, and none of these has workers."""
        is_shipped = any(self.is_shared(what, class_, class_.module) for what in ("shipped", "entered"))
        return not is_shipped and self.is_shared("loaded without workers", class_, class_.module)

    def confidence(self, crossing: Crossing) -> Confidence:
        """How sure it is that a value crosses: see `lintpickle.payload.confidence`."""
        if crossing.root.spec is None and crossing.root.kind in MODULE_KINDS:
            return of_crossing(crossing) if self._is_module_shipped(crossing) else Confidence.POSSIBLE
        if crossing.root.spec is not None:
            return of_crossing(crossing)
        if self._constructions.exclude(crossing):
            crossing = replace(crossing, doubts=joined(crossing.doubts, (Doubt.EXCLUDED,)))
        asker = crossing.root.site.module.path
        if crossing.root.kind in ALWAYS_FOLLOWED_KINDS and self._is_never_loaded(crossing):
            return Confidence.POSSIBLE
        is_idle = self.cross_module.is_shared(asker, _IDLE_LOADERS) and not self.cross_module.is_shared(asker, WORKERS)
        is_idle = is_idle and not crossing.root.is_given
        return Confidence.POSSIBLE if is_idle else of_crossing(crossing)

    def _is_never_loaded(self, crossing: Crossing) -> bool:
        """Whether the program makes objects of a dataset's class, and has loaders with workers, all of which are known
        to get other datasets."""
        value, module = outermost(crossing).value, crossing.root.site.module
        if not isinstance(value, InstanceValue) or crossing.root.is_given or self._public.has(value.class_):
            return False
        if not self.has_loaders(module) or self.cross_module.is_shared(module.path, _UNCLEAR):
            return False
        is_shipped = any(self.is_shared(what, value.class_, module) for what in ("shipped", "entered"))
        return not is_shipped and self._constructions.stay(value.class_, self.evaluator)

    def _is_module_shipped(self, crossing: Crossing) -> bool:
        """Whether nothing that the program does with its torch modules speaks against it that one is shipped whole, or
        copied: see `lintpickle.payload.confidence`."""
        asker = crossing.root.site.module.path
        if crossing.root.is_given:
            return True
        if not cannot_be_copied(crossing.value):
            is_lambda = isinstance(crossing.value, FunctionValue) and crossing.value.facts.name == "<lambda>"
            return not is_lambda or not self._module_use.saves_only_state(asker)
        return not belongs_to_one_process(crossing.value) or self._module_use.copies_whole(asker)

    def ships(self, traced: TracedValue, asking: Module) -> bool:
        """Whether a boundary of the library ships an object, as far as that can be told of single ones: a torch module
        that is shipped as a whole and made at the same place, or that a method of its class calls `self`; of other
        objects, any of their class."""
        if not self._are_followed:
            deque(self._shipped_by_boundaries(), maxlen=0)
        match traced.value:
            case InstanceValue(class_=class_) if self.classes.kind(class_) not in MODULE_KINDS:
                return self.is_shared("shipped", class_, asking)
            case InstanceValue(class_=class_, call=None):
                return self.is_shared("shipped as a module", class_, asking)
            case _:
                return self.cross_module.is_shared(asking.path, _made_as(traced.value, traced.site))

    def _find_boundary_calls(self) -> Iterator[BoundaryCall]:
        for module in self.modules:
            for block in self.screen.boundary.plots_in(module.lexicon, module.outline.blocks):
                names = self.boundary_names.in_block(module, block)
                facts = module.facts_of(block) if names else None
                if facts is None:
                    continue
                for root_frame in self.activations.in_block(module, facts, self._boundary_forms(names, module)):
                    for event in root_frame.function.events:
                        if isinstance(event, Called) and self.boundary_names.may_be_one(event.call.function, module):
                            root = Site(module, event.span)
                            yield from self._linked(root, self._specialised(root_frame, event))
        yield from self._called_by_aliases()
        yield from self._called_on_parameters()
        yield from self._put_into_proxies()

    def _linked(self, root: Site, found: Iterable[_Item]) -> Iterator[_Item]:
        """What linking finds from one root, until it fails."""
        return self.evaluator.cuts.within(root, self.defects.each_of(root.module.path, LINKING, found))

    def _boundary_forms(self, names: frozenset[str], module: Module) -> re.Pattern[str]:
        """What stands in every function that calls a boundary, in a block in which these dotted names stand for one."""
        forms = [self.aliases.pattern.pattern]
        if not self.boundary_names.are_functions(names, module):
            methods = (f".{method}(" for method in self.catalog.boundary_methods())
            forms += [*map(re.escape, methods), r"__init__\("]
        forms += (r"[\s\\]*\.[\s\\]*".join(name.lstrip("().").split(".")) for name in names)
        return re.compile("|".join(sorted(forms)))

    def _called_by_aliases(self) -> Iterator[BoundaryCall]:
        """Calls of names that only this program gives to boundaries, unless they have been seen already."""
        for module, block in self.aliases.calls(self.scope):
            facts = module.facts_of(block)
            seen = (
                self.boundary_names.in_block(module, block)
                and block in self.screen.boundary.plots_in(module.lexicon, module.outline.blocks)
                and module in self.modules
            )
            pattern = self.aliases.pattern_for(block)
            found = self.activations.in_block(module, facts, pattern) if facts is not None else ()
            for root_frame in found:
                for event in root_frame.function.events:
                    if not isinstance(event, Called) or not self.aliases.is_one(event.call.function):
                        continue
                    if not (seen and self.boundary_names.may_be_one(event.call.function, module)):
                        root = Site(module, event.span)
                        yield from self._linked(root, self._specialised(root_frame, event))

    def _called_on_parameters(self) -> Iterator[BoundaryCall]:
        """Calls of methods of pools, executors, queues that a function is given."""
        for module, block in self.aliases.given(self.scope):
            facts = module.facts_of(block)
            for root_frame in (
                self.activations.in_block(module, facts, self.aliases.on_name) if facts is not None else ()
            ):
                for event in root_frame.function.events:
                    if isinstance(event, Called) and self._is_on_parameter(event, root_frame):
                        root = Site(module, event.span)
                        yield from self._linked(root, self._made_at_call_sites(root_frame, event))

    def _put_into_proxies(self) -> Iterator[BoundaryCall]:
        """What is put into dictionaries and lists that a manager shares."""
        for module in self.modules:
            for block in module.outline.blocks if module.has(MANAGER) else ():
                is_wanted = not block.bare and PUTS.search(module.code, block.span.start, block.span.end)
                facts = module.facts_of(block) if is_wanted else None
                for root in self.activations.in_block(module, facts, PUTS) if facts is not None else ():
                    for event in root.function.events:
                        if isinstance(event, (Store, ItemStore)):
                            yield from self._linked(Site(module, event.span), self._put_into_proxy(root, event))

    def _put_into_proxy(self, root: RootFrame, event: Store | ItemStore) -> Iterator[BoundaryCall]:
        if self.probes.is_asked_before(event, [event.value], root.frame):
            return
        me = None if root.is_constructor else root.instance_name
        found = tuple(put_into_proxy(event, frame_at(event, root.frame, root), self.evaluator))
        is_given = (
            mentions_parameter(event.target, me) if not found else self._depends_on_parameters(found[0], root, me)
        )
        if not is_given:
            yield from found
            return
        for calling in self.callers.first(self.callers.frames(root, _path(root))):
            for each in put_into_proxy(event, frame_at(event, calling.frame, root), self.evaluator):
                yield replace(each, hops=calling.hops, doubts=joined(calling.doubts, each.doubts))

    def _is_on_parameter(self, event: Called, root: RootFrame) -> bool:
        """Whether a method that can be a boundary is called on a parameter of which the function knows nothing."""
        match event.call.function:
            case Attribute(base=base, name=method) if method in self.catalog.boundary_methods():
                receiver = without_narrowing(base)
                if not isinstance(receiver, Parameter) or receiver.name == root.instance_name:
                    return False
                return all(each.value is UNKNOWN for each in self.evaluator.evaluate(base, root.frame))
            case _:
                return False

    def _made_at_call_sites(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        yield from (each for each in self._at_call_sites(root, event) if not self._mocks.is_one(each))

    def _specialised(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        frame = frame_at(event, root.frame, root)
        for boundary in self.boundaries.made(event, frame):
            is_question = self.probes.is_one(event, boundary.spec.kind, frame)
            later = (each.expr for each in boundary.arguments.values() if each.expr is not None and each.frame is frame)
            is_question = is_question or self.probes.is_settled(event, frame)
            is_question = is_question or self.probes.is_asked_before(event, later, frame)
            if is_question or self._is_asked_by_callers(boundary, root):
                if boundary.spec.kind in WORKER_KINDS:
                    is_given = self._depends_on_parameters(boundary, root, root.instance_name)
                    self._asked_first += list(self._at_call_sites(root, event)) if is_given else [boundary]
                continue
            specialised: list[BoundaryCall] = []
            me = root.instance_name
            if self._depends_on_parameters(boundary, root, None if root.is_constructor else me):
                specialised = list(self._at_call_sites(root, event))
            elif me is not None and self._depends_on_parameters(boundary, root, None):
                specialised = list(self._on_instances(root, event))
            if is_refused(boundary) or (not specialised and self._is_excluded_by_all_calls(boundary, root, event)):
                specialised = [
                    replace(each, doubts=joined(each.doubts, (Doubt.EXCLUDED,))) for each in specialised or [boundary]
                ]
            yield from (each for each in specialised or [boundary] if not self._mocks.is_one(each))

    def _is_asked_by_callers(self, boundary: BoundaryCall, root: RootFrame) -> bool:
        """Whether all callers of the method that ships its own object ask first whether that can be pickled."""
        method, me = method_that_ships(tuple(boundary.payload), root), root.instance_name
        owner = boundary.callee if ITSELF in boundary.payload else root.owner
        if method is None or owner is None:
            return False
        is_own = ITSELF in boundary.payload or any(
            bound.expr is not None and mentions_parameter(bound.expr, None) and not mentions_parameter(bound.expr, me)
            for bound in map(boundary.arguments.get, boundary.payload)
            if bound is not None
        )
        return is_own and self._put_aside.is_asked_first(method, owner, _path(root))

    def _at_call_sites(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        for calling in self.callers.first(self.callers.frames(root, _path(root))):
            for boundary in self.boundaries.made(event, frame_at(event, calling.frame, root)):
                if boundary.spec.kind == "process" and self._is_left_alone(calling.hops, boundary.site):
                    continue
                doubts = joined(calling.doubts, boundary.doubts)
                yield replace(boundary, hops=(*calling.hops, *boundary.hops), doubts=doubts)

    def _is_left_alone(self, hops: Sequence[Hop], boundary: Site) -> bool:
        """Whether a test makes something that has a process, and leaves it at that."""
        if not hops or self.purposes.kind(hops[0].site.module.path) is not PlaceKind.TESTS:
            return False
        return is_left_alone(hops[0].site, (*(hop.site for hop in hops[1:]), boundary))

    def _on_instances(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        """The boundary of a method that ships attributes, for each instance that the program makes."""
        for frame, hops in self.callers.on_instances(root, _path(root)):
            for boundary in self.boundaries.made(event, frame_at(event, frame, root)):
                yield replace(boundary, hops=(*hops, *boundary.hops))

    def _is_excluded_by_all_calls(self, boundary: BoundaryCall, root: RootFrame, event: Called) -> bool:
        """Whether calls of the function around a boundary are seen, and none of them leads to it. Who uses a library
        may call what it offers otherwise."""
        function = root.function
        is_asked = Doubt.CONDITION in boundary.doubts and len(function.parameters) > (root.owner is not None)
        if not is_asked or boundary.spec.kind == UNFOLLOWED_KIND or self._is_offered(root):
            return False
        calls = list(self.callers.first(self.callers.frames(root, _path(root))))
        return 0 < len(calls) < CALLERS.most and not any(
            self.conditions.may_get_to(event.span, frame_at(event, calling.frame, root)) for calling in calls
        )

    def _is_offered(self, root: RootFrame) -> bool:
        """Whether a function is one that a library offers to its users: it stands in a package, and no name on the way
        to it begins with an underscore."""
        module = root.frame.module
        package = module.name if module.file.is_package else module.name.rpartition(".")[0]
        names = f"{module.name}.{root.function.qualname}".split(".")
        is_packaged = bool(package) and self.program.find(package, module) is not None
        return is_packaged and not any(name.startswith(("_", "<")) for name in names)

    def _depends_on_parameters(self, boundary: BoundaryCall, root: RootFrame, me: str | None) -> bool:
        """Whether what is shipped depends on a parameter other than `me`."""
        if boundary.spec.kind == UNFOLLOWED_KIND or len(root.function.parameters) <= (me is not None):
            return False
        is_all = ITSELF in boundary.spec.payload
        values = [argument.value for argument in boundary.call.arguments if is_all or argument.star]
        for name in (*boundary.payload, boundary.spec.workers or ""):
            bound = boundary.arguments.get(name)
            if bound is not None and bound.expr is not None and bound.frame is boundary.frame:
                values.append(bound.expr)
        return any(mentions_parameter(value, me) for value in values)

    def crossings(self, pedantic: bool) -> Iterator[Crossing]:
        """Everything that crosses: first what boundaries ship, then what classes ship by their kind; with
        `pedantic`, what any other class would ship too. Objects that refuse it themselves are left out."""
        return (each for each in self._crossings(pedantic) if not self.payload.is_kept_back(each))

    def _crossings(self, pedantic: bool) -> Iterator[Crossing]:
        yield from self._shipped_by_boundaries()
        for class_ in self._payload_classes(pedantic):
            if self.is_given(class_) or not self.is_shared("asked first", class_, class_.module):
                yield from self._linked(_header(class_), self._shipped_by_kind(class_, pedantic))
                self.evaluator.forget()
        yield from self.defects.each_of("", LINKING, made_transforms(self))
        yield from self.defects.each_of("", LINKING, returned_datasets(self))
        yield from self.defects.each_of("", LINKING, made_objects(self, pedantic))

    def _shipped_by_boundaries(self) -> Iterator[Crossing]:
        """What boundaries ship. The facts that this shares about the program are complete when all of it was
        iterated."""
        for boundary in self.boundary_calls():
            yield from self._linked(boundary.site, self._crossings_at(boundary))
            self.evaluator.forget()
        for boundary in self._asked_first:
            for crossing in self._linked(boundary.site, self._follow(boundary)):
                if isinstance(crossing.value, InstanceValue):
                    self._tell_class("asked first", crossing.value.class_, boundary)
            self.evaluator.forget()
        for path, class_ in self.callers.asked:
            self.cross_module.share(path, ("asked first", *class_.key))
        self._are_followed = True

    def _crossings_at(self, boundary: BoundaryCall) -> Iterator[Crossing]:
        path = boundary.frame.module.path
        keeps_modules = boundary.spec.kind not in CARRIES_FUNCTIONS and self.purposes.is_library(path)
        if self.boundaries.crosses(boundary):
            for crossing in self.shipped_by(boundary):
                if isinstance(crossing.value, InstanceValue):
                    self._tell_class("shipped", crossing.value.class_, boundary)
                elif is_unclear(crossing, self.evaluator):
                    self.cross_module.share(path, _UNCLEAR)
                if keeps_modules and self._is_torch_module(crossing.value):
                    self.cross_module.share(path, _made_as(crossing.value, crossing.site))
                    if isinstance(crossing.value, InstanceValue):
                        self._tell_class("shipped as a module", crossing.value.class_, boundary)
                yield crossing
            self._tell_left_out(path)

    def _tell_left_out(self, path: str) -> None:
        """Tell what a boundary ships objects without. What users of a library do is not what its tests do."""
        while self.payload.left_out:
            class_, name = self.payload.left_out.pop()
            if self.purposes.is_library(path) or not self.purposes.is_library(class_.module.path):
                self.cross_module.share(path, ("shipped without", *class_.key, name))

    def _is_left_out(self, crossing: Crossing) -> bool:
        """Whether a value would sit in an attribute that boundaries are seen to ship objects of the class without: it
        is found at those that ship them with it."""
        inner: Crossing | None = crossing
        while inner is not None:
            if inner.held is not None and inner.holder is not None:
                fact = ("shipped without", *inner.holder.class_.key, inner.held.name)
                if self.cross_module.is_shared(crossing.root.site.module.path, fact):
                    return True
            inner = inner.inside
        return False

    def _is_torch_module(self, value: AbstractValue) -> bool:
        match value:
            case ContainerValue(kind=kind):
                return kind in MODULE_CONTAINERS
            case ExternalResult(path=path):
                return self.catalog.kind_of_class(path) in MODULE_KINDS
            case _:
                return isinstance(value, InstanceValue) and self.classes.kind(value) in MODULE_KINDS

    def _payload_classes(self, pedantic: bool) -> Iterator[ClassValue]:
        """First-party classes whose instances are followed: datasets always, other payload by kind (with
        `pedantic`, any class) if the screen sees a form in it that can be a hazard."""
        for module in self.modules:
            for block in module.outline.blocks:
                if block.classes:
                    yield from self._linked(Site(module, block.span), self._wanted_classes(module, block, pedantic))

    def _wanted_classes(self, module: Module, block: Block, pedantic: bool) -> Iterator[ClassValue]:
        facts = module.facts_of(block) if self._is_wanted(module, block, pedantic) else None
        if facts is not None:
            yield from filter(self.classes.has_instances, self.activations.classes_in(module, facts))

    def _is_wanted(self, module: Module, block: Block, pedantic: bool) -> bool:
        kinds = {self.headers.kind(module, header) for header in block.classes}
        if not kinds.isdisjoint(ALWAYS_FOLLOWED_KINDS):
            return True
        if pedantic or (self._is_library and self._public.may_have(module, block)):
            return self.interest.in_block(module, block)
        return not kinds.isdisjoint(SHIPPED_KINDS) and self.interest.in_class(module, block)

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
        for module in self.first_party.naming(Words(words), asker, form):
            for block in module.outline.blocks:
                facts = module.facts_of(block) if form.search(module.code, block.span.start, block.span.end) else None
                if facts is not None:
                    yield from self.activations.in_block(module, facts, form)

    def start_methods_of_workers(self, module: Module) -> tuple[StartMethod, ...]:
        """The start methods that the program leaves possible for the code of a module under which workers get pickled
        objects."""
        possible = self._set_methods.at(module.path)
        return tuple(method for method in PICKLED_ON_START if method in possible)

    def worker_codes(self) -> tuple[WorkerCode, ...]:
        """The worker side of every boundary that is found; then of dataset classes for which none is."""
        if self._worker_codes is None:
            self._worker_codes = tuple(self._find_worker_codes())
        return self._worker_codes

    def _find_worker_codes(self) -> Iterator[WorkerCode]:
        for boundary in self.boundary_calls():
            if boundary.spec.kind in WORKER_KINDS:
                yield from self._linked(boundary.site, self._worker_codes_of(boundary))
                self.evaluator.forget()
        for class_ in self._payload_classes(pedantic=False):
            is_wanted = self.classes.kind(class_) in ALWAYS_FOLLOWED_KINDS
            if is_wanted and not self.is_shared("entered", class_, class_.module):
                yield from self._linked(_header(class_), self._worker_codes_by_kind(class_))
                self.evaluator.forget()

    def _worker_codes_of(self, boundary: BoundaryCall) -> Iterator[WorkerCode]:
        if self.boundaries.crosses(boundary):
            crossings = self.shipped_by(boundary)
            for crossing in crossings:
                if isinstance(crossing.value, InstanceValue):
                    self._tell_class("entered", crossing.value.class_, boundary)
            yield worker_code(self._root(boundary), boundary, crossings, self)

    def _worker_codes_by_kind(self, class_: ClassValue) -> Iterator[WorkerCode]:
        crossings = tuple(self._shipped_by_kind(class_, False))
        yield worker_code(crossings[0].root, None, crossings, self)

    def _tell_class(self, what: str, class_: ClassValue, boundary: BoundaryCall) -> None:
        self.cross_module.share(boundary.frame.module.path, (what, *class_.key))

    def is_shared(self, what: str, class_: ClassValue, asking: Module) -> bool:
        """Whether a boundary of the program is known to ship ("shipped") a class, or to run it in workers
        ("entered"). Only to be asked when all boundaries have been followed."""
        return self.cross_module.is_shared(asking.path, (what, *class_.key))

    def _root(self, boundary: BoundaryCall) -> Root:
        methods = self.boundaries.start_methods(boundary)
        if methods == boundary.spec.start_methods and len(methods) < len(StartMethod):
            start = boundary.hops[0].site if boundary.hops else boundary.site
            possible = self._set_methods.at(start.module.path)
            methods = tuple(method for method in methods if method in possible)
        kind = boundary.spec.kind
        pickling = PickleTime(kind, boundary.call, boundary.frame)
        return Root(
            of_boundary(boundary),
            methods,
            boundary.spec,
            kind,
            boundary.site,
            pickling=pickling,
            asks_length=self.boundaries.shuffles(boundary),
        )

    def shipped_by(self, boundary: BoundaryCall) -> tuple[Crossing, ...]:
        """What crosses at one of `boundary_calls()`; followed once if payload rules and worker rules both ask."""
        if boundary.spec.kind not in WORKER_KINDS:
            return tuple(self._follow(boundary))
        if id(boundary) not in self._shipped:
            self._shipped[id(boundary)] = tuple(self._follow(boundary))
        return self._shipped[id(boundary)]

    def _follow(self, boundary: BoundaryCall) -> Iterator[Crossing]:
        root = self._root(boundary)
        for role in boundary.payload:
            bound = boundary.arguments.get(role)
            if bound is None:
                continue
            hops = (*boundary.hops, Hop(_pickling_phrase(boundary, role), boundary.site))
            for found in (*self.boundaries.values(boundary, role), *self._as_filled(boundary, bound)):
                traced = found
                if bound.expr is not None and bound.frame is not None:
                    traced = self.payload.as_pickled(found, bound.expr, bound.frame, root)
                doubts = joined(boundary.doubts, traced.doubts)
                start = TracedValue(traced.value, traced.site, (*hops, *traced.hops), doubts)
                for item in self._shipped_items(start, root) if boundary.is_iterated(role) else (start,):
                    yield from self.payload.crossings(item, root, role, role)
            if role in boundary.spec.functions:
                for owner in self._owners_of_method(bound):
                    doubts = joined(boundary.doubts, owner.doubts)
                    start = TracedValue(owner.value, owner.site, (*hops, *owner.hops), doubts)
                    yield from self.payload.crossings(start, root, role, f"{role}.__self__")

    def _as_filled(self, boundary: BoundaryCall, bound: Bound) -> Iterator[TracedValue]:
        """What an attribute that is shipped by itself holds after the methods that the function has called on its
        object: `jobs.add(…)`, then `pool.map(run, jobs.waiting)`."""
        read = without_narrowing(bound.expr) if bound.expr is not None else None
        if not isinstance(read, Attribute) or bound.frame is None:
            return
        for owner in self.evaluate(read.base, bound.frame):
            if isinstance(owner.value, InstanceValue) and owner.value.call is not None:
                filled = after_calls(owner.value, (Hop("", boundary.site),), self.evaluator)
                if filled is not owner.value:
                    site = Site(bound.frame.module, read.span)
                    yield from (
                        each.by_way_of(owner) for each in self.classes.instance_attribute(filled, read.name, site)
                    )

    def _owners_of_method(self, bound: Bound) -> Iterator[TracedValue]:
        """The objects that the catalog describes whose method is passed (`target=self.server.serve_forever`): pickle
        takes a method as its object and a name."""
        method = without_narrowing(bound.expr) if bound.expr is not None else None
        if isinstance(method, Attribute) and bound.frame is not None:
            for traced in self.evaluate(method.base, bound.frame):
                if isinstance(traced.value, ProductValue) and traced.value.product.kind != "module":
                    yield traced

    def _shipped_items(self, start: TracedValue, root: Root) -> Iterator[TracedValue]:
        """Of an argument that the parent iterates: what it yields crosses, not the argument."""
        for slot in self.evaluator.elements(start):
            for found in self.evaluator.evaluate(slot.value, slot.frame):
                traced = self.payload.as_pickled(found, slot.value, slot.frame, root)
                yield traced.by_way_of(start)

    def _shipped_by_kind(self, class_: ClassValue, pedantic: bool) -> Iterator[Crossing]:
        kind = self.classes.kind(class_)
        shipped = kind in SHIPPED_KINDS
        is_given = self.is_given(class_)
        if not shipped and not pedantic and not is_given:
            return
        site = _header(class_)
        is_likely = is_given or (shipped and not self.is_idle(class_))
        confidence = Confidence.LIKELY if is_likely else Confidence.POSSIBLE
        is_offered = kind in MODULE_KINDS and (is_given or self._public.has(class_))
        methods = self.start_methods_of_workers(class_.module)
        root = Root(confidence, methods, None, kind or "object", site, is_offered=is_offered, is_given=is_given)
        phrase = _KIND_PHRASES[kind] if shipped and kind else _GIVEN_PHRASE if is_given else ""
        hops = (Hop(f"{class_.facts.name} is {phrase}", site),) if phrase else ()
        start = TracedValue(self.activations.instance(class_), site, hops)
        found = self.payload.crossings(start, root, class_.facts.name, None)
        if not is_given:
            found = (each for each in found if not self._is_left_out(each))
        yield from found if shipped or not is_given else _unless_of_one_process(found)
        if pedantic or is_given:
            later = stored_later(class_, replace(root, confidence=Confidence.POSSIBLE), self)
            yield from (each for each in later if pedantic or each.root.confidence is not Confidence.POSSIBLE)


def _unless_of_one_process(found: Iterable[Crossing]) -> Iterator[Crossing]:
    """What an object of a library holds; merely possible, if something of it belongs to one process: such objects are
    made to stay there. What a part of it holds speaks against the parts only."""
    crossings = tuple(found)
    of_one_process = [crossing for crossing in crossings if belongs_to_one_process(crossing.value)]
    is_one_itself = any(map(_is_own, of_one_process))
    for crossing in crossings:
        is_bound = is_one_itself or (of_one_process and not _is_own(crossing))
        root = replace(crossing.root, confidence=Confidence.POSSIBLE) if is_bound else crossing.root
        yield replace(crossing, root=root)


def _is_own(crossing: Crossing) -> bool:
    """Whether it is what the root ships, or an attribute of that."""
    return crossing.inside is None or crossing.inside.inside is None


def _pickling_phrase(boundary: BoundaryCall, role: str) -> str:
    if role == ITSELF and boundary.callee is not None:
        return f"{boundary.callee.facts.name} is {_KIND_PHRASES[boundary.spec.kind]}"
    argument = f"{role}=…" if role.isidentifier() else "…"
    return f"{boundary.spec.path.rpartition('.')[2]}({argument}) pickles it"


def _header(class_: ClassValue) -> Site:
    return Site(class_.module, class_.facts.header)


def _loaded_at(site: Site) -> CrossModuleFact:
    return ("loaded without workers", site.module.path, site.span.start)


def _made_as(value: AbstractValue, site: Site) -> CrossModuleFact:
    """What is told of a torch module that is shipped as a whole: where it is made."""
    frame: Frame | None = None
    if isinstance(value, (InstanceValue, ExternalResult)):
        frame = value.frame
    elif isinstance(value, ContainerValue) and value.slots:
        frame = value.slots[0].frame
    call = value.call if isinstance(value, (InstanceValue, ExternalResult, ContainerValue)) else None
    if call is None or frame is None:
        return ("module", site.module.path, site.span.start)
    return ("module", frame.module.path, call.span.start)


def _path(root: RootFrame) -> str:
    return root.frame.module.path
