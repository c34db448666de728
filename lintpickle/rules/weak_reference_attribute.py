from __future__ import annotations

from collections.abc import Iterable

from lintpickle.rules._shared.products import KeptProduct, ProductRule
from lintpickle.rules.authoring import MODULE_KINDS, Crossing, Hazard, Linker, ProductValue


class WeakReferenceAttribute(ProductRule):
    """A weak reference, or a dictionary or set of them, that is kept on an object that crosses."""

    code = "LP116"
    name = "weak-reference-attribute"
    kinds = frozenset({"weakref"})
    noun = "weak reference"
    help = "leave it out in `__getstate__`, or keep the object itself"
    unheld_help = "pass the object itself"

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[KeptProduct]]:
        if not _is_hook_handle(crossing) or not _travels_with_modules(crossing, linker):
            yield from super().crossing(crossing, linker)


def _is_hook_handle(crossing: Crossing) -> bool:
    """Whether the value is what `module.register_forward_hook` returns."""
    return isinstance(crossing.value, ProductValue) and "register_" in crossing.value.path


def _travels_with_modules(crossing: Crossing, linker: Linker) -> bool:
    """Whether the holder is a module, with which the handle and the hook's owner are pickled together."""
    holder = crossing.holder
    return holder is None or linker.classes.kind(holder) in MODULE_KINDS
