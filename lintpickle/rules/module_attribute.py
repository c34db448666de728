from __future__ import annotations

from collections.abc import Iterable

from lintpickle.interpreter.abstract_values import ModuleValue, ProductValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.payload import Crossing
from lintpickle.prefilter.marks import IMPORTED, PRODUCT
from lintpickle.rules._shared.products import ProductRule
from lintpickle.rules.base import Hazard, excerpt_of, where

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

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if not isinstance(crossing.value, ModuleValue):
            yield from super().crossing(crossing, linker)
        elif crossing.root.kind not in ("cloudpickle", "joblib"):
            yield Hazard(
                site=crossing.site,
                noun="the module",
                error=MODULE_ERROR,
                data={"noun": self.noun, "excerpt": excerpt_of(crossing), "where": where(crossing)},
                subject=crossing,
            )
