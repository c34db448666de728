from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from lintpickle.analyses.calls_and_values.hierarchies import (
    REDUCERS,
    defines,
    external_bases,
    known_ancestors,
    stored_on_made,
)
from lintpickle.analyses.main_state.given_instead import (
    is_asked_with_default,
    is_given_instead,
    is_read_elsewhere,
)
from lintpickle.analyses.pickle_hooks.array_finalizing import is_set_in_any_array
from lintpickle.analyses.pickle_hooks.attributes_of_views import are_of_numpy, given_to_views, is_given_elsewhere
from lintpickle.diagnostics import Confidence
from lintpickle.rules._shared.seldom_sent import seldom_sent
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    ClassValue,
    Crossing,
    FunctionFacts,
    Hazard,
    InstanceValue,
    Linker,
    Module,
    Rule,
    Site,
    Store,
)

_ANEW = "what `__array_finalize__` gives an array that is made of no other one"
_OF_CLASS = "what the class has under that name"
_ASKED_FOR = "no such attribute, and code that asks for it gets a default"
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
    words = frozenset({f"{name}{end}" for name in ("ndarray", "recarray", "matrix", "MaskedArray") for end in "),["})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if isinstance(crossing.value, InstanceValue):
            yield from _judged(crossing.value.class_, linker)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        yield from seldom_sent(_judged(class_, linker), class_, linker)


def _judged(class_: ClassValue, linker: Linker) -> Iterator[Hazard]:
    line = known_ancestors(class_, linker.classes)
    if line is None or not are_of_numpy(external_bases(line)) or defines(line, *REDUCERS, "__setstate__"):
        return
    for store, module in chain(_stores(class_, linker), _given(class_, linker)):
        name = store.attribute
        is_of_class = name in class_.facts.body
        is_given_anew = is_set_in_any_array(name, class_, linker)
        if is_given_anew and not is_given_elsewhere(name, class_, linker):
            continue  # All arrays have what they are given anew.
        if is_given_anew:
            instead = _ANEW
        elif is_of_class:
            instead = _OF_CLASS
        else:
            instead = _ASKED_FOR if is_asked_with_default(name, class_, linker) else ""
        yield Hazard(
            site=Site(module, store.span),
            noun="the attribute",
            error=None if instead else f"AttributeError: '{class_.facts.name}' object has no attribute '{name}'",
            confidence=Confidence.LIKELY if is_of_class else None,
            data={"class_": class_.facts.name, "attribute": name, "instead": instead or "no such attribute: "},
        )
        return


def _given(class_: ClassValue, linker: Linker) -> Iterator[tuple[Store, Module]]:
    """The attributes that arrays get which `view` makes ones of the class, unless the class has them, too."""
    for store, module in given_to_views(class_, linker):
        if store.attribute not in class_.facts.body and store.attribute not in class_.facts.methods:
            yield store, module


def _stores(class_: ClassValue, linker: Linker) -> Iterator[tuple[Store, Module]]:
    """The attributes that the methods store which make an array: `__new__` on what it makes, the others on `self`. Of
    one that the class has, too, it counts whether arrays are given another, and whether code reads it."""
    methods = class_.facts.methods
    for method in (methods[name] for name in _MAKING if name in methods):
        for store in stored_on_made(method):
            if store.attribute not in class_.facts.body or _is_missed(store, method, class_, linker):
                yield store, class_.module


def _is_missed(store: Store, method: FunctionFacts, class_: ClassValue, linker: Linker) -> bool:
    return is_given_instead(store, method, class_, linker) and is_read_elsewhere(store.attribute, class_, linker)
