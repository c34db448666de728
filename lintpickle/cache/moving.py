"""What is known of a program, as it would be known if the program stood at another path."""

from __future__ import annotations

import os
from enum import Enum
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import astuple

_Known = TypeVar("_Known")
_PLAIN = (int, float, bytes, Enum, type(None))
HERE = "."
"""Stands for the root in what is the same at every path."""


class NotMovable(Exception):
    """A text contains the path of the root, and is no path itself."""


def at_root(known: _Known, root: str, to: str) -> _Known:
    """The same with all paths at and below a root changed into those below another. Raises NotMovable."""
    result: _Known = _Moving(root, to).of(known)
    return result


class _Moving:
    def __init__(self, root: str, to: str) -> None:
        if not root.strip(os.sep):
            raise NotMovable(root)
        self._root, self._to, self._below = root, to, root.rstrip(os.sep) + os.sep
        self._texts: dict[str, str] = {}

    def of(self, known: Any) -> Any:
        kind = type(known)
        if kind is str:
            if known not in self._texts:
                self._texts[known] = self._text(known)
            return self._texts[known]
        if kind in (tuple, list, set, frozenset):
            return kind(map(self.of, known))
        if kind is dict:
            return {self.of(key): self.of(value) for key, value in known.items()}
        if isinstance(known, Struct):
            return kind(*map(self.of, astuple(known)))
        if isinstance(known, _PLAIN):
            return known
        raise NotMovable(kind.__name__)

    def _text(self, text: str) -> str:
        if text == self._root:
            return self._to
        rest = text.removeprefix(self._below)
        if self._root in rest:
            raise NotMovable(text)
        return os.path.join(self._to, rest) if len(rest) < len(text) else text
