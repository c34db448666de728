from __future__ import annotations

from lintpickle.diagnostics import Applicability
from lintpickle.rules.products import ProductRule


class TorchDispatchAttribute(ProductRule):
    """A torch function that pickle cannot find by name (`F.max_pool2d` and its kind), kept or passed on."""

    code = "LP105"
    name = "torch-dispatch-attribute"
    applicability = Applicability.SAFE
    kinds = frozenset({"dispatch-function"})
    noun = "torch function"
    help = "wrap it in a function defined at module level, or use the module (`nn.AdaptiveMaxPool2d`)"
    words = frozenset({"max_pool", "unique", "torch.lu", "ScalingType", "SwizzleType", "quantized_", "init."})
