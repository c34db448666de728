from __future__ import annotations

from collections.abc import Iterable

from lintpickle.rules._shared.products import KeptProduct, ProductRule
from lintpickle.rules.authoring import (
    IMPORTED,
    PRODUCT,
    Crossing,
    Hazard,
    Linker,
    ModuleValue,
    ProductValue,
    excerpt_of,
    how_held,
)

MODULE_ERROR = "TypeError: cannot pickle 'module' object"


class ModuleAttribute(ProductRule):
    """A module that is kept on an object that crosses a process boundary."""

    code = "LP113"
    name = "module-attribute"
    value_types = (ModuleValue, ProductValue)
    kinds = frozenset({"module"})
    noun = "module"
    help = "import it where it is used"
    marks = frozenset({IMPORTED, PRODUCT})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[KeptProduct]]:
        if not isinstance(crossing.value, ModuleValue):
            yield from super().crossing(crossing, linker)
        elif crossing.root.kind not in ("cloudpickle", "joblib", "dill"):
            yield Hazard(
                site=crossing.site,
                noun="the module",
                error=MODULE_ERROR,
                data={"noun": self.noun, "excerpt": excerpt_of(crossing), "held": how_held(crossing)},
                subject=KeptProduct(crossing, linker),
            )
