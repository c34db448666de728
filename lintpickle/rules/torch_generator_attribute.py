from __future__ import annotations

from lintpickle.rules._shared.products import ProductRule


class TorchGeneratorAttribute(ProductRule):
    """A `torch.Generator` kept on an object that crosses: pickling works, and then the worker dies."""

    code = "LP114"
    name = "torch-generator-attribute"
    kinds = frozenset({"torch-generator"})
    noun = "generator of random numbers"
    message = "{noun} `{excerpt}` is {held}: the worker dies when it starts: {error}"
    help = "keep the seed, and create the generator in the worker, from `torch.initial_seed()`"
