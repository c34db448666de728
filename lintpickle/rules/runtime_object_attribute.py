from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.calls_and_values.functions import SUPER_ERROR
from lintpickle.rules._shared.products import KeptProduct, ProductRule
from lintpickle.rules.authoring import (
    Crossing,
    Hazard,
    Linker,
    ProductValue,
    SuperValue,
    carries_functions,
    excerpt_of,
    how_held,
)


class RuntimeObjectAttribute(ProductRule):
    """An object of the running program: a regex match, parser, context variable, mock, `os.environ`, `super()`."""

    code = "LP119"
    name = "runtime-object-attribute"
    kinds = frozenset({"context-var", "joblib", "mapping", "mock", "parser", "regex-match", "rows"})
    noun = "runtime object"
    help = "keep plain data from it: the matched text, the parsed arguments, `dict(os.environ)`"
    value_types = (ProductValue, SuperValue)

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[KeptProduct]]:
        yield from super().crossing(crossing, linker)
        if isinstance(crossing.value, SuperValue) and not carries_functions(crossing):
            yield Hazard(
                site=crossing.site,
                noun=f"the {self.noun}",
                error=SUPER_ERROR,
                help="call the method of the parent class where it is needed",
                data={"noun": self.noun, "excerpt": excerpt_of(crossing), "held": how_held(crossing)},
                subject=KeptProduct(crossing, linker),
            )
