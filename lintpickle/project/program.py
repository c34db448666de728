"""Modules as the analysis reads them: outlines at once, rooms when something asks for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

from msgspec import Struct

from lintpickle.cache.facts import FactsCache, digest_of
from lintpickle.facts.of_file import FileFacts
from lintpickle.facts.records import RoomFacts
from lintpickle.project.modules import ModuleFile, ModuleFinder
from lintpickle.source.document import Document, UnreadableSource, read_document
from lintpickle.source.imports import ImportedName
from lintpickle.source.marks import Vocabulary
from lintpickle.source.outline import Outline, Plot
from lintpickle.source.syntax import BrokenSyntax


class Module:
    """One module of the program. Rooms are parsed once, on first demand."""

    def __init__(self, file: ModuleFile, document: Document, facts: FileFacts) -> None:
        self.file = file
        self.document = document
        self.facts = facts
        self.outline: Outline = facts.outline

    def __repr__(self) -> str:
        return f"Module({self.file.name})"

    @property
    def name(self) -> str:
        return self.file.name

    @property
    def code(self) -> str:
        """The text that parsers get (magics of notebooks masked, same length as the document's text)."""
        return self.document.code

    @cached_property
    def digest(self) -> bytes:
        """The digest of the text."""
        return digest_of(self.document)

    @property
    def first_party(self) -> bool:
        return self.file.first_party

    def room(self, plot: Plot) -> RoomFacts | None:
        """The facts of a plot, or None if libcst must not or cannot read it, or nothing is to be learnt there."""
        return self.facts.room(plot)

    def rooms_binding(self, name: str) -> Iterator[RoomFacts]:
        """The rooms that bind a module-level name, in file order."""
        for plot in self.outline.binding(name):
            room = self.room(plot)
            if room is not None:
                yield room

    def rooms(self, plots: Iterable[Plot] | None = None) -> Iterator[RoomFacts]:
        """The rooms of the given plots (all of them by default), in file order."""
        for plot in self.outline.plots if plots is None else plots:
            room = self.room(plot)
            if room is not None:
                yield room

    def absolute(self, imported: ImportedName, finder: ModuleFinder) -> str | None:
        """The absolute dotted name of an import's module. None if it points above the top package."""
        if imported.level == 0:
            return imported.module
        return finder.resolve_relative(self.file, imported.level, imported.module or None)


class Unread(Struct, frozen=True):
    """A file that could not be read as a module, and why. `row` and `column` are 1-based; in a notebook, the row
    counts through all cells of `document`, which is None if the file cannot even be decoded."""

    path: str
    row: int
    column: int
    reason: str
    document: Document | None = None

    @classmethod
    def for_broken(cls, path: str, error: BrokenSyntax, document: Document) -> Unread:
        """A file with broken syntax."""
        return cls(path, error.row, error.column, error.reason, document)


class Program:
    """All modules of a run, loaded by path or by name, each once."""

    def __init__(self, finder: ModuleFinder, opaque: frozenset[str], vocabulary: Vocabulary, cache: FactsCache) -> None:
        self.finder = finder
        self._cache = cache
        self._vocabulary = vocabulary
        self._opaque = opaque
        self._by_path: dict[str, Module | Unread] = {}
        self._files: dict[tuple[str, str | None], ModuleFile | None] = {}
        self._from_others: dict[bytes, bytes] = {}
        self.given: set[str] = set()
        """Files for which a document was given: what is on disk may be something else."""
        self.changed: set[str] = set()
        """Files of which there is another version now than when they were first read, until somebody clears it."""
        self._reads: list[str] = []
        self._searched: dict[str, int] = {}
        """How many of `_reads` have been searched for a word; -1 once it was found."""

    def load(self, path: str, document: Document | None = None) -> Module | Unread:
        """The module in a file; a given document takes the place of what is on disk (editors, stdin), and all of it is
        checked for broken syntax."""
        known = self._by_path.get(path)
        if known is None or document is not None:
            before, known = known, self._read(path, document)
            if document is None:
                self.given.discard(path)
            else:
                self.given.add(path)
            self._by_path[path] = known
            self._reads.append(path)
            if before is not None and not _is_same(before, known):
                self.changed.add(path)
        return known

    def _read(self, path: str, document: Document | None) -> Module | Unread:
        is_given = document is not None
        try:
            document = document or read_document(path)
        except UnreadableSource as error:
            return Unread(path, error.row, error.column, error.reason)
        try:
            facts = FileFacts(document, self._vocabulary, self._cache.known(document))
            if is_given:
                facts.check()
            if facts.broken is not None:
                raise facts.broken
            return Module(self.finder.module_of(path), document, facts)
        except BrokenSyntax as error:
            return Unread.for_broken(path, error, document)

    def replace(self, path: str, module: Module | Unread | None) -> None:
        """Set what is known of a file; None forgets it, so that it is read again when it is wanted."""
        self.changed.add(path)
        if module is None:
            self._by_path.pop(path, None)
        else:
            self._by_path[path] = module
            self._reads.append(path)

    def keep_facts(self, others: Collection[bytes] = ()) -> None:
        """Write down what has been read, and keep what is known of other texts, if there is a cache to do so."""
        self._cache.keep(self.loaded(), self._from_others, others)

    def known(self, path: str) -> Module | Unread | None:
        """What has been read of a file; None if it has not been read."""
        return self._by_path.get(path)

    def to_keep(self) -> dict[bytes, bytes]:
        """What has been read, by the digests of the texts, if there is a cache for it."""
        changed = (module for module in self.loaded() if module.facts.is_changed) if self._cache.is_kept else ()
        return {module.digest: module.facts.to_keep() for module in changed}

    def broken(self) -> Iterator[tuple[str, BrokenSyntax]]:
        """The modules that turned out to be broken, by their paths."""
        for path, module in self._by_path.items():
            if isinstance(module, Module) and module.facts.broken is not None:
                yield path, module.facts.broken

    def take_over(self, kept: Mapping[bytes, bytes], broken: Mapping[str, BrokenSyntax]) -> None:
        """Take over what another process has read: what is `to_keep` there, and what is `broken`."""
        self._from_others.update(kept)
        for path, error in broken.items():
            module = self.load(path)
            if isinstance(module, Module) and module.facts.broken is None:
                module.facts.broken = error

    def read(self) -> Iterator[tuple[str, Module | Unread]]:
        """Every file read so far, with its path."""
        return iter(self._by_path.items())

    def loaded(self) -> list[Module]:
        """Every module read so far."""
        return [module for module in self._by_path.values() if isinstance(module, Module)]

    def mentioned(self, words: Collection[str]) -> frozenset[str]:
        """Those of the words that stand in the text of any module read so far, in an earlier version of one perhaps."""
        missing = {word for word in words if self._searched.get(word, 0) >= 0}
        oldest = min((self._searched.get(word, 0) for word in missing), default=0)
        for path in self._reads[oldest:] if missing else ():
            module = self._by_path.get(path)
            if isinstance(module, Module):
                code = module.document.code
                found = [word for word in missing if word in code]
                missing.difference_update(found)
                self._searched.update(dict.fromkeys(found, -1))
        self._searched.update(dict.fromkeys(missing, len(self._reads)))
        return frozenset(words).difference(missing)

    def assume_mentioned(self, words: Collection[str]) -> None:
        """Take it for granted that the words stand in some module, though it has not been read."""
        self._searched.update(dict.fromkeys(words, -1))

    def asked(self) -> dict[str, set[str]]:
        """The files that modules have been looked into for what they import, by the importing file."""
        found: dict[str, set[str]] = {}
        for (_, importer), file in self._files.items():
            if importer is not None and file is not None and file.path and file.path != importer:
                found.setdefault(importer, set()).add(file.path)
        return found

    def find(self, name: str, importer: Module | None = None) -> Module | None:
        """The module of that dotted name as `importer` would import it; None if unknown, unreadable or opaque."""
        file = self.file_of(name, importer)
        if file is None or not file.path:
            return None
        module = self.load(file.path)
        return module if isinstance(module, Module) else None

    def file_of(self, name: str, importer: Module | None = None) -> ModuleFile | None:
        """Where the module of that name is, if it may be read (libraries that the catalog describes may not)."""
        key = (name, importer.document.path if importer is not None else None)
        if key not in self._files:
            found = self.finder.find(name, key[1])
            if found is not None and not found.first_party and name.partition(".")[0] in self._opaque:
                found = None
            self._files[key] = found
        return self._files[key]


def _is_same(before: Module | Unread, now: Module | Unread) -> bool:
    """Whether two versions of a file have the same text, and can be read or not for the same reason."""
    if isinstance(before, Module) and isinstance(now, Module):
        return before.document.text == now.document.text and before.document.cells == now.document.cells
    return before == now
