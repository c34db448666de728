"""The screen: which files, and which parts of them, can matter. Derived from what rules and catalog declare."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from lintpickle.diagnostics import Span
from lintpickle.profiling import Part, timed
from lintpickle.source.outline import Plot

INNER_CLASS = re.compile(r"^[ \t]+class\s", re.MULTILINE)
"""Finds a class statement that stands in another statement."""


class Words:
    """Plain substrings, one of which must stand in a text for it to be of interest.

    A text is asked for each word in turn: that is several times faster than one pattern of alternatives, which is only
    used on the texts in which a word stands (measured).
    """

    def __init__(self, words: Collection[str]) -> None:
        self.words = tuple(sorted(words))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Finds any of the words; nothing if there are none."""
        return re.compile("|".join(map(re.escape, self.words)) or r"(?!)")

    def are_in(self, text: str) -> bool:
        """Whether any of the words stands in the text."""
        return any(word in text for word in self.words)

    def stand_at(self, text: str, span: Span) -> bool:
        """Whether any of the words stands in a part of the text."""
        return self.pattern.search(text, span.start, span.end) is not None

    def plots_in(self, text: str, plots: Sequence[Plot]) -> Iterator[Plot]:
        """The plots of a file's text in which any of the words stands, bare ones left out."""
        return timed(self._plots_in(text, plots), Part.SCREEN)

    def _plots_in(self, text: str, plots: Sequence[Plot]) -> Iterator[Plot]:
        if self.are_in(text):
            for plot in plots:
                if not plot.bare and self.stand_at(text, plot.span):
                    yield plot


class Screen:
    """Word scans over the text of files and of their plots.

    `marks` are those that the rules ask for in classes; `words` stand wherever a rule that is not about payload
    finds something; `boundary_words` wherever an object can be pickled.
    """

    def __init__(self, marks: Collection[str], words: Collection[str], boundary_words: Collection[str]) -> None:
        self.marks = frozenset(marks)
        self.boundary = Words(boundary_words)
        self._file = Words({*words, *boundary_words})

    def matters(self, text: str) -> bool:
        """Whether anything can be found in a file: it crosses, holds a rule's word, or has classes."""
        return "class " in text or self._file.are_in(text)
