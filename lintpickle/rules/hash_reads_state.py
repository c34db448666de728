from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS, defines, plain_ancestors
from lintpickle.analyses.pickle_hooks.filled_before_state import first_missing, is_of_object
from lintpickle.analyses.pickle_hooks.hashed_fields import first_hashed_field
from lintpickle.analyses.pickle_hooks.linked_both_ways import where_linked
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    ClassValue,
    Crossing,
    Hazard,
    Hop,
    InstanceValue,
    Linker,
    Rule,
    Site,
    Words,
)

_MADE_OTHERWISE = ("__new__", "__getnewargs__", "__getnewargs_ex__", "__getstate__", "__getattr__", "__getattribute__")
"""What may give an object its attributes before it is hashed, or leave out what it is hashed for."""

_COPYING = Words({"deepcopy"})


class HashReadsState(Rule):
    """Objects that hold each other in sets or as keys, and whose `__hash__` reads attributes of the object."""

    code = "LP613"
    name = "hash-reads-state"
    start_methods = ALL_START_METHODS
    value_types = (InstanceValue,)
    message = (
        "`{class_}.__hash__` reads `{attribute}`, which the object lacks while it is unpickled or copied: objects that "
        "hold each other in sets or as keys are hashed before they get their attributes: {error}"
    )
    help = "define `__reduce__` that gives the attribute to the constructor, or send plain lists of names"
    marks = frozenset()
    of_results = True
    words = frozenset({"__hash__", "unsafe_hash", "frozen"})
    class_words = frozenset({"__hash__"})

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        """Yield what the copies of a program may meet, which are not followed to what callers give to be copied."""
        asker = class_.module.path
        if "__hash__" in class_.facts.methods and linker.first_party.is_anywhere(_COPYING, asker):
            yield from (replace(each, confidence=Confidence.POSSIBLE) for each in _judged(class_, asker, linker))

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if isinstance(crossing.value, InstanceValue):
            yield from _judged(crossing.value.class_, crossing.root.site.module.path, linker)


def _judged(class_: ClassValue, asker: str, linker: Linker) -> Iterator[Hazard]:
    line = plain_ancestors(class_, linker.classes)
    if line is None or defines(line, *REDUCERS, *_MADE_OTHERWISE):
        return
    found = linker.classes.find_method(class_, "__hash__")
    if found is None:
        attribute = first_hashed_field(line)
    else:
        attribute = first_missing(
            *found, lambda name: is_of_object(name, line), lambda name: linker.classes.find_method(class_, name)
        )
    linked = where_linked(class_, linker, asker) if attribute is not None else None
    if attribute is None or linked is None:
        return
    owner, header = (found[0], found[1].header) if found is not None else (class_, class_.facts.header)
    yield Hazard(
        site=Site(owner.module, header),
        noun=f"it is hashed by its `{attribute}`",
        error=f"AttributeError: '{class_.facts.name}' object has no attribute '{attribute}'",
        confidence=Confidence.LIKELY,  # Those that cross may not be linked.
        data={"class_": owner.facts.name, "attribute": attribute},
        hops=(Hop("two of them are put into each other here", linked),),
    )
