"""Images that OpenCV makes without its thread pool, because they are small."""

from __future__ import annotations

from lintpickle.facts.values import Call, Expr, Name
from lintpickle.interpreter.abstract_values import ConstantValue, ContainerValue, ExternalValue, Frame
from lintpickle.payload.linker import Linker

_MOST_PIXELS = 65_536
"""Of up to so many pixels, one thread makes the whole image (measured with opencv-python-headless 5.0.0)."""
_IN_ONE_PIECE = frozenset(
    f"cv2.INTER_{name}" for name in ("NEAREST", "NEAREST_EXACT", "LINEAR", "LINEAR_EXACT", "AREA", "LANCZOS4")
)
"""The interpolations of which that is true; cubic ones always use threads. With a linear one it is true of bytes, and
most images consist of bytes."""


def is_small(path: str, call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether a call is one of `cv2.resize` whose result surely is so small that it starts no threads."""
    given = call.positional()
    if path != "cv2.resize" or given is None:
        return False
    size = call.keyword("dsize") or (given[1] if len(given) > 1 else None)
    kind = call.keyword("interpolation") or (given[5] if len(given) > 5 else None)
    if size is None or not (kind is None or _is_in_one_piece(kind, frame, linker)):
        return False
    sizes = [traced.value for traced in linker.evaluate(size, frame)]
    return all(isinstance(each, ContainerValue) and _pixels(each, linker) <= _MOST_PIXELS for each in sizes)


def _is_in_one_piece(kind: Expr, frame: Frame, linker: Linker) -> bool:
    found = [traced.value for traced in linker.evaluate(kind, frame)]
    return all(isinstance(each, ExternalValue) and each.path in _IN_ONE_PIECE for each in found)


def _pixels(size: ContainerValue, linker: Linker) -> float:
    """The most pixels that an image of a size may have."""
    sides = [_most(slot.value, slot.frame, linker) for slot in size.slots if slot.is_item]
    return sides[0] * sides[1] if len(sides) == 2 else float("inf")


def _most(side: Expr, frame: Frame, linker: Linker) -> float:
    match side:
        case Call(function=Name(name="int" | "round"), arguments=[only]):
            return _most(only.value, frame, linker)
        case _:
            found = [traced.value for traced in linker.evaluate(side, frame)]
            known = [each.value for each in found if isinstance(each, ConstantValue)]
            lengths = [each for each in known if isinstance(each, (int, float))]
            return max(lengths) if lengths and len(lengths) == len(found) else float("inf")
