"""The DataLoaders that are iterated when a value is: itself, or inside of iterators and progress bars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called
from lintpickle.facts.values import Call, Expr, Name, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import (
    ContainerValue,
    ExternalResult,
    Frame,
    FunctionValue,
    InstanceValue,
    ProductValue,
    Site,
    TracedValue,
)
from lintpickle.interpreter.iterators import ITERATORS
from lintpickle.payload.protocols import LinkedProgram

PROGRESS_BARS = frozenset({"tqdm", "tqdm_notebook", "track", "progress_bar", "progress", "prange"})
"""The names of functions around what is iterated."""


class IteratedLoaders:
    """Finds them in one search."""

    def __init__(self, linker: LinkedProgram) -> None:
        self._linker = linker
        self._evaluator = linker.evaluator
        self._opened: set[tuple[int, int]] = set()
        """What is being looked into for loaders: values in frames."""

    def of(self, value: Expr, frame: Frame) -> Iterator[tuple[BoundaryCall, tuple[Site, ...]]]:
        """The DataLoaders with workers that are iterated when the value is, and where each is handed on."""
        key = (id(value), id(frame))
        if key in self._opened:
            return  # An iterator over itself: `batches = map(f, batches)` in a loop.
        self._opened.add(key)
        try:
            for traced in self._evaluator.evaluate(value, frame):
                passed = (traced.site, *(hop.site for hop in traced.hops))
                given = tuple(self._definitions_of(value, frame))
                taken = tuple(each for each in given if any(map(each.contains, passed)))
                making = (*(taken or given), *passed[1:])
                for boundary, inner in self._loaders_of(traced):
                    yield boundary, (*making, *inner)
        finally:
            self._opened.remove(key)

    def _definitions_of(self, value: Expr, frame: Frame) -> Iterator[Site]:
        """Where a module-level name, or the one that a parameter was passed, gets its value."""
        match without_narrowing(value):
            case Name(name=name):
                for definition in self._evaluator.names.lookup(frame.module, name):
                    if definition.module is not None and definition.value is not None:
                        yield Site(definition.module, definition.value.span)
            case Parameter(name=name, owner=owner):
                home = frame.enclosing(owner)
                bound = home.bindings.get(name) if home is not None else None
                if bound is not None and bound.expr is not None and bound.frame is not None:
                    yield from self._definitions_of(bound.expr, bound.frame)
            case _:
                pass

    def _loaders_of(self, traced: TracedValue) -> Iterator[tuple[BoundaryCall, tuple[Site, ...]]]:
        match traced.value:
            case ContainerValue(kind=kind, slots=slots) if kind in ITERATORS:
                for piece in slots:
                    yield from self.of(piece.value, piece.frame)
            case (
                ExternalResult(path=path, call=Call() as call, frame=Frame() as frame)
                | ProductValue(path=path, call=Call() as call, frame=Frame() as frame)
            ) if path.rpartition(".")[2] in PROGRESS_BARS:
                for value in (call.positional() or ())[:1]:
                    yield from self.of(value, frame)
            case ExternalResult(call=call, frame=frame):
                yield from self._crossing(self._linker.boundaries.match(call, frame))
            case InstanceValue(call=call, frame=frame) as instance if call is not None and frame is not None:
                if self._linker.classes.kind(instance) == "dataloader":
                    yield from self._crossing(self._of_subclass(instance, call, frame))
            case _:
                pass

    def _of_subclass(self, instance: InstanceValue, call: Call, frame: Frame) -> Iterator[BoundaryCall]:
        """The DataLoader behind an instance of a class that derives from it."""
        yield from self._linker.boundaries.match(call, frame)
        found = self._linker.classes.find_method(instance, "__init__")
        if found is None:
            return
        method = FunctionValue(found[0].module, found[1], found[0].frame, instance)
        inner = self._evaluator.enter(method, call, frame)
        for event in method.facts.events if inner is not None else ():
            if isinstance(event, Called) and inner is not None:
                yield from self._linker.boundaries.match(event.call, inner, event)

    def _crossing(self, boundaries: Iterable[BoundaryCall]) -> Iterator[tuple[BoundaryCall, tuple[Site, ...]]]:
        for boundary in boundaries:
            is_loader = boundary.spec.kind == "dataloader" and self._linker.boundaries.crosses(boundary)
            if is_loader and self._linker.boundaries.starting.start_methods(boundary):
                yield boundary, (boundary.site,)
