"""What methods of objects of libraries make that depends on what the program has stored on the object: the rows of a
database connection are of the class in its `row_factory` (CPython 3.11, `sqlite3`: a cursor takes it over when it is
made)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from lintpickle.catalog import Product
from lintpickle.facts.records import Store
from lintpickle.facts.values import Attribute, Call
from lintpickle.interpreter.abstract_values import ExternalValue, Frame, ProductValue
from lintpickle.interpreter.protocols import Interpreter

_MAKERS_FOLLOWED = 3
"""Objects, each made by a method of the one before, of which it is asked what was stored on them."""


def made_after_setting(owner: ProductValue, method: str, evaluator: Interpreter) -> Product | None:
    """The object that a method makes after the program has stored something on its object, or on the one that made
    that; None if it can cross, or if it is not known what was stored."""
    for attribute in evaluator.catalog.settings_of(owner.product):
        paths = {path for maker in _makers(owner, evaluator) for path in _stored(attribute, maker, evaluator)}
        path = paths.pop() if len(paths) == 1 else None
        if path is not None:
            return evaluator.catalog.method_product(owner.product, f"{attribute}={path}.{method}")
    return None


class _Maker(Struct, frozen=True, eq=False):
    """A call that makes an object, with the functions in which something may be stored on it; what is stored in the
    function of `used` counts only if it comes before that call, which is one of a method of the object."""

    call: Call
    frames: tuple[Frame, ...]
    used: tuple[Frame, Call] | None


def _makers(owner: ProductValue, evaluator: Interpreter) -> Iterator[_Maker]:
    """The call that made an object, and those that made the one of which that is a method."""
    frames = list[Frame]()
    current: ProductValue | None = owner
    used: tuple[Frame, Call] | None = None
    for _ in range(_MAKERS_FOLLOWED):
        if current is None or current.call is None or current.frame is None:
            return
        call, frame = current.call, current.frame
        frames += [frame] if frame not in frames else []
        yield _Maker(call, tuple(frames), used)
        used = frame, call
        function = call.function
        found = evaluator.evaluate(function.base, frame) if isinstance(function, Attribute) else ()
        made = [each.value for each in found if isinstance(each.value, ProductValue)]
        current = made[0] if len(made) == 1 else None


def _stored(attribute: str, maker: _Maker, evaluator: Interpreter) -> Iterator[str | None]:
    """The paths of what functions store on what a call makes; None if it is something else, or is not surely stored."""
    for frame in maker.frames:
        last = maker.used[1].span.start if maker.used is not None and maker.used[0] is frame else None
        for event in frame.function.events:
            if not isinstance(event, Store) or event.attribute != attribute:
                continue
            owners = (each.value for each in evaluator.evaluate(event.target, frame))
            is_its = any(isinstance(each, ProductValue) and each.call is maker.call for each in owners)
            if is_its and (last is None or event.span.end <= last):
                values = [each.value for each in evaluator.evaluate(event.value, frame)]
                is_sure = len(values) == 1 and evaluator.conditions.reaches(event.span, frame) is True
                value = values[0] if is_sure else None
                yield value.path if isinstance(value, ExternalValue) else None
