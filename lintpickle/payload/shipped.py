"""What one boundary ships: the arguments that it pickles, and everything that can be reached from them."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.boundaries.boundary_call import ITSELF, BoundaryCall
from lintpickle.boundaries.dropped_results import is_result_dropped
from lintpickle.boundaries.names import UNFOLLOWED_KIND
from lintpickle.diagnostics import StartMethod
from lintpickle.facts.values import Attribute, without_narrowing
from lintpickle.interpreter.abstract_values import (
    Bound,
    Hop,
    ProductValue,
    TracedValue,
    joined,
)
from lintpickle.interpreter.pickle_time import PickleTime
from lintpickle.payload.components import Components
from lintpickle.payload.confidence import of_boundary
from lintpickle.payload.crossings import Crossing, Root
from lintpickle.payload.filled_attributes import as_filled
from lintpickle.payload.stored_last import not_stored_over
from lintpickle.payload.stored_later import not_stored_later
from lintpickle.payload.told_by_type import not_told_apart

KIND_PHRASES = {
    "dataset": "a Dataset: a DataLoader pickles it for each worker",
    "iterable-dataset": "an IterableDataset: a DataLoader pickles it for each worker",
    "module": "an nn.Module: torch.save(model), mp.spawn and process pools pickle it",
    "lightning-module": "a LightningModule: spawn strategies and torch.save(model) pickle it",
    "transform": "a transform: it travels with any dataset that holds it",
    "collate": "a collate function: a DataLoader pickles it for each worker",
    "process": "a Process: `start()` pickles it",
}
"""How messages say what becomes of the objects of a kind of class."""


def root_of(boundary: BoundaryCall, parts: Components) -> Root:
    """The root of what a boundary ships: how sure that is, under which start methods, and when it is pickled."""
    methods = parts.boundaries.starting.start_methods(boundary)
    if methods == boundary.spec.start_methods and len(methods) < len(StartMethod):
        start = boundary.hops[0].site if boundary.hops else boundary.site
        possible = parts.start_methods_at(start.module)
        methods = tuple(method for method in methods if method in possible)
    pickling = PickleTime(boundary.spec.kind, boundary.call, boundary.frame)
    return Root(
        of_boundary(boundary),
        methods,
        boundary.spec,
        boundary.spec.pickled_as,
        boundary.site,
        pickling=pickling,
        asks_length=parts.boundaries.shuffles(boundary),
    )


def shipped_at(boundary: BoundaryCall, parts: Components) -> Iterator[Crossing]:
    """What crosses at a boundary, by its parameters."""
    of_all = root_of(boundary, parts)
    of_starting = root_of(boundary.at_start, parts) if boundary.spec.at_start else of_all
    for role in boundary.payload:
        root = of_starting if role in boundary.spec.at_start else of_all
        bound = boundary.arguments.get(role)
        if bound is None:
            continue
        hops = (*boundary.hops, Hop(_pickling_phrase(boundary, role, parts), boundary.site))
        values = not_stored_over(parts.boundaries.values(boundary, role), boundary, role, parts.evaluator)
        values = not_told_apart(values, bound, parts.evaluator)
        here = (*boundary.hops, Hop("", boundary.site))
        if root.pickling is not None:
            values = not_stored_later(values, bound.expr, bound.frame, root.pickling, parts.evaluator)
        filled = as_filled(bound.expr, bound.frame, here, root.pickling, parts.evaluator)
        for found in (*values, *filled):
            traced = found
            if bound.expr is not None and bound.frame is not None:
                traced = parts.payload.as_pickled(found, bound.expr, bound.frame, root)
            doubts = joined(boundary.doubts, traced.doubts)
            start = TracedValue(traced.value, traced.site, (*hops, *traced.hops), doubts)
            for item in _shipped_items(start, root, parts) if boundary.is_iterated(role) else (start,):
                yield from parts.payload.crossings(item, root, role, role)
        if role in boundary.spec.functions:
            for owner in _owners_of_method(bound, parts):
                doubts = joined(boundary.doubts, owner.doubts)
                start = TracedValue(owner.value, owner.site, (*hops, *owner.hops), doubts)
                yield from parts.payload.crossings(start, root, role, f"{role}.__self__")


def _owners_of_method(bound: Bound, parts: Components) -> Iterator[TracedValue]:
    """The objects that the catalog describes whose method is passed (`target=self.server.serve_forever`): pickle
    takes a method as its object and a name."""
    method = without_narrowing(bound.expr) if bound.expr is not None else None
    if isinstance(method, Attribute) and bound.frame is not None:
        for traced in parts.evaluator.evaluate(method.base, bound.frame):
            if isinstance(traced.value, ProductValue) and traced.value.product.kind != "module":
                yield traced


def _shipped_items(start: TracedValue, root: Root, parts: Components) -> Iterator[TracedValue]:
    """Of an argument that the parent iterates: what it yields crosses, not the argument."""
    for slot in parts.evaluator.elements(start.value):
        for found in parts.evaluator.held_in(slot):
            traced = parts.payload.as_pickled(found, slot.value, slot.frame, root)
            yield traced.by_way_of(start)


def _pickling_phrase(boundary: BoundaryCall, role: str, parts: Components) -> str:
    if role == ITSELF and boundary.callee is not None:
        return f"{boundary.callee.facts.name} is {KIND_PHRASES[boundary.spec.kind]}"
    argument = f"{role}=…" if role.isidentifier() else "…"
    verb = "copies" if boundary.spec.kind == UNFOLLOWED_KIND else "pickles"
    is_dropped = is_result_dropped(boundary, parts.first_party)
    dropped = "; its result is dropped, and with it an error" if is_dropped else ""
    return f"{boundary.spec.name}({argument}) {verb} it{dropped}"
