"""Under which names objects hold an object that crosses: of a default that several attributes share, and several
objects, one crossing is enough to say that it is pickled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec.structs import replace

from lintpickle.interpreter.abstract_values import AbstractValue, ExternalResult, InstanceValue
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker

_MOST = 20
"""How many objects of a class are looked into."""


def crossing_by_all_names(crossing: Crossing, shipped: Iterable[Crossing], linker: Linker) -> Iterator[Crossing]:
    """How an object crosses, and if an attribute holds it, all attributes by which objects of that class, of those that
    are shipped, hold it."""
    yield crossing
    holder, held = crossing.holder, crossing.held
    if holder is None or held is None:
        return
    seen = {held.attribute}
    values = (each.value for each in shipped)
    objects = (each for each in values if isinstance(each, InstanceValue) and each.class_.key == holder.class_.key)
    for each in islice(objects, _MOST):
        for other in linker.classes.states.state(each):
            if other.attribute in seen or not other.attribute.isidentifier():
                continue
            found = (traced.value for traced in linker.evaluate(other.value, other.frame))
            if any(_is_same(value, crossing.value) for value in found):
                seen.add(other.attribute)
                path = f"{crossing.path.rpartition('.')[0]}.{other.attribute}"
                yield replace(crossing, held=other, path=path)


def _is_same(one: AbstractValue, other: AbstractValue) -> bool:
    match one, other:
        case (ExternalResult(call=first), ExternalResult(call=second)) | (
            InstanceValue(call=first),
            InstanceValue(call=second),
        ):
            return first is not None and first is second
        case _:
            return False
