"""The worker side: which functions run in the worker processes of a boundary, and what they call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lintpickle.diagnostics import Confidence
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Call
from lintpickle.project.boundaries import BoundaryCall
from lintpickle.project.frames import Arguments, Frame, expand
from lintpickle.project.payload import Crossing, Root
from lintpickle.project.program import Module
from lintpickle.project.things import ClassThing, FunctionThing, Hop, InstanceThing, Reached, Site

if TYPE_CHECKING:
    from lintpickle.project.link import Linker

MAX_FUNCTIONS = 400
MAX_HOPS = 12


@dataclass(frozen=True, slots=True, eq=False)
class WorkerFunction:
    """A function that runs in a worker, and how it gets called there."""

    module: Module
    facts: FunctionFacts
    frame: Frame
    hops: tuple[Hop, ...]
    entry: bool
    """Whether the worker calls it directly (`__getitem__`, `collate_fn`), so that its result travels back."""


@dataclass(frozen=True, slots=True, eq=False)
class WorkerCode:
    """All that runs in the workers of one boundary, or of one dataset class whose loader is not in sight."""

    root: Root
    boundary: BoundaryCall | None
    functions: tuple[WorkerFunction, ...]

    @property
    def confidence(self) -> Confidence:
        return self.root.confidence


def worker_code(
    root: Root, boundary: BoundaryCall | None, crossings: list[Crossing], linker: Linker
) -> WorkerCode:
    """Collect the worker side from what crosses: methods that workers call on payload objects, functions passed
    along, and everything that these call in code that is read."""
    reader = _Reader(linker)
    for crossing in crossings:
        reader.enter(crossing)
    reader.follow()
    return WorkerCode(root, boundary, tuple(reader.functions))


class _Reader:
    def __init__(self, linker: Linker) -> None:
        self._linker = linker
        self._seen: set[int] = set()
        self.functions: list[WorkerFunction] = []

    def enter(self, crossing: Crossing) -> None:
        match crossing.thing:
            case InstanceThing() as instance:
                kind = self._linker.classes.kind(instance) or ("callable" if crossing.role in _called(crossing) else "")
                entry = "." not in crossing.path
                for name in self._linker.catalog.worker_methods(kind):
                    found = self._linker.classes.find_method(instance, name)
                    if found is not None:
                        self._add(FunctionThing(found[0].module, found[1], found[0].frame, instance), crossing.hops, entry)
            case FunctionThing() as function if crossing.role in _called(crossing):
                self._add(function, crossing.hops, crossing.path == crossing.role)
            case _:
                pass

    def _add(self, function: FunctionThing, hops: tuple[Hop, ...], entry: bool, frame: Frame | None = None) -> None:
        if id(function.facts) in self._seen or len(self.functions) > MAX_FUNCTIONS or len(hops) > MAX_HOPS:
            return
        self._seen.add(id(function.facts))
        if frame is None:
            frame = self._linker.evaluator.activate(function, Arguments((), {}, True), 2)
        if frame is None:
            return
        name = function.facts.qualname.rpartition(".<locals>.")[2]
        hop = Hop(f"{name} runs in the worker", Site(function.module, function.facts.header))
        self.functions.append(WorkerFunction(function.module, function.facts, frame, (*hops, hop) if entry else hops, entry))

    def follow(self) -> None:
        index = 0
        while index < len(self.functions) and index < MAX_FUNCTIONS:
            caller = self.functions[index]
            index += 1
            for event in caller.facts.events:
                if isinstance(event, Called):
                    for reached in self._callees(event.call, caller):
                        self._enter_call(reached, event.call, caller)

    def _callees(self, call: Call, caller: WorkerFunction) -> Iterator[FunctionThing]:
        for reached in self._linker.evaluator.evaluate(call.function, caller.frame):
            yield from self._functions_of(reached)

    def _functions_of(self, reached: Reached) -> Iterator[FunctionThing]:
        classes = self._linker.classes
        match reached.thing:
            case FunctionThing() as function:
                yield function
            case InstanceThing() as instance:
                for name in ("__call__", "forward"):
                    found = classes.find_method(instance, name)
                    if found is not None:
                        yield FunctionThing(found[0].module, found[1], found[0].frame, instance)
            case ClassThing() as class_:
                found = classes.find_method(class_, "__init__")
                if found is not None:
                    yield FunctionThing(found[0].module, found[1], found[0].frame, InstanceThing(class_))
            case _:
                pass

    def _enter_call(self, function: FunctionThing, call: Call, caller: WorkerFunction) -> None:
        arguments = expand(call, caller.frame, self._linker.evaluator)
        frame = self._linker.evaluator.activate(function, arguments, caller.frame.depth + 1)
        name = function.facts.qualname.rpartition(".<locals>.")[2]
        hop = Hop(f"calls {name}()", Site(caller.module, call.span))
        if frame is not None:
            self._add(function, (*caller.hops, hop), False, frame)


def _called(crossing: Crossing) -> tuple[str | None, ...]:
    return crossing.root.spec.functions if crossing.root.spec is not None else ()
