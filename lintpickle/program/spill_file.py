"""A spill file for the modules of a large program: they are in a file, not in memory, until they are looked into.

What a run asks of all modules, they tell while they stand there: how large they are, which words are in them, what
their names may stand for.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct, structs

from lintpickle.facts.of_file import FileFacts
from lintpickle.facts.origins import Derivations
from lintpickle.interning import Same
from lintpickle.parsing.imports import ImportedName
from lintpickle.prefilter.words import WordIndex, Words
from lintpickle.source.document import Document

SpillRange: TypeAlias = tuple[int, int]
"""Where bytes are on the spill file: offset and length."""
_RECENT = 32
"""So many documents stay in memory that were looked at last."""


class Spilled(Struct, frozen=True):
    """A module that was put away.

    `text` and `facts` are where its bytes are. `size` is the length of its text in characters, `digest` and
    `of_statements` what `digest_of` and `digest_of_statements` give. `is_new` says that the cache does not know its
    map. `standing` is as `FileSurvey` says. The rest is as in its map, or as `FileFacts` says.
    """

    digest: bytes
    of_statements: bytes
    size: int
    bom: bytes
    text: SpillRange
    facts: SpillRange
    is_new: bool
    stars: tuple[ImportedName, ...]
    derivations: Derivations
    stored: tuple[str, ...]
    standing: frozenset[str]


class SpillFile:
    """Takes modules, if it is open, and has them until the process ends, and those that it has forked: they look at
    them, but put nothing there. `makers` are the words that `FileFacts.stored_from` will be asked for."""

    def __init__(self, makers: Words, is_open: bool) -> None:
        self.modules: dict[str, Spilled] = {}
        """By their paths."""
        self._words = WordIndex()
        self._paths: list[str] = []
        """By their numbers in the index of words."""
        self._makers = makers
        self._is_open = is_open
        self._end = 0
        self._recent: dict[str, Document] = {}
        self._same = Same()

    def takes(self, document: Document) -> bool:
        """Whether a document can be put away: plain files in UTF-8 can, and nearly all are."""
        return self._is_open and document.odd is None and document.cells is None

    def put(self, document: Document, facts: FileFacts, digests: tuple[bytes, bytes], standing: frozenset[str]) -> bool:
        """Put a module away of which no parsed block has been read. Returns whether there was parsed block for it."""
        is_new = facts.is_changed
        try:
            text, known = self._write(document.text.encode()), self._write(facts.to_keep())
        except OSError:
            self._is_open = False
            return False
        self._words.add(facts.lexicon)
        self._paths.append(document.path)
        self.modules[document.path] = Spilled(
            digest=digests[0],
            of_statements=digests[1],
            size=len(document.text),
            bom=document.bom,
            text=text,
            facts=known,
            is_new=is_new,
            stars=facts.outline.stars,
            derivations=tuple((self._same.of(names), self._same.of(origins)) for names, origins in facts.derivations),
            stored=facts.stored_from(self._makers),
            standing=self._same.of(standing),
        )
        return True

    def document(self, path: str) -> Document:
        """The document of a module, read back if it was not asked for lately."""
        known = self._recent.pop(path, None)
        if known is None:
            shelved = self.modules[path]
            text = self.read(shelved.text).decode()
            known = Document(path, text, text, "utf-8", shelved.bom, None)
            if len(self._recent) == _RECENT:
                del self._recent[next(iter(self._recent))]
        self._recent[path] = known
        return known

    def holding(self, words: Words) -> frozenset[str]:
        """The modules in which one of the words can stand alone."""
        return frozenset(self._paths[number] for number in self._words.candidates(words))

    def facts(self, path: str) -> bytes:
        """What `FileFacts.to_keep` gave when the module was put away."""
        return self.read(self.modules[path].facts)

    def new_facts(self) -> dict[bytes, SpillRange]:
        """Where the same is of the modules that the cache does not know, by the digests of their texts."""
        return {shelved.digest: shelved.facts for shelved in self.modules.values() if shelved.is_new}

    def renew(self, path: str, facts: bytes) -> bool:
        """Let later facts of a module take the place of those that it has, if more is in them: of two processes that
        read it at the same time, neither has seen what the other found. Returns whether there was parsed block for
        them."""
        known = self.modules[path]
        try:
            if len(facts) > known.facts[1]:
                self.modules[path] = structs.replace(known, facts=self._write(facts), is_new=True)
        except OSError:
            return False
        return True

    def read(self, place: SpillRange | bytes) -> bytes:
        """The bytes at a place; what is no place but bytes, as it is."""
        if isinstance(place, bytes):
            return place
        offset, length = place
        return os.pread(self._file, length, offset)

    @cached_property
    def _file(self) -> int:
        """A file without a name, which the system removes when no process has it open any more."""
        from tempfile import TemporaryFile

        with TemporaryFile(prefix="lintpickle-") as file:
            return os.dup(file.fileno())

    def _write(self, data: bytes) -> SpillRange:
        place = self._end, len(data)
        while data:
            written = os.pwrite(self._file, data, self._end)
            self._end += written
            data = data[written:]
        return place


class LateDocument:
    """A document on a spill file, of which nothing is read before something asks for its text."""

    def __init__(self, spill_file: SpillFile, path: str) -> None:
        self.path = path
        self._spill_file = spill_file

    @property
    def document(self) -> Document:
        """The document itself."""
        return self._spill_file.document(self.path)

    @property
    def code(self) -> str:
        """The text that parsers get."""
        return self.document.code
