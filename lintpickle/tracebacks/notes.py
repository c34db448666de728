"""The notes of Python 3.14 as a path: "when serializing dict item 'names'" and the like, innermost first.

Words: CPython 3.14, Modules/_pickle.c and Lib/pickle.py: `T item K`, `T element`, `T state`, `T object`, `T class`,
`T reconstructor`, `T reconstructor arguments`, `T __new__ arguments`, where T is the qualified name of a type, without
its module if that is builtins or `__main__`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

_NOTE = re.compile(
    r"when serializing (?P<type>\S+(?:\.<locals>\.\S+)*) (?:"
    r"(?P<item>item) (?P<key>.+)|(?P<part>element|state|object|class|reconstructor(?: arguments)?|__new__ arguments))$"
)
_NAME = re.compile(r"'([^'\\]+)'|\"([^\"\\]+)\"")
_CONTAINERS = frozenset({"dict", "list", "tuple", "set", "frozenset"})


class NoteStep(Struct, frozen=True):
    """One step inwards: an attribute of an object of class `owner` (its qualified name), or with `owner` None, an item
    of a container, as `label` names it ("['key']", "[0]", "[…]")."""

    owner: str | None
    label: str


def steps(notes: Sequence[str]) -> tuple[NoteStep, ...]:
    """The path that notes tell, outermost first."""
    read = [found for note in reversed(notes) if (found := _NOTE.match(note.strip())) is not None]
    return tuple(_steps(read))


def _steps(notes: Sequence[re.Match[str]]) -> Iterator[NoteStep]:
    state_of: str | None = None
    for at, note in enumerate(notes):
        kind = note["part"] or note["item"]
        if kind == "state":
            state_of = note["type"]
        elif kind == "item" and note["type"] == "dict" and state_of is not None:
            yield NoteStep(state_of, _plain(note["key"]))
            state_of = None
        elif kind == "item" and note["type"] == "tuple" and state_of is not None and _is_split(notes, at):
            continue
        elif kind == "item":
            state_of = None
            yield NoteStep(None, f"[{note['key']}]")
        elif kind == "element":
            state_of = None
            yield NoteStep(None, "[…]")


def _is_split(notes: Sequence[re.Match[str]], at: int) -> bool:
    """Whether a tuple is the state of an object with `__slots__`: what its `__dict__` and its slots hold."""
    following = notes[at + 1] if at + 1 < len(notes) else None
    return following is not None and following["item"] is not None and following["type"] == "dict"


def _plain(key: str) -> str:
    found = _NAME.fullmatch(key.strip())
    return (found[1] or found[2]) if found is not None else key


def is_same_class(named: str, qualname: str, module: str) -> bool:
    """Whether a note's name of a type is that of a class, by its qualified name and its module."""
    return named == qualname or named == f"{module}.{qualname}" or named.endswith(f".{qualname}")
