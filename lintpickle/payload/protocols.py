"""What the parts of linking ask of the linker that owns them, so that none has to import it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from lintpickle.boundaries.calls import Boundaries
from lintpickle.call_graph.callers import Callers
from lintpickle.catalog import Catalog
from lintpickle.diagnostics import StartMethod
from lintpickle.interpreter.abstract_values import ClassValue, Site
from lintpickle.interpreter.classes import Classes
from lintpickle.interpreter.conditions import Conditions
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.root_frames import RootFrames
from lintpickle.payload.file_purposes import FilePurposes
from lintpickle.payload.interest import Interest
from lintpickle.payload.library_users import LibraryUsers
from lintpickle.payload.payload import Payload
from lintpickle.payload.public_api import PublicClasses
from lintpickle.payload.unused import Unused
from lintpickle.program.cross_module import CrossModuleFacts
from lintpickle.program.first_party import FirstPartyModules
from lintpickle.program.module import Module
from lintpickle.program.program import Program
from lintpickle.program.remembering import Answer
from lintpickle.resolution.class_headers import ClassHeaderKinds
from lintpickle.resolution.name_targets import NameTargets
from lintpickle.resolution.reachable_names import NameReach

_Found = TypeVar("_Found")


class LinkedProgram(Protocol):
    """A program that is being linked. `linker.Linker` says what its functions do."""

    program: Program
    catalog: Catalog
    evaluator: Evaluator
    classes: Classes
    conditions: Conditions
    headers: ClassHeaderKinds
    activations: RootFrames
    boundaries: Boundaries
    callers: Callers
    payload: Payload
    interest: Interest
    public: PublicClasses
    unused: Unused
    purposes: FilePurposes
    first_party: FirstPartyModules
    places: NameTargets
    users: LibraryUsers
    cross_module: CrossModuleFacts
    starts_reach: NameReach
    modules: Sequence[Module]
    moving_to: StartMethod | None

    def remembered(self, question: Hashable, find: Callable[[], Answer]) -> Answer: ...

    def linked(self, root: Site, found: Iterable[_Found]) -> Iterator[_Found]: ...

    def has_workers(self, asking: Module) -> bool: ...

    def has_loaders(self, asking: Module) -> bool: ...

    def is_loaded_without_workers(self, site: Site) -> bool: ...

    def is_idle(self, class_: ClassValue) -> bool: ...

    def is_shared(self, what: str, class_: ClassValue, asking: Module) -> bool: ...

    def start_methods_of_workers(self, module: Module) -> tuple[StartMethod, ...]: ...
