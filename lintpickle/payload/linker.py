"""Linking: from the modules of a program to everything in it that crosses a boundary."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cached_property

from msgspec.structs import replace

from lintpickle.boundaries.boundary_call import PICKLED_ON_START as PICKLED_ON_START, BoundaryCall
from lintpickle.boundaries.fresh_workers import TASK_RUNNER
from lintpickle.defects import LINKING
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.interpreter.abstract_values import (
    ClassValue,
    Doubt,
    InstanceValue,
    Site,
    TracedValue,
    joined,
)
from lintpickle.interpreter.slots import MODULE_KINDS
from lintpickle.limits import EVALUATIONS
from lintpickle.payload.alternative_targets import by_target
from lintpickle.payload.boundary_search import BoundarySearch
from lintpickle.payload.by_kind import ALWAYS_FOLLOWED_KINDS, belongs_to_one_process
from lintpickle.payload.clearness import is_unclear
from lintpickle.payload.components import WORKER_KINDS, Components
from lintpickle.payload.confidence import cannot_be_copied, of_crossing
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.dependency_search import DependencySearch, is_given
from lintpickle.payload.exported_classes import exported_classes
from lintpickle.payload.heuristics import returned_datasets
from lintpickle.payload.loader_hooks import loader_hooks
from lintpickle.payload.made_by_libraries import made_by_libraries
from lintpickle.payload.made_objects import made_objects
from lintpickle.payload.made_records import made_records
from lintpickle.payload.made_transforms import made_transforms
from lintpickle.payload.never_chosen import is_never_chosen
from lintpickle.payload.never_loaded import IDLE_LOADERS, UNCLEAR, is_never_loaded, is_never_sent
from lintpickle.payload.other_settings import is_for_another_setting
from lintpickle.payload.shared_budgets import SharedBudgets
from lintpickle.payload.shipped import root_of, shipped_at
from lintpickle.payload.shipped_by_kind import class_header, classes_to_follow, shipped_by_kind
from lintpickle.payload.torch_modules import is_torch_module, made_as
from lintpickle.payload.without_loaders import is_used_without_loaders
from lintpickle.payload.worker_reader import worker_code
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.prefilter.words import Words
from lintpickle.program.cross_module import (
    EXPORTS_PAYLOAD,
    FORKED,
    LIBRARY_LOADERS,
    OTHER_LOADERS,
    SENDS_TO_PROCESSES,
    WORKERS,
    CrossModuleFact,
    run_by_workers,
)
from lintpickle.program.module import Module
from lintpickle.program.stages import in_stage

CARRIES_FUNCTIONS = frozenset({"cloudpickle", "joblib", "deepcopy", "dill"})
"""Kinds of boundaries that do not look functions up by their names."""
_WITHOUT_WORKERS = "loaded without workers"
_FORKED_WITH = "forked with"
"""What modules tell of classes: a loader gets an object, but does not pickle it."""
_PROCESS_CLASS = "Process)"
"""What stands in the head of a class of processes."""
_ONLY_PICKLED = frozenset({"deepcopy", "pickle", "queue", "save"})
"""Kinds of boundaries that start no process: what they pickle may stay here."""


class Linker(Components):
    """One program, linked."""

    _are_followed = False
    _boundary_calls: tuple[BoundaryCall, ...] | None = None
    _worker_codes: tuple[WorkerCode, ...] | None = None

    @cached_property
    def _search(self) -> BoundarySearch:
        return BoundarySearch(self)

    @cached_property
    def _dependencies(self) -> DependencySearch:
        return DependencySearch(self)

    def boundary_calls(self) -> tuple[BoundaryCall, ...]:
        """Every boundary call in first-party code, specialised to its call sites where its payload is a
        parameter."""
        if self._boundary_calls is None:
            self._boundary_calls = tuple(self._find_boundary_calls())
            for call in self._boundary_calls:
                if call.spec.kind in WORKER_KINDS:
                    self._tell_of_workers(call)
                elif _is_for_processes(call) and self.boundaries.crosses(call):
                    self.cross_module.share(call.frame.module.path, SENDS_TO_PROCESSES)
            trainers = Words(self.catalog.trainer_names())
            for module in self.scope:
                if trainers.are_in(module.lexicon):
                    self.cross_module.share(module.path, UNCLEAR)
                if not self.start_methods_of_workers(module):
                    self.cross_module.share(module.path, FORKED)
            for module in self.modules:
                if _PROCESS_CLASS in module.code:
                    self.cross_module.share(module.path, WORKERS)
                if self.users.could_ship_from(module):
                    self.cross_module.share(module.path, EXPORTS_PAYLOAD)
        return self._boundary_calls

    def _tell_of_workers(self, call: BoundaryCall) -> None:
        """Tell what a call that starts workers says of the whole program."""
        path = call.frame.module.path
        is_library, has_workers = self.purposes.is_library(path), self.boundaries.crosses(call)
        is_forked = set(PICKLED_ON_START).isdisjoint(self.boundaries.starting.start_methods(call))
        if is_forked:
            self.cross_module.share(path, FORKED)
        if has_workers:
            self.cross_module.share(path, WORKERS)
            if call.spec.kind == "dataloader":
                self.cross_module.share(path, LIBRARY_LOADERS if is_library else OTHER_LOADERS)
        if is_library and (is_forked or not has_workers):
            self.cross_module.share(path, IDLE_LOADERS)
            for crossing in self.linked(call.site, shipped_at(call, self)):
                if isinstance(crossing.value, InstanceValue):
                    self._tell_class(_FORKED_WITH if is_forked else _WITHOUT_WORKERS, crossing.value.class_, call)
                else:
                    self.cross_module.share(path, _loaded_at(crossing.site))

    def _find_boundary_calls(self) -> Iterator[BoundaryCall]:
        return self._search.find()

    def unsettled_calls(self) -> tuple[Site, ...]:
        """The calls of which it could not be found out whether they are boundaries, for a limit was reached."""
        self.boundary_calls()
        return tuple(dict.fromkeys(self._search.unsettled))

    def has_workers(self, asking: Module) -> bool:
        """Whether the program has any boundary with workers, or a class of its own that is a process."""
        self.boundary_calls()
        return self.cross_module.is_shared(asking.path, WORKERS)

    def has_loaders(self, asking: Module) -> bool:
        """Whether the program has loaders with workers; for its library, those of tests, examples and docs do not
        count."""
        self.boundary_calls()
        is_library = self.purposes.is_library(asking.path)
        kinds = (LIBRARY_LOADERS,) if is_library else (LIBRARY_LOADERS, OTHER_LOADERS)
        return any(self.cross_module.is_shared(asking.path, kind) for kind in kinds)

    def is_loaded_without_workers(self, site: Site) -> bool:
        """Whether a loader that certainly has no workers receives an object that is made at a place in the library."""
        self.boundary_calls()
        return self.cross_module.is_shared(site.module.path, _loaded_at(site))

    def is_idle(self, class_: ClassValue) -> bool:
        """Whether loaders that are seen get objects of a class, and none of them pickles these: they have no workers,
        or fork them; or the program that uses the class has no loaders."""
        asking = class_.module
        if self.is_shared("shipped", class_, asking):
            return False
        if self.remembered(("without loaders", *class_.key), lambda: is_used_without_loaders(class_, self)):
            return True
        if self.is_shared(_FORKED_WITH, class_, asking):
            return True
        return not self.is_shared("entered", class_, asking) and self.is_shared(_WITHOUT_WORKERS, class_, asking)

    def is_offered(self, class_: ClassValue) -> bool:
        """Whether objects of a class are shipped by its kind, as far as the class tells: of torch modules, only those
        that a library offers whose users may write or send them whole."""
        if self.users.may_ship(class_):
            return True
        if self.classes.kind(class_) in MODULE_KINDS:
            return self.public.has(class_) and not self._module_use.saves_only_state(class_.module.path)
        return not self.is_idle(class_)

    def confidence(self, crossing: Crossing) -> Confidence:
        """How sure it is that a value crosses: see `lintpickle.payload.confidence`."""
        if crossing.root.spec is None and crossing.root.kind in MODULE_KINDS:
            return of_crossing(crossing) if self._is_module_shipped(crossing) else Confidence.POSSIBLE
        if crossing.root.spec is not None:
            found = of_crossing(crossing)
            if found is Confidence.POSSIBLE or is_never_chosen(crossing, self):
                return Confidence.POSSIBLE
            return Confidence.POSSIBLE if is_for_another_setting(crossing, self) else found
        if self.constructions.exclude(crossing):
            crossing = replace(crossing, doubts=joined(crossing.doubts, (Doubt.EXCLUDED,)))
        asker = crossing.root.site.module.path
        if crossing.root.kind in ALWAYS_FOLLOWED_KINDS and self._is_never_loaded(crossing):
            return Confidence.POSSIBLE
        is_idle = self.cross_module.is_shared(asker, IDLE_LOADERS) and not self.cross_module.is_shared(asker, WORKERS)
        is_idle = is_idle and not crossing.root.is_given
        return Confidence.POSSIBLE if is_idle else of_crossing(crossing)

    def _is_never_loaded(self, crossing: Crossing) -> bool:
        return not self.defects.found and is_never_loaded(crossing, self, self.constructions)

    def _is_module_shipped(self, crossing: Crossing) -> bool:
        """Whether nothing that the program does with its torch modules speaks against it that one is shipped whole, or
        copied: see `lintpickle.payload.confidence`."""
        asker = crossing.root.site.module.path
        if crossing.root.is_given:
            return True
        if cannot_be_copied(crossing.value):
            if self._module_use.copies_whole(asker):
                return True
            if belongs_to_one_process(crossing.value):
                return False
        return not self._module_use.saves_only_state(asker)

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
                return self.cross_module.is_shared(asking.path, made_as(traced.value, traced.site))

    def crossings(self, pedantic: bool) -> Iterator[Crossing]:
        """Everything that crosses: first what boundaries ship, then what classes ship by their kind; with
        `pedantic`, what any other class would ship too. Objects that refuse it themselves are left out."""
        return (each for each in self._crossings(pedantic) if not self.payload.is_kept_back(each))

    def _crossings(self, pedantic: bool) -> Iterator[Crossing]:
        yield from self._shipped_by_boundaries()
        for class_ in classes_to_follow(self, pedantic):
            if is_never_sent(class_, self, self.constructions):
                continue
            if self.users.may_ship(class_) or not self.is_shared("asked first", class_, class_.module):
                yield from self.linked(class_header(class_), shipped_by_kind(class_, pedantic, self))
                self.evaluator.forget()
        yield from self.defects.each_of("", LINKING, made_transforms(self))
        yield from self.defects.each_of("", LINKING, returned_datasets(self))
        yield from self.defects.each_of("", LINKING, made_objects(self, pedantic))
        yield from self.defects.each_of("", LINKING, made_records(self, pedantic))
        yield from self.defects.each_of("", LINKING, exported_classes(self, pedantic))
        yield from self.defects.each_of("", LINKING, loader_hooks(self))
        yield from self.defects.each_of("", LINKING, made_by_libraries(self, pedantic))

    def _shipped_by_boundaries(self) -> Iterator[Crossing]:
        """What boundaries ship. The facts that this shares about the program are complete when all of it was
        iterated."""
        calls, budgets = self.boundary_calls(), SharedBudgets(self.evaluator)
        self.evaluator.forget()  # What the search has evaluated is not what the first one may be short of.
        for boundary in in_stage(calls, "following boundaries", self.stage):
            with budgets.of(boundary):
                yield from self.linked(boundary.site, self._crossings_at(boundary))
            self.evaluator.forget()
        seen = {(each.frame.module.path, each.call.span) for each in self.boundary_calls()}
        for boundary in tuple(self._dependencies.find()):
            if (boundary.frame.module.path, boundary.call.span) in seen:
                continue
            yield from self.linked(_led_from(boundary), self._crossings_in_dependency(boundary))
            self.evaluator.forget()
        for boundary in self._search.asked_first:
            for crossing in self.linked(boundary.site, shipped_at(boundary, self)):
                if isinstance(crossing.value, InstanceValue):
                    self._tell_class("asked first", crossing.value.class_, boundary)
            self.evaluator.forget()
        for path, class_ in self.callers.asked:
            self.cross_module.share(path, ("asked first", *class_.key))
        self._are_followed = True

    def _crossings_in_dependency(self, boundary: BoundaryCall) -> Iterator[Crossing]:
        """What first-party code made of what crosses at a boundary in a dependency, also inside wrappers of that."""
        for crossing in self._crossings_at(boundary):
            if is_given(crossing, boundary):
                yield crossing
            for inner in self._dependencies.in_hooks(crossing):
                yield from (each for each in self._crossings_at(inner) if is_given(each, inner))

    def _crossings_at(self, boundary: BoundaryCall) -> Iterator[Crossing]:
        path = boundary.frame.module.path
        keeps_modules = boundary.spec.pickled_as not in CARRIES_FUNCTIONS and self.purposes.is_library(path)
        if self.boundaries.crosses(boundary):
            for crossing in self.shipped_by(boundary):
                if isinstance(crossing.value, InstanceValue):
                    if not set(PICKLED_ON_START).isdisjoint(crossing.root.start_methods):
                        self._tell_class("shipped", crossing.value.class_, boundary)
                elif is_unclear(crossing, self.evaluator):
                    self.cross_module.share(path, UNCLEAR)
                if keeps_modules and is_torch_module(crossing.value, self.classes, self.catalog):
                    self.cross_module.share(path, made_as(crossing.value, crossing.site))
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

    def start_methods_of_workers(self, module: Module) -> tuple[StartMethod, ...]:
        """The start methods that the program leaves possible for the code of a module under which workers get pickled
        objects."""
        possible = self.start_methods_at(module)
        return tuple(method for method in PICKLED_ON_START if method in possible)

    def worker_codes(self) -> tuple[WorkerCode, ...]:
        """The worker side of every boundary that is found; then of dataset classes for which none is."""
        if self._worker_codes is None:
            self._worker_codes = tuple(self._find_worker_codes())
        return self._worker_codes

    def _find_worker_codes(self) -> Iterator[WorkerCode]:
        self.evaluator.allowance = EVALUATIONS.most  # They may be asked for while something else is followed.
        budgets = SharedBudgets(self.evaluator)
        for boundary in in_stage(self.boundary_calls(), "following workers", self.stage):
            if boundary.spec.kind in WORKER_KINDS:
                with budgets.of(boundary):
                    yield from self.linked(boundary.site, self._worker_codes_of(boundary))
                self.evaluator.forget()
        for class_ in classes_to_follow(self, pedantic=False):
            is_wanted = self.classes.kind(class_) in ALWAYS_FOLLOWED_KINDS
            if is_wanted and not self.is_shared("entered", class_, class_.module):
                yield from self.linked(class_header(class_), self._worker_codes_by_kind(class_))
                self.evaluator.forget()

    def _worker_codes_of(self, boundary: BoundaryCall) -> Iterator[WorkerCode]:
        if self.boundaries.crosses(boundary):
            crossings = self.shipped_by(boundary)
            for crossing in crossings:
                if isinstance(crossing.value, InstanceValue):
                    self._tell_class("entered", crossing.value.class_, boundary)
            for shipped in by_target(boundary, crossings):
                code = worker_code(root_of(boundary, self), boundary, shipped, self)
                self._tell_of_code(code, shipped)
                yield code

    def _tell_of_code(self, code: WorkerCode, crossings: tuple[Crossing, ...]) -> None:
        """Tell of which files workers run code, or get objects."""
        classes = (each.value.class_ for each in crossings if isinstance(each.value, InstanceValue))
        homes = (*(each.module for each in code.functions), *(each.module for each in classes))
        for home in {each.path for each in homes if each.first_party}:
            self.cross_module.share(code.root.site.module.path, run_by_workers(home))

    def worker_codes_of_makers(self, boundary: BoundaryCall) -> Iterator[WorkerCode]:
        """The worker side of what makes the pool or executor whose method a boundary is, given what it is made with
        there: its initializer. Nothing is remembered."""
        for maker in self.makers_of(boundary):
            if self.boundaries.crosses(maker):
                yield worker_code(root_of(maker, self), maker, tuple(shipped_at(maker, self)), self)

    def _worker_codes_by_kind(self, class_: ClassValue) -> Iterator[WorkerCode]:
        crossings = tuple(shipped_by_kind(class_, False, self))
        root = crossings[0].root
        if self._is_never_loaded(crossings[0]):
            root = replace(root, confidence=Confidence.POSSIBLE)
        yield worker_code(root, None, crossings, self)

    def _tell_class(self, what: str, class_: ClassValue, boundary: BoundaryCall) -> None:
        self.cross_module.share(boundary.frame.module.path, (what, *class_.key))

    def is_shared(self, what: str, class_: ClassValue, asking: Module) -> bool:
        """Whether a boundary of the program is known to ship ("shipped") a class, or to run it in workers
        ("entered"). Only to be asked when all boundaries have been followed."""
        return self.cross_module.is_shared(asking.path, (what, *class_.key))

    def makers_of(self, boundary: BoundaryCall) -> tuple[BoundaryCall, ...]:
        """The making of the pool or executor whose method a boundary is; it is looked for once."""

        def found() -> tuple[BoundaryCall, ...]:
            both = self.boundaries.starting.with_its_maker(boundary)
            return tuple(each for each in both if each is not boundary)

        return self.remembered(("makers", boundary), found)

    def shipped_by(self, boundary: BoundaryCall) -> tuple[Crossing, ...]:
        """What crosses at one of `boundary_calls()`; followed once if payload rules and worker rules both ask."""
        if boundary.spec.kind not in WORKER_KINDS:
            return tuple(shipped_at(boundary, self))
        return self.remembered(("shipped by", boundary), lambda: tuple(shipped_at(boundary, self)))

    def shipped_to_workers_of(self, boundary: BoundaryCall) -> Iterator[Crossing]:
        """What crosses at one of `boundary_calls()`, and what its pool or executor gives all workers (`initargs`)."""
        yield from self.shipped_by(boundary)
        for maker in self.makers_of(boundary):
            if self.boundaries.crosses(maker):
                yield from shipped_at(maker, self)


def _led_from(boundary: BoundaryCall) -> Site:
    """The first-party call that leads to a boundary in a dependency."""
    return boundary.hops[0].site if boundary.hops else boundary.site


def _loaded_at(site: Site) -> CrossModuleFact:
    return (_WITHOUT_WORKERS, site.module.path, site.span.start)


def _is_for_processes(boundary: BoundaryCall) -> bool:
    """Whether what crosses is for another process: what runs tasks of joblib, dask or ray, a manager. A pickler by
    itself (`cloudpickle.dumps`) is for none."""
    spec = boundary.spec
    if spec.kind == TASK_RUNNER:
        return spec.run_by is not None  # What is only made to run tasks may do so in threads.
    return spec.kind not in _ONLY_PICKLED and not spec.path.startswith(f"{spec.kind}.")
