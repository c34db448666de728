from __future__ import annotations

from lintpickle.diagnostics import Applicability, Fix
from lintpickle.rules._shared.products import KeptProduct, ProductRule
from lintpickle.rules.authoring import Hazard, ProductValue, wrap_function


class TorchDispatchAttribute(ProductRule):
    """A torch function that pickle cannot find by name (`F.max_pool2d` and its kind), kept or passed on."""

    code = "LP105"
    name = "torch-dispatch-attribute"
    applicability = Applicability.SAFE
    kinds = frozenset({"dispatch-function"})
    noun = "torch function"
    help = "wrap it in a function defined at module level, or use the module (`nn.AdaptiveMaxPool2d`)"

    def fix(self, hazard: Hazard[KeptProduct]) -> Fix | None:
        """Replace it by a module-level function that passes all arguments on to it."""
        crossing = hazard.subject.crossing
        match crossing.value:
            case ProductValue(product=product, call=None) if product.type == "function":
                wrapped = wrap_function(hazard.site.module.document.text, hazard.site.span)
            case _:
                return None
        if wrapped is None:
            return None
        message = f"Wrap it in a module-level function `{wrapped.name}`"
        return Fix(message, Applicability.SAFE, wrapped.edits)
