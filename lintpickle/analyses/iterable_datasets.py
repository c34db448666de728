"""Iterable datasets that are passed to loaders."""

from __future__ import annotations

from lintpickle.boundaries.calls import BoundaryCall
from lintpickle.interpreter.abstract_values import ExternalValue, InstanceValue
from lintpickle.payload.linker import Linker

_TORCH = "torch.utils.data."


def iterable_dataset(call: BoundaryCall, linker: Linker) -> InstanceValue | None:
    """The dataset of a loader if it is certainly an IterableDataset of torch whose source is read, and no data
    pipe (which loaders shuffle and shard themselves)."""
    values = call.value("dataset", linker.evaluator)
    found = [traced.value for traced in values if isinstance(traced.value, InstanceValue)]
    if not found or len(found) < len(values):
        return None
    if all(_is_iterable(instance, linker) for instance in found):
        return found[0]
    return None


def _is_iterable(instance: InstanceValue, linker: Linker) -> bool:
    paths = {each.path for each in linker.classes.mro(instance) if isinstance(each, ExternalValue)}
    outside = {path for path in paths if not path.startswith(("builtins.", "typing.", "abc.", "collections.abc."))}
    names = {path.rpartition(".")[2] for path in outside}
    return "IterableDataset" in names and all(path.startswith(_TORCH) for path in outside)
