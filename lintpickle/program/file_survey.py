"""Questions about all files of a program: their texts, their sizes, what their outlines say. Files in the spill file
are not loaded for this."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property
from typing import Protocol

from lintpickle.facts.kept_facts import outline_of
from lintpickle.facts.origins import Derivations
from lintpickle.imports.module_finder import ModuleFile, ModuleFinder
from lintpickle.parsing.imports import ImportedName
from lintpickle.prefilter.words import Lexicon, Words
from lintpickle.program.file_index import FileIndex
from lintpickle.program.module import Module, Unread
from lintpickle.program.spill_file import Spilled, SpillFile
from lintpickle.source.document import Document


class FilesOfProgram(Protocol):
    """`program.Program`, as far as the survey asks it."""

    finder: ModuleFinder
    reads: list[str]

    def known(self, path: str) -> Module | Unread | None: ...

    def load(self, path: str) -> Module | Unread: ...

    def file_from(self, name: str, importer: str | None) -> ModuleFile | None: ...


class FileSurvey:
    """Answers questions about files, which are named by their paths, and read if they have not been. For a file that
    cannot be read as a module, the answers are empty. `find_words` gives the words for which all files are
    searched."""

    def __init__(self, program: FilesOfProgram, spill_file: SpillFile, find_words: Callable[[], Words]) -> None:
        self._program = program
        self._spill_file = spill_file
        self._find_words = find_words
        self._bound: dict[str, frozenset[str]] = {}
        """The names that files in the spill file bind."""
        self._searched = 0
        """How many of the files that the program has read were searched for the words."""
        self._mentioned = frozenset[str]()

    @cached_property
    def words(self) -> Words:
        """The words of the survey."""
        return self._find_words()

    def _in_spill_file(self, path: str) -> Spilled | None:
        return self._spill_file.modules.get(path) if self._program.known(path) is None else None

    def _module(self, path: str) -> Module | None:
        found = self._program.load(path)
        return found if isinstance(found, Module) else None

    @property
    def is_large(self) -> bool:
        """Whether the program is so large that modules are in the spill file."""
        return bool(self._spill_file.modules)

    def document(self, path: str) -> Document | None:
        """The document of a file."""
        if self._in_spill_file(path) is not None:
            return self._spill_file.document(path)
        module = self._module(path)
        return module.document if module is not None else None

    def code(self, path: str) -> str:
        """The text that parsers get."""
        document = self.document(path)
        return document.code if document is not None else ""

    def statements(self, path: str) -> str:
        """The text that parsers get, without comment lines; of the same length."""
        if path in self._spill_file.modules:
            return self._spill_file.statements(path)
        document = self.document(path)
        return document.statements if document is not None else ""

    def lexicon(self, path: str) -> Lexicon | None:
        """The words of a file's text."""
        if self._in_spill_file(path) is not None:
            return Lexicon(self._spill_file.document(path))
        module = self._module(path)
        return module.lexicon if module is not None else None

    def sizes(self, paths: Iterable[str]) -> dict[str, int]:
        """The number of characters of each file."""
        found: dict[str, int] = {}
        for path in paths:
            spilled = self._in_spill_file(path)
            module = self._module(path) if spilled is None else None
            if spilled is not None:
                found[path] = spilled.size
            elif module is not None:
                found[path] = len(module.document.code)
        return found

    def is_unread(self, path: str) -> bool:
        """Whether a file has not been read, and is not in the spill file."""
        return self._program.known(path) is None and path not in self._spill_file.modules

    def bound(self, path: str) -> frozenset[str]:
        """The names that a file binds at module level, including imports but not star imports."""
        if self._in_spill_file(path) is None:
            module = self._module(path)
            return module.outline.bound if module is not None else frozenset()
        if path not in self._bound:
            self._bound[path] = outline_of(self._spill_file.facts(path)).bound
        return self._bound[path]

    def derivations(self, path: str) -> Derivations:
        """See `FileFacts.derivations`."""
        spilled = self._in_spill_file(path)
        if spilled is not None:
            return spilled.derivations
        module = self._module(path)
        return module.facts.derivations if module is not None else ()

    def stored_from(self, path: str, makers: Words) -> tuple[str, ...]:
        """See `FileFacts.stored_from`."""
        spilled = self._in_spill_file(path)
        if spilled is not None:
            return spilled.stored
        module = self._module(path)
        return module.facts.stored_from(makers) if module is not None else ()

    def all_stars(self, path: str) -> tuple[ImportedName, ...]:
        """The star imports of a file."""
        spilled = self._in_spill_file(path)
        module = self._module(path) if spilled is None else None
        return tuple(spilled.stars if spilled is not None else module.outline.stars if module is not None else ())

    def stars(self, path: str) -> Iterator[tuple[ImportedName, str]]:
        """The star imports of a file that lead to files, with those files."""
        return self.leading(self.all_stars(path), path)

    def leading(self, stars: Iterable[ImportedName], path: str) -> Iterator[tuple[ImportedName, str]]:
        """Those of the star imports of a file that lead to files, with those files."""
        finder = self._program.finder
        for star in stars:
            name = finder.absolute(star, finder.module_of(path))
            file = self._program.file_from(name, path) if name else None
            if file is not None and file.path:
                yield star, file.path

    def candidates(self, words: Words, paths: Iterable[str]) -> Iterator[str]:
        """The files that may contain one of the words on its own."""
        spilled = self._spill_file.holding(words)
        for path in paths:
            lexicon = self.lexicon(path) if path not in self._spill_file.modules else None
            if path in spilled or (lexicon is not None and words.are_in(lexicon)):
                yield path

    def index(self, paths: Iterable[str]) -> FileIndex:
        """An index of the words of these files."""
        return FileIndex({path: None if path in self._spill_file.modules else self.lexicon(path) for path in paths})

    def mentioned(self, words: Collection[str]) -> frozenset[str]:
        """Which of the words (all must be words of the survey) occur in any file that the program has read. A word that
        only an earlier version of a file contained may be among them."""
        new = self._program.reads[self._searched :]
        self._mentioned = self._mentioned.union(*map(self.standing, new))
        self._searched += len(new)
        return self._mentioned.intersection(words)

    def standing(self, path: str) -> frozenset[str]:
        """The words of the survey that occur in a file."""
        spilled = self._in_spill_file(path)
        if spilled is not None:
            return spilled.standing
        module = self._module(path)
        return module.lexicon.look_for(self.words) if module is not None else frozenset()

    def assume_mentioned(self, words: Collection[str]) -> None:
        """Treat words as mentioned, though the file with them was not read."""
        self._mentioned = self._mentioned.union(words)
