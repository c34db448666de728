"""A spill file for the modules of a large program: they are in a file, not in memory, while they are not in use.

The spill file answers the questions that a run asks of all modules without loading them: their sizes, the words in
them, what their names may stand for.
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
from lintpickle.prefilter.words import Words
from lintpickle.program.file_index import FileIndex
from lintpickle.source.document import Document

SpillRange: TypeAlias = tuple[int, int]
"""A range of bytes in the spill file: offset and length."""
_RECENT = 6_000_000
"""How many characters the documents have together, used most recently, that stay in memory, and one more."""


class Spilled(Struct, frozen=True):
    """A module in the spill file. `text`, `statements` (None if they are all of the text) and `facts` are the ranges of
    its bytes. `size` is the length of its text in characters; `digest` and `of_statements` are the results of
    `digest_of` and `digest_of_statements`. `is_new` says that its outline is not in the cache. `standing` is described
    in `FileSurvey`, the other fields in `Outline` and `FileFacts`."""

    digest: bytes
    of_statements: bytes
    size: int
    bom: bytes
    text: SpillRange
    statements: SpillRange | None
    facts: SpillRange
    is_new: bool
    stars: tuple[ImportedName, ...]
    derivations: Derivations
    stored: tuple[str, ...]
    standing: frozenset[str]


class SpillFile:
    """Holds modules, if it is open, until the process and those forked from it end. Forked processes only read it.
    `makers` are the words for which `FileFacts.stored_from` will be called."""

    def __init__(self, makers: Words, is_open: bool) -> None:
        self.modules: dict[str, Spilled] = {}
        """By their paths."""
        self._index = FileIndex({})
        self._makers = makers
        self._is_open = is_open
        self._end = 0
        self._recent: dict[str, Document] = {}
        self._held = 0
        """How many characters these have."""
        self._same = Same()

    def takes(self, document: Document) -> bool:
        """Whether a document can be written to the file. Plain files in UTF-8 can, and nearly all files are."""
        return self._is_open and document.odd is None and document.cells is None

    def put(self, document: Document, facts: FileFacts, digests: tuple[bytes, bytes], standing: frozenset[str]) -> bool:
        """Write a module none of whose blocks was parsed. Returns whether the disk had room for it."""
        is_new = facts.is_changed
        try:
            text, known = self._write(document.text.encode()), self._write(facts.to_keep())
            is_all = document.statements == document.text
            statements = None if is_all else self._write(document.statements.encode())
        except OSError:
            self._is_open = False
            return False
        self._index.add(document.path, facts.lexicon)
        self.modules[document.path] = Spilled(
            digest=digests[0],
            of_statements=digests[1],
            size=len(document.text),
            bom=document.bom,
            text=text,
            statements=statements,
            facts=known,
            is_new=is_new,
            stars=facts.outline.stars,
            derivations=tuple((self._same.of(names), self._same.of(origins)) for names, origins in facts.derivations),
            stored=facts.stored_from(self._makers),
            standing=self._same.of(standing),
        )
        return True

    def document(self, path: str) -> Document:
        """The document of a module; it is read from the file unless it was used recently."""
        known = self._recent.pop(path, None)
        if known is None:
            spilled = self.modules[path]
            text = self.read(spilled.text).decode()
            known = Document(path, text, text, "utf-8", spilled.bom, None)
            self._held += spilled.size
            while self._recent and self._held > _RECENT:
                oldest = next(iter(self._recent))
                self._held -= self.modules[oldest].size
                del self._recent[oldest]
        self._recent[path] = known
        return known

    def statements(self, path: str) -> str:
        """The result of `Document.statements` for a module."""
        place = self.modules[path].statements
        return self.read(place).decode() if place is not None else self.document(path).code

    def holding(self, words: Words) -> frozenset[str]:
        """The modules that may contain one of the words on its own."""
        return self._index.candidates(words)

    def facts(self, path: str) -> bytes:
        """The result of `FileFacts.to_keep` at the time when the module was written."""
        return self.read(self.modules[path].facts)

    def new_facts(self) -> dict[bytes, SpillRange]:
        """The ranges of the facts that are not in the cache, by the digests of the texts."""
        return {spilled.digest: spilled.facts for spilled in self.modules.values() if spilled.is_new}

    def renew(self, path: str, facts: bytes) -> bool:
        """Replace the facts of a module by later ones if those contain more. (If two processes read a module at the
        same time, neither knows what the other has found.) Returns whether the disk had room for them."""
        known = self.modules[path]
        try:
            if len(facts) > known.facts[1]:
                self.modules[path] = structs.replace(known, facts=self._write(facts), is_new=True)
        except OSError:
            return False
        return True

    def read(self, place: SpillRange | bytes) -> bytes:
        """The bytes in a range; bytes are returned unchanged."""
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
    """A document in a spill file that is read only when its text is needed."""

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
