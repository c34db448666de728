"""Where the main process has opened what an object opens on first use, and now holds as it is sent."""

from __future__ import annotations

from lintpickle.facts.records import Store
from lintpickle.interpreter.abstract_values import ClassValue, Site
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker

_CONSTRUCTORS = frozenset[str | None]({"__init__", "__post_init__", "__attrs_post_init__", "__new__", "__setstate__"})


def opened_before(crossing: Crossing, linker: Linker) -> Site | None:
    """The call of a method of the object that holds something, by which that has been opened on first use
    (`if self.file is None:`); None if it is opened otherwise, or that call is not seen."""
    holder, held = crossing.holder, crossing.held
    if holder is None or held is None:
        return None
    line = [each for each in linker.classes.mro(holder) if isinstance(each, ClassValue)]
    methods = {id(method): name for each in line for name, method in each.facts.methods.items()}
    way = list(held.way)
    names = [methods.get(id(frame.function)) for frame, _ in way]
    if not names or names[0] is None or not _CONSTRUCTORS.isdisjoint(names):
        return None
    stores = (
        each for each in way[0][0].function.events if isinstance(each, Store) and each.attribute == held.attribute
    )
    if not any(each.guards and each.span.start <= held.site.span.start < each.span.end for each in stores):
        return None
    return next(
        (Site(frame.module, span) for (frame, span), name in zip(way, names, strict=True) if name is None), None
    )
