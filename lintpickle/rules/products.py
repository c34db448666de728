"""Shared by the rules about objects that the catalog knows: not a rule itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from lintpickle.catalog import Product
from lintpickle.project.link import Linker
from lintpickle.project.payload import Crossing
from lintpickle.project.things import ProductThing, Thing
from lintpickle.rules.base import Hazard, Rule, excerpt_of, where
from lintpickle.source.marks import PRODUCT


class ProductRule(Rule):
    """Reports catalogued objects of some kinds wherever they cross."""

    kinds: ClassVar[frozenset[str]]
    """The `Product.kind`s that this rule is about. Every kind of the catalog belongs to one rule."""
    noun: ClassVar[str]
    """What the object is, for the message and the trail ("open handle")."""
    unheld_help: ClassVar[str | None] = None
    """The help for an object that no attribute of a class leads to (it is passed itself, or in a container), if that is
    another one."""
    things: ClassVar[tuple[type[Thing], ...]] = (ProductThing,)
    marks = frozenset({PRODUCT})
    message = "{noun} `{excerpt}` is kept in `{where}`: {error}"

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        match crossing.thing:
            case ProductThing(product=product) if product.kind in self.kinds and _fails(product, crossing):
                yield Hazard(
                    site=crossing.site,
                    noun=f"the {self.noun}",
                    error=linker.error(product),
                    help=self._help_for(crossing, linker),
                    data={"noun": self.noun, "excerpt": excerpt_of(crossing), "where": where(crossing)},
                    subject=crossing,
                )
            case _:
                pass

    def _help_for(self, crossing: Crossing, linker: Linker) -> str | None:
        holder = crossing.holder
        if holder is not None and linker.classes.kind(holder) == "process":
            return "make it in `run`, which the new process calls"
        if holder is not None or self.unheld_help is None:
            return self.help
        done = _WITHOUT_PROCESS.get(crossing.root.kind)
        return f"leave it out of what is {done}" if done else self.unheld_help


_WITHOUT_PROCESS = {"save": "saved", "pickle": "pickled", "cloudpickle": "pickled", "deepcopy": "copied"}
"""What kinds of boundary do that have no process on the other side."""
_GIVEN_AT_START = ("initializer", "initargs")
"""Arguments of a pool that its processes get when they start, as a Process gets its own: locks may go along."""
_SHIPPED_BY = {"module": "spawn", "lightning-module": "spawn", "process": "process"}


def _fails(product: Product, crossing: Crossing) -> bool:
    root = crossing.root
    kind = root.kind if root.spec is not None else _SHIPPED_BY.get(root.kind, "dataloader")
    if crossing.role in _GIVEN_AT_START:
        kind = "process"
    if kind in product.crosses or (kind in ("cloudpickle", "joblib") and product.cloudpickle is not False):
        return False
    return not (kind == "deepcopy" and product.fails != "dumps")
