"""Plain words, and searching for them in text."""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING

from lintpickle.diagnostics import Span
from lintpickle.parsing.outline import Block
from lintpickle.profiling import Part, timed

if TYPE_CHECKING:
    from lintpickle.source.document import Code

_WORD = re.compile(r"\w+")
_ASCII_WORD = re.compile(r"\w+", re.ASCII)
_FEW = 20
"""To look for so many words in a text takes less than to bring its own words together (measured)."""
_SORTS = 1 << 14
_MOST_IN_TWO_BYTES = 1 << 16
_IN_WORDS = bytes(code if chr(code).isalnum() or code == ord("_") else ord(" ") for code in range(128)) + b" " * 128
"""For `bytes.translate`: what is no part of an ASCII word becomes a space."""


class Lexicon:
    """The ASCII words of a text, each once: a fifth of the text, or less. Most searches end here.

    What was looked for (`look_for`) is known from then on, and so is every part of it.
    """

    def __init__(self, document: Code) -> None:
        self._document = document
        self.sought = frozenset[str]()
        self.standing = frozenset[str]()
        """Those of the words `sought` that stand in the text."""

    def look_for(self, words: Words) -> frozenset[str]:
        """The words that occur in the text."""
        if self.sought is not words.all:
            self.know(words, frozenset(words.standing_in(self)))
        return self.standing

    def know(self, words: Words, standing: frozenset[str]) -> None:
        """Take over earlier results of `look_for` for the same text."""
        self.sought, self.standing = words.all, standing

    @property
    def code(self) -> str:
        """The text."""
        return self._document.code

    def joined_for(self, count: int) -> str:
        """What is searched for so many strings of ASCII letters, digits and underscores: `joined`, or all of the text
        where that is not known and takes longer to find out."""
        return self.joined if count > _FEW or "joined" in vars(self) else self.code

    @cached_property
    def joined(self) -> str:
        """The words in one line; of one with other letters, what lies between these. A string of ASCII letters, digits
        and underscores stands here if it stands in the text."""
        return b" ".join(set(self.code.encode("ascii", "replace").translate(_IN_WORDS).split())).decode()


class Words:
    """Plain substrings, one of which must stand in a text for it to be of interest.

    A text is asked for each word in turn: that is several times faster than one pattern of alternatives, which is only
    used on the texts in which a word stands (measured).
    """

    def __init__(self, words: Collection[str]) -> None:
        self.all = frozenset(words)
        self.words = tuple(sorted(self.all))
        self._simple = tuple(word for word in self.words if _ASCII_WORD.fullmatch(word))
        self._others = tuple((word, _ASCII_WORD.findall(word)) for word in self.words if word not in self._simple)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """A pattern that matches any of the words; it matches nothing if there are none."""
        return re.compile("|".join(map(re.escape, self.words)) or r"(?!)")

    def are_in(self, lexicon: Lexicon) -> bool:
        """Whether any of the words occurs in the text of the lexicon."""
        return any(True for _ in self.standing_in(lexicon))

    def standing_in(self, lexicon: Lexicon) -> Iterator[str]:
        """The words that occur in the text of the lexicon."""
        if self.all <= lexicon.sought:
            yield from (word for word in self.words if word in lexicon.standing)
            return
        joined = lexicon.joined_for(len(self.words))
        for word in self._simple:
            if word in joined:
                yield word
        for word, parts in self._others:
            if all(part in joined for part in parts) and word in lexicon.code:
                yield word

    def stand_alone_in(self, text: str) -> bool:
        """Whether any of the words occurs in the text as a whole word."""
        return any(word in text and _stands_alone(word, text) for word in self.words)

    def stand_at(self, text: str, span: Span) -> bool:
        """Whether any of the words occurs in a part of the text."""
        return _any_stands_at(self.words, text, span)

    def plots_in(self, lexicon: Lexicon, blocks: Sequence[Block]) -> Iterator[Block]:
        """The blocks of a file's text in which any of the words occurs, without bare ones."""
        return timed(self._blocks_in(lexicon, blocks), Part.SCREEN)

    def _blocks_in(self, lexicon: Lexicon, blocks: Sequence[Block]) -> Iterator[Block]:
        present = tuple(self.standing_in(lexicon))
        for block in blocks if present else ():
            if not block.bare and _any_stands_at(present, lexicon.code, block.span):
                yield block


def alone(word: str) -> str:
    """A pattern for a word that is no part of another. It begins with the word itself: `re` finds that many times
    faster than what begins with `\\b`."""
    return rf"{word}\b(?<!\w{word})"


@lru_cache(maxsize=2048)
def standing_alone(word: str) -> re.Pattern[str]:
    """A pattern for a word as a whole, in the sense of `Words.stand_alone_in`."""
    escaped = re.escape(word)
    before = rf"(?<!\w{escaped})" if _is_part(word[0]) else ""
    after = r"(?!\w)" if _is_part(word[-1]) else ""
    return re.compile(f"{escaped}{after}{before}")


def _any_stands_at(words: Iterable[str], text: str, span: Span) -> bool:
    return any(text.find(word, span.start, span.end) >= 0 for word in words)


def _stands_alone(word: str, text: str) -> bool:
    """Whether some place of the word in the text has no letter, digit or underscore at its ends that goes on with
    one of the word's own."""
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        goes_on_before = start > 0 and _is_part(word[0]) and _is_part(text[start - 1])
        goes_on_after = end < len(text) and _is_part(word[-1]) and _is_part(text[end])
        if not goes_on_before and not goes_on_after:
            return True
        start = text.find(word, start + 1)
    return False


def _is_part(character: str) -> bool:
    return character.isalnum() or character == "_"


class WordIndex:
    """In which texts a word can stand, of texts that are called by numbers. Words are not remembered, only one of many
    sorts that each belongs to: so the index is small, and some texts are named in which the word does not stand."""

    def __init__(self) -> None:
        self._texts: defaultdict[int, array[int]] = defaultdict(partial(array, "H"))
        """By sorts of words: most programs are small, and have no index."""
        self._all = 0

    def add(self, lexicon: Lexicon) -> int:
        """Add the words of a text. Returns its number, counted from 0."""
        number = self._all
        if number == _MOST_IN_TWO_BYTES:
            self._texts = defaultdict(
                partial(array, "L"), {sort: array("L", texts) for sort, texts in self._texts.items()}
            )
        texts = self._texts
        for word in lexicon.joined.split():
            texts[hash(word) % _SORTS].append(number)
        self._all += 1
        return number

    def candidates(self, words: Words) -> set[int]:
        """The texts in which one of the words can occur as a whole word (see `Words.stand_alone_in`)."""
        return set().union(*map(self._with_all_parts, words.words))

    def _with_all_parts(self, word: str) -> set[int]:
        parts = [part for part in _WORD.findall(word) if part.isascii()]
        texts = [self._texts.get(hash(part) % _SORTS, ()) for part in parts]
        return set.intersection(*map(set, texts)) if texts else set(range(self._all))
