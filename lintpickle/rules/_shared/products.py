"""The base of rules about objects in the catalog."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from msgspec import Struct

from lintpickle.analyses.pickle_hooks.closed_for_pickling import is_closed_for_pickling
from lintpickle.catalog import INITIALIZER, Error, Product
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import (
    PRODUCT,
    PROXY,
    AbstractValue,
    Call,
    Crossing,
    Frame,
    Hazard,
    Linker,
    ProductValue,
    Rule,
    excerpt_of,
    how_held,
)


class KeptProduct(Struct, frozen=True):
    """An object that crosses, and the linker that knows what holds it."""

    crossing: Crossing
    linker: Linker


class ProductRule(Rule[KeptProduct]):
    """Reports objects of some catalog kinds wherever they cross."""

    kinds: ClassVar[frozenset[str]]
    """The values of `Product.kind` that this rule reports. Every kind in the catalog belongs to one rule."""
    noun: ClassVar[str]
    """The object's description in the message and the trail ("open handle")."""
    nouns: ClassVar[Mapping[str, str]] = {}
    """Descriptions of the kinds that `noun` does not describe."""
    helps: ClassVar[Mapping[str, str]] = {}
    """The help for kinds that need a different one, where an attribute leads to the object."""
    unheld_help: ClassVar[str | None] = None
    """The help where no attribute of a class leads to the object (it is passed itself, or in a container), if it
    differs."""
    value_types: ClassVar[tuple[type[AbstractValue], ...]] = (ProductValue,)
    marks = frozenset({PRODUCT})
    message = "{noun} `{excerpt}` is {held}: {error}"

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[KeptProduct]]:
        """Yield a hazard if the value is a product of the kinds of this rule, and it fails at this boundary."""
        match crossing.value:
            case ProductValue(product=product) if product.kind in self.kinds and _fails(product, crossing):
                if is_closed_for_pickling(crossing, product, linker):
                    return
                noun = self.nouns.get(product.kind, self.noun)
                yield Hazard(
                    site=crossing.site,
                    noun=f"the {noun}",
                    error=_error(product, crossing),
                    help=self._help_for(product, crossing, linker),
                    data={"noun": noun, "excerpt": excerpt_of(crossing), "held": how_held(crossing)},
                    subject=KeptProduct(crossing, linker),
                    confidence=Confidence.LIKELY if linker.fails_since(product) is not None else None,
                )
            case _:
                pass

    def help_of_kept(self, product: Product, crossing: Crossing, linker: Linker) -> str | None:
        """The help where an attribute leads to the object."""
        return self.helps.get(product.kind, self.help)

    def _help_for(self, product: Product, crossing: Crossing, linker: Linker) -> str | None:
        holder = crossing.holder
        if holder is not None and linker.classes.kind(holder) == "process":
            return "create it in `run`, which the new process calls"
        if is_shared(product) and (holder is not None or crossing.root.kind not in _WITHOUT_PROCESS):
            return _OF_NO_USE_ALONE if crossing.root.kind in _WITHOUT_PROCESS else _SHARED_HELP
        if holder is not None or self.unheld_help is None:
            return self.help_of_kept(product, crossing, linker)
        done = _WITHOUT_PROCESS.get(crossing.root.kind)
        return f"leave it out of what is {done}" if done else self.unheld_help


def is_shared(product: Product) -> bool:
    """Whether several processes are meant to use the one object, which they are given when they start: one that is made
    anew in each is another one."""
    return product.kind in _OF_SEVERAL and product.error.endswith("through inheritance")


_OF_SEVERAL = frozenset({"lock", "event", "mp-queue", "shared-memory"})
_SHARED_HELP = (
    "hand it to the processes when they start (`Process(args=…)`, `initargs=`), or keep one of a "
    "`multiprocessing.Manager()`"
)
_OF_NO_USE_ALONE = "drop it in `__getstate__`: it is of use only to the processes that share it"
_WITHOUT_PROCESS = {"save": "saved", "pickle": "pickled", "cloudpickle": "pickled", "deepcopy": "copied"}
"""Kinds of boundary without another process, and the word for what they do."""
_SHIPPED_BY = {"module": "spawn", "lightning-module": "spawn", "process": "process"}
GIVEN_AT_START = frozenset({INITIALIZER, "initargs"})
"""Arguments of a pool that its processes receive when they start, as a `Process` does: locks may be among them."""
AT_START = frozenset({"dataloader", "process", "spawn"})
"""Kinds of boundary that pickle when processes start."""


def _fails(product: Product, crossing: Crossing) -> bool:
    kind = boundary_kind(crossing)
    spec = crossing.root.spec
    if spec is not None and spec.path == PROXY and "proxy" in product.crosses:
        return False
    if kind in product.crosses or (kind in ("cloudpickle", "joblib") and product.cloudpickle is not False):
        return _is_started_process(crossing)
    if kind == "dill":
        return product.dill is False
    return not (kind == "deepcopy" and product.fails != "dumps")


def boundary_kind(crossing: Crossing) -> str:
    if crossing.role in GIVEN_AT_START:
        return "process"
    root = crossing.root
    return root.kind if root.spec is not None else _SHIPPED_BY.get(root.kind, "dataloader")


def _is_started_process(crossing: Crossing) -> bool:
    """Whether the object is a process, or a manager, that has been started: only an unstarted one can be sent to
    another."""
    pickling = crossing.root.pickling
    match crossing.value:
        case ProductValue(product=product, call=Call() as call, frame=Frame() as frame) if pickling is not None:
            if product.kind != "process" or _is_process_itself(crossing):
                return False
            return pickling.has_started(call, frame)
        case _:
            return False


def _is_process_itself(crossing: Crossing) -> bool:
    """Whether an attribute holds the process that pickles its object, not one that has been started before."""
    held, holder, pickling = crossing.held, crossing.holder, crossing.root.pickling
    return held is not None and holder is not None and pickling is not None and pickling.is_kept_as(held, holder)


def _error(product: Product, crossing: Crossing) -> Error:
    kind = boundary_kind(crossing)
    special = product.error_in_copy if kind == "deepcopy" else product.error_at_start if kind in AT_START else None
    return special or product
