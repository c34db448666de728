"""The screen: which files, and which parts of them, can matter, derived from the rules and the catalog."""

from __future__ import annotations

import re
from collections.abc import Collection

from lintpickle.prefilter.words import Lexicon, Words, alone

IMPORT = re.compile(alone("import"))
INNER_CLASS = re.compile(r"\n[ \t]+class\s")
"""Finds a class statement that stands in another statement, with the line break in front of it."""


class Screen:
    """Word scans over the text of files and of their blocks.

    `marks` are those that the rules ask for in classes; `words` stand wherever a rule that is not about payload
    finds something; `boundary_words` wherever an object can be pickled.
    """

    def __init__(self, marks: Collection[str], words: Collection[str], boundary_words: Collection[str]) -> None:
        self.marks = frozenset(marks)
        self.boundary = Words(boundary_words)
        self.words = Words({*words, *boundary_words})
        """In a file without any of these, only classes can matter."""

    def matters(self, lexicon: Lexicon) -> bool:
        """Whether a file can contain a finding: it has a boundary, a word of a rule, or classes."""
        return "class " in lexicon.code or bool(lexicon.look_for(self.words))
