"""NumPy's npy files: a header, and the data of an array. An array of objects is a pickle behind the header.

The format is described in `numpy/lib/format.py`: six bytes of magic, two of version, the length of the header, and the
header, a Python literal."""

from __future__ import annotations

import ast

from lintpickle.saved_files.containers.opened import OpenedFile
from lintpickle.saved_files.containers.pickles import read_pickle_member
from lintpickle.saved_files.stream import Stream, Truncated, Unreadable

MAGIC = b"\x93NUMPY"
_LONGEST = 10_000
"""Characters of a header: as many as `numpy.load` takes from files that are not trusted."""


def read_npy(opened: OpenedFile, stream: Stream, member: str) -> None:
    """Read the pickle in an npy file, if there is one. Raises `Unreadable`."""
    try:
        has_objects = _has_objects(stream)
    except Truncated:
        raise Unreadable("its npy header is cut off") from None
    if has_objects:
        read_pickle_member(opened, stream, member, "array of objects")
    elif not member:
        opened.contents.notes.append("there is no pickle in it: its array holds plain data")


def _has_objects(stream: Stream) -> bool:
    if stream.take(len(MAGIC)) != MAGIC:
        raise Unreadable("it is no npy file, as its name says")
    version = stream.take(2)
    length = int.from_bytes(stream.take(2 if version[0] == 1 else 4), "little")
    if length > _LONGEST:
        raise Unreadable(f"its npy header has {length:,} bytes, and `numpy.load` takes {_LONGEST:,}")
    text = stream.take(length).decode("latin-1")
    try:
        header = ast.literal_eval(text.strip())
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise Unreadable("its npy header is no literal") from None
    descr = header.get("descr") if isinstance(header, dict) else None
    if descr is None:
        raise Unreadable("its npy header has no descr")
    return _names_objects(descr)


def _names_objects(descr: object) -> bool:
    """Whether a dtype, as headers write it, has objects in it: a string, or a list of fields (name, dtype, shape)."""
    if isinstance(descr, str):
        return descr.lstrip("<>=|").startswith("O")
    if isinstance(descr, tuple):
        return any(_names_objects(each) for each in descr[1:2]) or (bool(descr) and _names_objects(descr[0]))
    return isinstance(descr, list) and any(_names_objects(field[1]) for field in descr if _is_field(field))


def _is_field(field: object) -> bool:
    return isinstance(field, tuple) and len(field) > 1
