"""Calls of `cv2.distanceTransform`: only the precise one uses OpenCV's thread pool.

Measured with opencv-python-headless 5.0.0.93 and 4.14.0.94, images of 1600 x 1600: masks of 3 and 5 start no threads
with any distance, and the precise mask none with DIST_L1 and DIST_C.
"""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.values import Call, Expr
from lintpickle.interpreter.abstract_values import ConstantValue, ExternalValue, Frame
from lintpickle.payload.linker import Linker

_PRECISE = (0, "cv2.DIST_MASK_PRECISE")
_ALWAYS_SERIAL = (1, 3, "cv2.DIST_L1", "cv2.DIST_C")


def is_serial_transform(path: str, call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether a call is a distance transform of which nothing says that its mask is the precise one, or whose distance
    never uses threads."""
    if path != "cv2.distanceTransform":
        return False
    given = call.positional() or ()
    distance = call.keyword("distanceType") or (given[1] if len(given) > 1 else None)
    mask = call.keyword("maskSize") or (given[2] if len(given) > 2 else None)
    if mask is None or not any(each in _PRECISE for each in _known(mask, frame, linker)):
        return True
    known = list(_known(distance, frame, linker)) if distance is not None else []
    return bool(known) and all(each in _ALWAYS_SERIAL for each in known)


def _known(given: Expr, frame: Frame, linker: Linker) -> Iterator[object]:
    """The numbers and the names of OpenCV's constants that an argument may be; None for all else."""
    for traced in linker.evaluate(given, frame):
        match traced.value:
            case ConstantValue(value=bool()):
                yield None
            case ConstantValue(value=number):
                yield number
            case ExternalValue(path=path):
                yield path
            case _:
                yield None
