"""The screen: which files, and which parts of them, can matter. Derived from what rules and catalog declare."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from lintpickle.source.outline import Plot


class Screen:
    """Word scans over the text of files and of their plots.

    `marks` are those that the rules ask for in classes; `words` stand wherever a rule that is not about payload
    finds something; `boundary_words` wherever an object can be pickled. Words are plain substrings.
    """

    def __init__(self, marks: Collection[str], words: Collection[str], boundary_words: Collection[str]) -> None:
        self.marks = frozenset(marks)
        self._file = _any_of({"class ", *words, *boundary_words})
        self._boundary = _any_of(boundary_words)

    def file_matters(self, code: str) -> bool:
        """Whether the file must be mapped at all: it crosses, holds a rule's word, or has classes."""
        return self._file.search(code) is not None

    def with_boundary_word(self, code: str, plots: Collection[Plot]) -> Iterator[Plot]:
        """The plots of a file in which a boundary's name stands."""
        if self._boundary.search(code) is None:
            return
        for plot in plots:
            if not plot.bare and self._boundary.search(code, plot.span.start, plot.span.end):
                yield plot


def _any_of(words: Collection[str]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(word) for word in sorted(words)) or r"(?!)")
