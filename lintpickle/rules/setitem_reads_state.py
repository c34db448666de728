from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.calls_and_values.hierarchies import (
    REDUCERS,
    defines,
    external_bases,
    known_ancestors,
    stores_of,
)
from lintpickle.analyses.pickle_hooks.filled_before_state import first_missing, is_of_object
from lintpickle.analyses.pickle_hooks.items_kept_elsewhere import keeps_items_elsewhere
from lintpickle.analyses.pickle_hooks.lookups_while_empty import refusal_while_empty
from lintpickle.diagnostics import Confidence
from lintpickle.rules._shared.seldom_sent import seldom_sent
from lintpickle.rules.authoring import (
    ClassValue,
    Crossing,
    FunctionFacts,
    Hazard,
    InstanceValue,
    Linker,
    Rule,
    Site,
)

_FILLED_BY = {"builtins.dict": "__setitem__", "builtins.list": "extend"}
"""The methods by which pickle puts the items into an object of a subclass."""


class SetitemReadsState(Rule):
    """A dictionary or list of an own class, whose `__setitem__` or `extend` reads attributes of the object."""

    code = "LP611"
    name = "setitem-reads-state"
    value_types = (InstanceValue,)
    message = (
        "`{class_}.{method}` reads `{attribute}`, which the object lacks while it is unpickled, "
        "because its items are set before its attributes: {error}"
    )
    help = "define `__reduce__`, or create the attribute in `__new__`"
    marks = frozenset()
    of_results = True
    words = frozenset({"__setitem__", "extend"})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if isinstance(crossing.value, InstanceValue):
            yield from _judged(crossing.value.class_, linker)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        if any(method in class_.facts.methods for method in _FILLED_BY.values()):
            yield from seldom_sent(_judged(class_, linker), class_, linker)


def _judged(class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
    line = known_ancestors(class_, linker.classes)
    paths = external_bases(line) if line is not None else ()
    if line is None or len(paths) != 1 or defines(line, *REDUCERS, "__new__", "__getattribute__"):
        return
    lookup = linker.classes.find_method(class_, "__getattr__")
    refusal = refusal_while_empty(*lookup) if lookup is not None and paths[0] == "builtins.dict" else None
    if lookup is not None and refusal is None:
        return
    found = linker.classes.find_method(class_, _FILLED_BY.get(paths[0], ""))
    if found is None:
        return

    def find(name: str) -> tuple[ClassValue, FunctionFacts] | None:
        return linker.classes.find_method(class_, name)

    attribute = first_missing(*found, lambda name: is_of_object(name, line, paths[0]), find)
    if attribute is None or not any(True for _ in stores_of(line, attribute)):
        return
    is_hardly_filled = paths[0] == "builtins.dict" and keeps_items_elsewhere(*found, find)
    owner, method = found
    yield Hazard(
        site=Site(owner.module, method.header),
        noun=f"it asks for `{attribute}`",
        error=_error(refusal, class_, attribute),
        confidence=Confidence.POSSIBLE if is_hardly_filled else Confidence.LIKELY,  # It may be empty.
        data={"class_": owner.facts.name, "method": method.name, "attribute": attribute},
    )


def _error(refusal: str | None, class_: ClassValue, attribute: str) -> str:
    if refusal is not None:
        return f"{refusal}: {attribute}" if refusal == "AttributeError" else f"{refusal}: '{attribute}'"
    return f"AttributeError: '{class_.facts.name}' object has no attribute '{attribute}'"
