"""Which of several files a word can stand in."""

from __future__ import annotations

from collections.abc import Mapping

from lintpickle.prefilter.words import Lexicon, WordIndex, Words


class FileIndex:
    """Which of several files a word can stand in, by their lexicons. Files without a lexicon are always named."""

    def __init__(self, lexicons: Mapping[str, Lexicon | None]) -> None:
        self._words = WordIndex()
        self._paths: list[str] = []
        """By their numbers in the index of words."""
        self._unknown = frozenset(path for path, lexicon in lexicons.items() if lexicon is None)
        for path, lexicon in lexicons.items():
            if lexicon is not None:
                self.add(path, lexicon)

    def add(self, path: str, lexicon: Lexicon) -> None:
        """Add the words of a file."""
        self._words.add(lexicon)
        self._paths.append(path)

    def candidates(self, words: Words) -> frozenset[str]:
        """The files in which one of the words can occur on its own."""
        return self._unknown.union(self._paths[number] for number in self._words.candidates(words))
