"""What is asked of all files of a program: their texts, their sizes, what their maps say. To answer, files that are on
the spill file are looked at there; they are not loaded."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from lintpickle.facts.of_file import outline_of
from lintpickle.facts.origins import Derivations
from lintpickle.parsing.imports import ImportedName
from lintpickle.prefilter.words import Lexicon, Words
from lintpickle.program.module import Module
from lintpickle.program.spill_file import Spilled, SpillFile
from lintpickle.source.document import Document

if TYPE_CHECKING:
    from lintpickle.program.program import Program


class FileSurvey:
    """Files are named by their paths; one that was not read yet is read. Of one that cannot be read as a module, there
    is nothing to tell. `words` are those for which all files are searched."""

    def __init__(self, program: Program, spill_file: SpillFile, words: Words) -> None:
        self._program = program
        self._spill_file = spill_file
        self._words = words
        self._bound: dict[str, frozenset[str]] = {}
        """The names that files on the spill file bind."""
        self._searched = 0
        """In how many of the files that the program has read the words have been looked for."""
        self._mentioned = frozenset[str]()

    def _on_shelf(self, path: str) -> Spilled | None:
        return self._spill_file.modules.get(path) if self._program.known(path) is None else None

    def _module(self, path: str) -> Module | None:
        found = self._program.load(path)
        return found if isinstance(found, Module) else None

    @property
    def is_large(self) -> bool:
        """Whether modules were put on the spill file."""
        return bool(self._spill_file.modules)

    def document(self, path: str) -> Document | None:
        """The document of a file."""
        if self._on_shelf(path) is not None:
            return self._spill_file.document(path)
        module = self._module(path)
        return module.document if module is not None else None

    def code(self, path: str) -> str:
        """The text that parsers get."""
        document = self.document(path)
        return document.code if document is not None else ""

    def statements(self, path: str) -> str:
        """The same without comment lines; of the same length."""
        document = self.document(path)
        return document.statements if document is not None else ""

    def lexicon(self, path: str) -> Lexicon | None:
        """The words of a file's text."""
        if self._on_shelf(path) is not None:
            return Lexicon(self._spill_file.document(path))
        module = self._module(path)
        return module.lexicon if module is not None else None

    def sizes(self, paths: Iterable[str]) -> dict[str, int]:
        """How many characters there are in each of the files."""
        found: dict[str, int] = {}
        for path in paths:
            shelved = self._on_shelf(path)
            module = self._module(path) if shelved is None else None
            if shelved is not None:
                found[path] = shelved.size
            elif module is not None:
                found[path] = len(module.document.code)
        return found

    def bound(self, path: str) -> frozenset[str]:
        """The names that a file binds at module level, by imports too; not by star imports."""
        if self._on_shelf(path) is None:
            module = self._module(path)
            return module.outline.bound if module is not None else frozenset()
        if path not in self._bound:
            self._bound[path] = outline_of(self._spill_file.facts(path)).bound
        return self._bound[path]

    def derivations(self, path: str) -> Derivations:
        """See `FileFacts.derivations`."""
        shelved = self._on_shelf(path)
        if shelved is not None:
            return shelved.derivations
        module = self._module(path)
        return module.facts.derivations if module is not None else ()

    def stored_from(self, path: str, makers: Words) -> tuple[str, ...]:
        """See `FileFacts.stored_from`."""
        shelved = self._on_shelf(path)
        if shelved is not None:
            return shelved.stored
        module = self._module(path)
        return module.facts.stored_from(makers) if module is not None else ()

    def all_stars(self, path: str) -> tuple[ImportedName, ...]:
        """The star imports of a file."""
        shelved = self._on_shelf(path)
        module = self._module(path) if shelved is None else None
        return tuple(shelved.stars if shelved is not None else module.outline.stars if module is not None else ())

    def stars(self, path: str) -> Iterator[tuple[ImportedName, str]]:
        """The star imports of a file, with the files that they lead to; without those that lead nowhere."""
        finder = self._program.finder
        for star in self.all_stars(path):
            name = finder.absolute(star, finder.module_of(path))
            file = self._program.file_from(name, path) if name else None
            if file is not None and file.path:
                yield star, file.path

    def candidates(self, words: Words, paths: Iterable[str]) -> Iterator[str]:
        """Those of the files in which one of the words can stand alone."""
        on_shelf = self._spill_file.holding(words)
        for path in paths:
            lexicon = self.lexicon(path) if path not in self._spill_file.modules else None
            if path in on_shelf or (lexicon is not None and words.are_in(lexicon)):
                yield path

    def mentioned(self, words: Collection[str]) -> frozenset[str]:
        """Those of the words, which are among those of the survey, that stand in any file that the program has read, in
        an earlier version of one perhaps."""
        new = self._program.reads[self._searched :]
        self._mentioned = self._mentioned.union(*map(self.standing, new))
        self._searched += len(new)
        return self._mentioned.intersection(words)

    def standing(self, path: str) -> frozenset[str]:
        """The words of the survey that stand in a file."""
        shelved = self._on_shelf(path)
        if shelved is not None:
            return shelved.standing
        module = self._module(path)
        return module.lexicon.look_for(self._words) if module is not None else frozenset()

    def assume_mentioned(self, words: Collection[str]) -> None:
        """Take it for granted that the words stand in some file, though it has not been read."""
        self._mentioned = self._mentioned.union(words)
