from __future__ import annotations

from collections.abc import Iterable

from lintpickle.project.link import Linker
from lintpickle.project.payload import Crossing
from lintpickle.project.things import ModuleThing, ProductThing
from lintpickle.rules.base import Hazard, excerpt_of, where
from lintpickle.rules.products import ProductRule
from lintpickle.source.marks import IMPORTED, PRODUCT

MODULE_ERROR = "TypeError: cannot pickle 'module' object"


class ModuleAttribute(ProductRule):
    """A module that is kept on an object that crosses a process boundary."""

    code = "LP113"
    name = "module-attribute"
    things = (ModuleThing, ProductThing)
    kinds = frozenset({"module"})
    noun = "module"
    help = "import it where it is used"
    marks = frozenset({IMPORTED, PRODUCT})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if not isinstance(crossing.thing, ModuleThing):
            yield from super().crossing(crossing, linker)
        elif crossing.root.kind not in ("cloudpickle", "joblib"):
            yield Hazard(
                site=crossing.site,
                noun="the module",
                error=MODULE_ERROR,
                data={"noun": self.noun, "excerpt": excerpt_of(crossing), "where": where(crossing)},
                subject=crossing,
            )
