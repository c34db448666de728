from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from lintpickle.analyses.pickle_hooks.made_classes import SOME_NAME, misnamed, place_of_class
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import (
    PRODUCT,
    ContainerValue,
    Crossing,
    Hazard,
    Linker,
    Rule,
    carries_functions,
    excerpt_of,
    how_held,
)

_NOUNS = MappingProxyType(
    {
        "enum": "enumeration",
        "enum()": "member of an enumeration",
        "flag": "enumeration",
        "flag()": "member of an enumeration",
        "type": "class",
        "type()": "object of a class",
        "dataclass": "dataclass",
        "dataclass()": "dataclass object",
    }
)
"""What a value is called, by the kind of its container."""


class MisnamedClass(Rule):
    """A class made by `Enum(...)`, `type(...)` or `make_dataclass(...)` that its module does not have by its name."""

    code = "LP125"
    name = "misnamed-class"
    value_types = (ContainerValue,)
    message = "{noun} `{excerpt}` is {held}, but `{typename}` does not lead to its class: {error}"
    help = "assign the class at module level to the name in its first argument, or write a `class` statement"
    marks = frozenset({PRODUCT})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        match crossing.value:
            case ContainerValue(kind=kind) if kind in _NOUNS and not carries_functions(crossing):
                found = misnamed(crossing.value, linker)
                if found is not None:
                    site, hops = place_of_class(crossing.value, crossing.site)
                    yield Hazard(
                        site=site,
                        hops=hops,
                        noun="the class",
                        error=found[1],
                        data={
                            "noun": _NOUNS[kind],
                            "excerpt": excerpt_of(crossing),
                            "held": how_held(crossing),
                            "typename": found[0],
                        },
                        confidence=Confidence.LIKELY if kind.startswith("dataclass") or found[0] == SOME_NAME else None,
                    )
            case _:
                pass
