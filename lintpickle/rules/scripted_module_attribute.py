from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from msgspec.structs import replace

from lintpickle.diagnostics import Confidence
from lintpickle.rules._shared.products import KeptProduct, ProductRule
from lintpickle.rules.authoring import Crossing, Hazard, Linker, ProductValue


class ScriptedModuleAttribute(ProductRule):
    """A scripted, traced, exported or parametrized torch module, which cannot be pickled as a whole."""

    code = "LP118"
    name = "scripted-module-attribute"
    kinds = frozenset({"script", "script-function", "parametrized-module"})
    noun = "torch module"
    nouns: ClassVar[Mapping[str, str]] = {"script-function": "scripted function"}
    help = "send its state_dict, and build the module in the worker; for scripts, `torch.jit.save` to a file"

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[KeptProduct]]:
        for hazard in super().crossing(crossing, linker):
            value = crossing.value
            # Most modules that hold these are never sent as a whole, and their state_dict can be saved.
            is_usual = isinstance(value, ProductValue) and value.product.kind != "script"
            confidence = Confidence.POSSIBLE if is_usual and crossing.root.spec is None else hazard.confidence
            error = linker.error(hazard.error).partition("\n")[0] if hazard.error is not None else None
            yield replace(hazard, error=error, confidence=confidence)
