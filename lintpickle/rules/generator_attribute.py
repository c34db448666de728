from __future__ import annotations

import re
from collections.abc import Iterable
from typing import ClassVar

from lintpickle.analyses.loaders.optimizer_groups import is_listed_by_optimizer
from lintpickle.catalog import Product
from lintpickle.diagnostics import Applicability, Edit, Fix, Span
from lintpickle.rules._shared.products import KeptProduct, ProductRule
from lintpickle.rules.authoring import (
    GENERATOR,
    PRODUCT,
    AbstractValue,
    Crossing,
    GeneratorValue,
    Hazard,
    Linker,
    ProductValue,
    excerpt_of,
    how_held,
)

_CALLABLE_END = re.compile(r"[\w\])]\s*$")
ENDLESS = "endless-iterator"


_HELP_FOR_COROUTINES = "send what it is made from, and make and run it in the worker: `asyncio.run(work(…))`"
_NOUNS = {"async_generator": "asynchronous generator"}

_NOT_TO_BE_LISTED = frozenset({"finditer", "scandir", "groupby", "_grouper"})
"""Functions whose iterators give what does not pickle either: matches, directory entries, groups; and a group, which no
call makes that could be put into a list."""


class GeneratorAttribute(ProductRule):
    """A generator, or another iterator that cannot be pickled, kept on an object that crosses."""

    code = "LP112"
    name = "generator-attribute"
    value_types = (GeneratorValue, ProductValue)
    applicability = Applicability.UNSAFE
    kinds = frozenset({"generator", "iterator", ENDLESS})
    noun = "generator"
    nouns: ClassVar = {"iterator": "iterator", ENDLESS: "iterator"}
    help = "keep what it is made from, or a list if it is finite, and iterate in the worker"
    helps: ClassVar = {ENDLESS: "keep what it is made from (for `count`, the next number), and iterate in the worker"}
    marks = frozenset({GENERATOR, PRODUCT})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[KeptProduct]]:
        if is_listed_by_optimizer(crossing):
            return
        if not isinstance(crossing.value, GeneratorValue):
            yield from super().crossing(crossing, linker)
        elif crossing.root.kind not in ("joblib",) or crossing.value.kind != self.noun:
            kind = crossing.value.kind
            noun = _NOUNS.get(kind, kind)
            yield Hazard(
                site=crossing.site,
                noun=f"the {noun}",
                error=f"TypeError: cannot pickle '{kind}' object",
                data={"noun": noun, "excerpt": excerpt_of(crossing), "held": how_held(crossing)},
                help=_HELP_FOR_COROUTINES if kind != self.noun else None,
                subject=KeptProduct(crossing, linker),
            )

    def fix(self, hazard: Hazard[KeptProduct]) -> Fix | None:
        """Wrap a generator expression, or a library call known to end, in `list(...)`."""
        crossing = hazard.subject.crossing
        match crossing.value:
            case GeneratorValue(expression=False) | ProductValue(product=Product(kind="endless-iterator")):
                return None
            case ProductValue(path=path) if path.rpartition(".")[2] in _NOT_TO_BE_LISTED:
                return None
            case _:
                pass
        held = crossing.held.attribute if crossing.held is not None else ""
        if held and re.search(rf"\bnext\(\s*(?:\w+\s*\.\s*)*{re.escape(held)}\b", hazard.site.module.code):
            return None  # A list is no iterator.
        edits = _listed(hazard.site.module.document.text, hazard.site.span, crossing.value)
        return Fix("Collect into a list", Applicability.UNSAFE, edits)


def _listed(text: str, span: Span, value: AbstractValue) -> tuple[Edit, ...]:
    """Edits that wrap the expression in `list(...)`, and reuse the parentheses of a generator expression."""
    inner = text[span.start : span.end]
    if not isinstance(value, GeneratorValue):
        return (Edit(span, f"list({inner})"),)
    before = text[: span.start].rstrip()
    if before.endswith("(") and not _CALLABLE_END.search(before[:-1]):
        place = len(before) - 1
        return (Edit(Span(place, place), "list"),)
    return (Edit(span, f"[{inner}]"),)
