from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.pickle_hooks.made_classes import misnamed, place_of_class
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

_KINDS = frozenset({"namedtuple", "namedtuple()"})


class MisnamedNamedtuple(Rule):
    """A namedtuple that crosses, and whose class is not a global of its module under its type name."""

    code = "LP121"
    name = "misnamed-namedtuple"
    value_types = (ContainerValue,)
    message = "namedtuple `{excerpt}` is {held}, but `{typename}` of its module is not its class: {error}"
    help = "assign the namedtuple class at module level to the name in its first argument"
    marks = frozenset({PRODUCT})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        match crossing.value:
            case ContainerValue(kind=kind) if kind in _KINDS and not carries_functions(crossing):
                found = misnamed(crossing.value, linker)
                if found is not None:
                    site, hops = place_of_class(crossing.value, crossing.site)
                    yield Hazard(
                        site=site,
                        hops=hops,
                        noun="the namedtuple class",
                        error=found[1],
                        data={"excerpt": excerpt_of(crossing), "held": how_held(crossing), "typename": found[0]},
                    )
            case _:
                pass
