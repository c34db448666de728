from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.array_finalizing import is_set_in_any_array
from lintpickle.analyses.hierarchies import REDUCERS, defines, external_bases, is_me, known_ancestors
from lintpickle.rules._shared.seldom_sent import seldom_sent
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    ClassValue,
    Crossing,
    Hazard,
    InstanceValue,
    Linker,
    Parameter,
    Rule,
    Site,
    Store,
)

_ARRAY = "numpy.ndarray"
_ANEW = "what `__array_finalize__` gives an array that is made of no other one"
_MAKING = ("__new__", "__array_finalize__", "__init__")


class ArraySubclassLosesAttributes(Rule):
    """A subclass of `numpy.ndarray` with attributes of its own, which pickle leaves out."""

    code = "LP612"
    name = "array-subclass-loses-attributes"
    start_methods = ALL_START_METHODS
    value_types = (InstanceValue,)
    message = (
        "`{class_}.{attribute}` is not pickled: NumPy's `__reduce__` sends the array alone, and the copy has {instead}"
        "{error}"
    )
    help = "define `__reduce__` and `__setstate__` that add the attributes to what `super()` gives"
    marks = frozenset()
    of_results = True
    words = frozenset({"ndarray)", "ndarray,", "ndarray["})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if isinstance(crossing.value, InstanceValue):
            yield from _judged(crossing.value.class_, linker)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        yield from seldom_sent(_judged(class_, linker), class_, linker)


def _judged(class_: ClassValue, linker: Linker) -> Iterator[Hazard]:
    line = known_ancestors(class_, linker.classes)
    if line is None or external_bases(line) != (_ARRAY,) or defines(line, *REDUCERS, "__setstate__"):
        return
    for store, owner in _stores(class_):
        name = store.attribute
        is_given_anew = is_set_in_any_array(name, class_, linker)
        yield Hazard(
            site=Site(owner.module, store.span),
            noun="the attribute",
            error=None if is_given_anew else f"AttributeError: '{class_.facts.name}' object has no attribute '{name}'",
            data={
                "class_": class_.facts.name,
                "attribute": name,
                "instead": _ANEW if is_given_anew else "no such attribute: ",
            },
        )
        return


def _stores(class_: ClassValue) -> Iterator[tuple[Store, ClassValue]]:
    """The attributes that the methods store which make an array: `__new__` on what it makes, the others on `self`. One
    that the class has, too, is only forgotten."""
    methods = class_.facts.methods
    for name, method in ((name, methods[name]) for name in _MAKING if name in methods):
        for event in method.events:
            if not isinstance(event, Store) or event.attribute in class_.facts.body:
                continue
            is_own = not isinstance(event.target, Parameter) if name == "__new__" else is_me(event.target, method)
            if is_own:
                yield event, class_
