"""The arrays that joblib writes between the opcodes of a pickle: how many bytes to pass over.

As `joblib.numpy_pickle.NumpyArrayWrapper` of joblib 0.10 to 1.6 writes them: the wrapper's state says shape and dtype;
the data follow the BUILD opcode, behind a byte that says how much padding comes first (since 1.1); arrays of objects
are a pickle of their own."""

from __future__ import annotations

import re

from msgspec import Struct

from lintpickle.saved_files.values import Fields, Made, Value

_WRAPPER = "joblib.numpy_pickle.NumpyArrayWrapper"
_DTYPE = re.compile(r"[<>=|]?([a-zA-Z?])(\d{1,12})")
_HAS_OBJECTS = 1
"""NumPy's flag NPY_ITEM_REFCOUNT, in the last item of a dtype's state."""
_FLAGS = 7
_KEYS = frozenset({"shape", "dtype", "order", "numpy_array_alignment_bytes"})


class Array(Struct, frozen=True):
    """Data between opcodes: a pickle, or `size` bytes, behind padding if `is_aligned`."""

    is_pickled: bool
    is_aligned: bool
    size: int


def is_wrapper(value: Made) -> bool:
    """Whether an object is the wrapper of an array (sklearn once had a copy of joblib)."""
    return value.maker.endswith(_WRAPPER)


def remember(fields: Fields, items: list[Value]) -> None:
    """Take over what matters of the keys and values of a state."""
    for key, value in zip(items[::2], items[1::2], strict=False):
        if isinstance(key, str) and key in _KEYS:
            fields[key] = value


def described(fields: Fields) -> Array | None:
    """The array that a wrapper stands for; None if its state does not tell."""
    shape, dtype = fields.get("shape"), fields.get("dtype")
    if not isinstance(shape, tuple) or not isinstance(dtype, Made) or not dtype.of:
        return None
    code = dtype.of[0]
    found = _DTYPE.fullmatch(code) if isinstance(code, str) else None
    if found is None:
        return None
    flags = dtype.state[_FLAGS] if len(dtype.state) > _FLAGS else 0
    if found[1] == "O" or (isinstance(flags, int) and flags & _HAS_OBJECTS):
        return Array(True, False, 0)
    size = int(found[2]) * (4 if found[1] == "U" else 1)
    for length in shape:
        if not isinstance(length, int) or length < 0:
            return None
        size *= length
    is_aligned = isinstance(fields.get("numpy_array_alignment_bytes"), int)
    return Array(False, is_aligned, size)
