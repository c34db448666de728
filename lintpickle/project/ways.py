"""Ways through a function: which of its places a run of it gets to. Few functions are asked about, so they are parsed
when they are."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.project.frames import Frame
from lintpickle.project.module import Module
from lintpickle.source import branches
from lintpickle.source.lines import LineIndex
from lintpickle.source.syntax import BrokenSyntax, parse

_OTHER_WAY = re.compile(r"\b(?:else|elif|case|return|raise)\b")
"""What stands between two places to which no single run gets."""
_CONDITION = re.compile(r"\bif\b")
_LOOP = re.compile(r"\b(?:for|while)\b")


class Ways(Struct, frozen=True):
    """`function` is the span of one in a module; places are offsets in the file. Of those outside of the function,
    nothing is said."""

    module: Module
    function: Span

    @classmethod
    def through(cls, frame: Frame) -> Ways:
        """Those through the function of a frame."""
        return cls(frame.module, frame.function.span)

    def exclude_each_other(self, first: int, second: int) -> bool:
        """Whether no single run gets to both of two places: see `exclude_each_other` and `answer_differently` in
        `lintpickle.source.branches`."""
        if not self._holds(first, second):
            return False
        code, last = self.module.code, max(first, second)
        if _OTHER_WAY.search(code, min(first, second), last) is not None:
            tree, row = self._read()
            if branches.exclude_each_other(tree, row(first), row(second)):
                return True
        if len(_CONDITION.findall(code, self.function.start, last)) < 2:
            return False
        tree, row = self._read()
        return branches.answer_differently(tree, self._place(first, row), self._place(second, row))

    def has_condition_before(self, place: int) -> bool:
        """Whether the function asks anything before one of its places."""
        return self._holds(place) and _CONDITION.search(self.module.code, self.function.start, place) is not None

    def _place(self, place: int, row: Callable[[int], int]) -> branches.Place:
        """The row of a place in the tree that is read, and its column."""
        code = self.module.code
        start = max(code.rfind(end, 0, place) for end in "\r\n") + 1
        return row(place), len(code[start:place].encode(errors="replace"))

    def share_a_loop(self, first: int, second: int) -> bool:
        """Whether one loop is around both of two places."""
        if not self._holds(first, second):
            return False
        if _LOOP.search(self.module.code, self.function.start, min(first, second)) is None:
            return False
        tree, row = self._read()
        return branches.share_a_loop(tree, row(first), row(second))

    def conditions_around(self, place: int) -> tuple[tuple[ast.expr, bool], ...]:
        """See `lintpickle.source.branches`."""
        if not self._holds(place):
            return ()
        tree, row = self._read()
        return branches.conditions_around(tree, row(place))

    @property
    def tree(self) -> ast.Module:
        """The `ast` of the function; an empty one if it cannot be read by itself."""
        return self._read()[0]

    def _holds(self, *places: int) -> bool:
        return all(self.function.start <= place < self.function.end for place in places)

    def _read(self) -> tuple[ast.Module, Callable[[int], int]]:
        """The `ast` of the function, an empty one if it cannot be read by itself, and what gives the rows of places."""
        code = self.module.code
        start = max(code.rfind(end, 0, self.function.start) for end in "\r\n") + 1
        text = code[start : self.function.end]
        block = "if True:\n" if text[:1].isspace() else ""
        lines = LineIndex(text)
        return _tree(block + text), lambda place: lines.row(place - start) + bool(block)


@lru_cache(maxsize=8)
def _tree(text: str) -> ast.Module:
    """Read once for all the questions that are asked of a function in turn."""
    try:
        return parse(text)
    except BrokenSyntax:
        return ast.Module([], [])
