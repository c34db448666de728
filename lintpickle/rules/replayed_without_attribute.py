from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.pickle_hooks.given_from_outside import REPLAYED_NAMES, given_from_outside
from lintpickle.analyses.pickle_hooks.replayed_defaults import replayed_default
from lintpickle.rules._shared.seldom_sent import seldom_sent
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    ClassValue,
    Crossing,
    Hazard,
    InstanceValue,
    Linker,
    Rule,
)


class ReplayedWithoutAttribute(Rule):
    """A subclass of `Decimal`, `datetime`, `Counter` or the like with an attribute that pickle leaves out."""

    code = "LP618"
    name = "replayed-without-attribute"
    start_methods = ALL_START_METHODS
    value_types = (InstanceValue,)
    message = "`{class_}.{attribute}` is not pickled: `{base}.__reduce__` sends arguments alone, and {outcome}{error}"
    help = "define `__reduce__` that gives all arguments of the constructor"
    marks = frozenset()
    of_results = True
    words = frozenset(f"{name}{end}" for name in REPLAYED_NAMES for end in ("):", ",", "["))

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if isinstance(crossing.value, InstanceValue):
            yield from _judged(crossing.value.class_, linker)
            yield from _given(crossing.value, linker)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        yield from seldom_sent(_judged(class_, linker), class_, linker)


def _judged(class_: ClassValue, linker: Linker) -> Iterator[Hazard]:
    lost = replayed_default(class_, linker)
    if lost is not None:
        kept = f"the copy has the default, `{lost.default}`"
        yield Hazard(
            site=lost.store,
            noun="the attribute",
            error=lost.error,
            data={
                "class_": class_.facts.name,
                "attribute": lost.attribute,
                "base": lost.base,
                "outcome": kept if lost.error is None else "the copy cannot be made: ",
            },
        )


def _given(instance: InstanceValue, linker: Linker) -> Iterator[Hazard]:
    class_ = instance.class_
    for base, held in given_from_outside(instance, linker):
        name, is_of_class = held.attribute, held.attribute in class_.facts.body
        missing = f"AttributeError: '{class_.facts.name}' object has no attribute '{name}'"
        yield Hazard(
            site=held.site,
            noun="the attribute",
            error=None if is_of_class else missing,
            data={
                "class_": class_.facts.name,
                "attribute": name,
                "base": base,
                "outcome": "the copy has what the class has under that name" if is_of_class else "the copy has none: ",
            },
        )
        return
