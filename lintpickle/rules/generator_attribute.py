from __future__ import annotations

from collections.abc import Iterable

from lintpickle.diagnostics import Applicability, Edit, Fix
from lintpickle.project.link import Linker
from lintpickle.project.payload import Crossing
from lintpickle.project.things import GeneratorThing, ProductThing
from lintpickle.rules.base import Hazard, excerpt_of, where
from lintpickle.rules.products import ProductRule

GENERATOR_ERROR = "TypeError: cannot pickle 'generator' object"


class GeneratorAttribute(ProductRule):
    """A generator, or another iterator that does not pickle, that is kept on an object that crosses."""

    code = "LP112"
    name = "generator-attribute"
    applicability = Applicability.UNSAFE
    kinds = frozenset({"generator", "iterator"})
    noun = "generator"
    help = "keep what it is made from, or a list if it is finite, and iterate in the worker"
    words = frozenset({" for ", "yield", "glob", "iter", "walk", "parameters", "modules", "children"})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if not isinstance(crossing.thing, GeneratorThing):
            yield from super().crossing(crossing, linker)
        elif crossing.root.kind not in ("joblib",):
            yield Hazard(
                site=crossing.site,
                noun=f"the generator: {GENERATOR_ERROR}",
                error=GENERATOR_ERROR,
                data={"noun": self.noun, "excerpt": excerpt_of(crossing), "where": where(crossing)},
                subject=crossing,
            )

    def fix(self, hazard: Hazard) -> Fix | None:
        """Wrap a generator expression, or a library call known to end, in `list(...)`."""
        crossing = hazard.subject
        assert isinstance(crossing, Crossing)
        match crossing.thing:
            case GeneratorThing(expression=True) | ProductThing(product=_):
                span = hazard.site.span
                text = hazard.site.module.document.text[span.start : span.end]
                inner = text[1:-1] if isinstance(crossing.thing, GeneratorThing) and text.startswith("(") else text
                return Fix("Collect into a list", Applicability.UNSAFE, (Edit(span, f"list({inner})"),))
            case _:
                return None
