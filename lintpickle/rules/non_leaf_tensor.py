from __future__ import annotations

from lintpickle.rules._shared.products import ProductRule


class NonLeafTensor(ProductRule):
    """A tensor that a torch module has made while gradients were tracked, kept on an object that crosses."""

    code = "LP127"
    name = "non-leaf-tensor"
    kinds = frozenset({"non-leaf-tensor"})
    noun = "tensor that requires grad"
    help = "compute it under `torch.no_grad()`, or keep `.detach()` of it"
