"""What an attribute of an object of the program keeps from its construction on."""

from __future__ import annotations

from collections.abc import Iterable

from lintpickle.facts.values import Attribute
from lintpickle.interpreter.abstract_values import Frame, InstanceValue, Site
from lintpickle.interpreter.held import Held
from lintpickle.payload.linker import Linker


def _kept_by(owner: InstanceValue, name: str, linker: Linker) -> Held | None:
    """What an attribute of an object is given, if that is one thing alone."""
    return _one(each for each in linker.classes.states.state(owner) if each.attribute == name)


def kept_under(attribute: Attribute, frame: Frame, linker: Linker) -> tuple[InstanceValue, Held] | None:
    """The same for an attribute as code writes it, with its object, if that is one alone. In the statement that stores
    it anew, it is what was there before."""
    owners = [traced.value for traced in linker.evaluate(attribute.base, frame)]
    owner = owners[0] if len(owners) == 1 else None
    if not isinstance(owner, InstanceValue):
        return None
    held, here = _kept_by(owner, attribute.name, linker), Site(frame.module, attribute.span)
    while held is not None and held.site.contains(here):
        held = _one(held.before)
    return (owner, held) if held is not None else None


def _one(held: Iterable[Held]) -> Held | None:
    stored = [each for each in held if each.direct]
    return stored[0] if len(stored) == 1 else None
