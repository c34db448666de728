"""The modules of a run: loading, replacing and finding them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias, TypeGuard

from lintpickle.cache.facts import FactsCache
from lintpickle.facts.of_file import FileFacts
from lintpickle.imports.module_finder import ModuleFile, ModuleFinder
from lintpickle.parsing.syntax import BrokenSyntax
from lintpickle.prefilter.marks import Vocabulary
from lintpickle.prefilter.words import Words
from lintpickle.profiling import Part
from lintpickle.program.file_survey import FileSurvey
from lintpickle.program.module import Module, Unread
from lintpickle.program.spill_file import LateDocument, SpillFile, SpillRange
from lintpickle.source.comment_lines import Filler, gaps
from lintpickle.source.document import Document, UnreadableSource, read_document

Kept: TypeAlias = tuple[bytes, bytes]
"""What was read of a file: the digest of its text (empty if it is not needed), and its facts."""
Survey: TypeAlias = Callable[[Module, tuple[str, ...]], bool]
"""A question about a module and words, the answer to which depends on the text of the module alone."""
MUCH = 6_000_000
"""The number of characters of source from which on modules are written to a spill file, if there is one."""


class Program:
    """All modules of a run. Each is loaded once, by path or by name. `find_words` gives the words for which files
    are searched. Modules of a large program that are read ahead wait in the spill file, if it is open, until they are
    loaded."""

    def __init__(
        self,
        finder: ModuleFinder,
        opaque: frozenset[str],
        vocabulary: Vocabulary,
        cache: FactsCache,
        spill_file: SpillFile,
        find_words: Callable[[], Words],
    ) -> None:
        self.finder = finder
        self.file_survey = FileSurvey(self, spill_file, find_words)
        self._cache = cache
        self._vocabulary = vocabulary
        self._opaque = opaque
        self._spill_file = spill_file
        self._by_path: dict[str, Module | Unread] = {}
        self._files: dict[tuple[str, str | None], ModuleFile | None] = {}
        self._from_others: dict[bytes, bytes] = {}
        self.find_surveys: Callable[[], Mapping[str, Survey]] = dict
        """Finds the surveys by name, when one is first asked for."""
        self.given: set[str] = set()
        """Files for which a document was given: what is on disk may be something else."""
        self.changed: set[str] = set()
        """Files of which there is another version now than when they were first read, until somebody clears it."""
        self.same_statements: dict[str, tuple[Filler, ...] | None] = {}
        """Those of the changed files in which only comment lines and blank lines are others, each with the gaps that it
        had; None if these are not known."""
        self.reads: list[str] = []
        """The files that were read, in that order; one that changed stands there again."""

    @cached_property
    def surveys(self) -> Mapping[str, Survey]:
        """The surveys by name."""
        return self.find_surveys()

    @property
    def facts_home(self) -> str:
        """By what path the facts of the program are found in the cache."""
        return self._cache.home

    @facts_home.setter
    def facts_home(self, home: str) -> None:
        self._cache.home = home

    def load(self, path: str, document: Document | None = None) -> Module | Unread:
        """The module in a file. A given document replaces what is on disk (for editors and stdin), and is checked for
        syntax errors everywhere."""
        known = self._by_path.get(path)
        if known is None and path in self._spill_file.modules:
            known = self._by_path[path] = self._from_spill_file(path)
        if known is None or document is not None:
            before, known = known, self._read(path, document)
            self._spill_file.modules.pop(path, None)
            if document is None:
                self.given.discard(path)
            else:
                self.given.add(path)
            self._by_path[path] = known
            self.reads.append(path)
            if before is not None and not _is_same(before, known):
                if _has_same_statements(before, known):
                    self.note_change(path, True, gaps(before.document.code))
                else:
                    self.note_change(path)
        return known

    def note_change(
        self, path: str, has_same_statements: bool = False, before: tuple[Filler, ...] | None = None
    ) -> None:
        """Record that there is a new version of a file; `has_same_statements` if it differs only in comment lines and
        blank lines."""
        if has_same_statements and (path not in self.changed or path in self.same_statements):
            self.same_statements.setdefault(path, before)
        else:
            self.same_statements.pop(path, None)
        self.changed.add(path)

    def settle(self, changed: Collection[str]) -> None:
        """Drop changes that have been dealt with."""
        self.changed.difference_update(changed)
        for path in changed:
            self.same_statements.pop(path, None)

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

    def _from_spill_file(self, path: str) -> Module:
        source = LateDocument(self._spill_file, path)
        facts = FileFacts(source, self._vocabulary, self._spill_file.facts(path), Part.SPILLED)
        facts.lexicon.know(self.file_survey.words, self._spill_file.modules[path].standing)
        return Module(self.finder.module_of(path), source, facts)

    def read_ahead(self, paths: Sequence[str], progress: Callable[[int, int], None] | None = None) -> None:
        """Read files that will be needed. Call it only while no module is in use. `progress` receives the number of
        files read and the total."""
        size = 0
        waiting: list[Module] = []
        for count, path in enumerate(paths, 1):
            module = self.load(path) if path not in self._spill_file.modules else None
            if isinstance(module, Module) and self._spill_file.takes(module.document):
                size += len(module.document.code)
                waiting.append(module)
                if size > MUCH:
                    self._put_away(waiting)
                    waiting.clear()
            if progress is not None:
                progress(count, len(paths))

    def _put_away(self, modules: Iterable[Module]) -> None:
        for module in modules:
            digests = (module.digest, module.digest_of_statements) if self._cache.is_kept else (b"", b"")
            if self._spill_file.put(module.document, module.facts, digests, self.file_survey.standing(module.path)):
                del self._by_path[module.path]

    def check(self, path: str) -> None:
        """Check a whole file for syntax errors. If it has one, it is loaded, and the module has the error."""
        module = self._by_path.get(path) or (
            self._from_spill_file(path) if path in self._spill_file.modules else self.load(path)
        )
        if isinstance(module, Module):
            module.facts.check()
            if module.facts.broken is not None:
                self._by_path[path] = module

    def replace(self, path: str, module: Module | Unread | None) -> None:
        """Set what is known of a file; with None, the file is read again when it is next needed."""
        self.note_change(path)
        self._spill_file.modules.pop(path, None)
        if module is None:
            self._by_path.pop(path, None)
        else:
            self._by_path[path] = module
            self.reads.append(path)

    def give_up(self, path: str, reason: str) -> None:
        """Leave a file out from now on."""
        self._spill_file.modules.pop(path, None)
        self._by_path[path] = Unread(path, 1, 1, reason, given_up=True)
        self.given.discard(path)

    def keep_facts(self, others: Collection[bytes] = ()) -> None:
        """Write what has been read to the cache, if there is one, and keep the cached facts of other texts."""
        if self._cache.is_kept:
            new: dict[bytes, SpillRange | bytes] = {**self._spill_file.new_facts(), **self._from_others}
            new.update(self.to_keep().values())
            self._cache.keep(new, self._spill_file.read, {*others, *self.digests().values()} - {b""})

    def is_read(self, path: str) -> bool:
        """Whether a file has been read."""
        return path in self._by_path or path in self._spill_file.modules

    def known(self, path: str) -> Module | Unread | None:
        """What is loaded of a file; None if it was not read, or is in the spill file."""
        return self._by_path.get(path)

    def loaded(self) -> list[Module]:
        """All modules that are loaded."""
        return [module for module in self._by_path.values() if isinstance(module, Module)]

    def to_keep(self, share: Collection[str] = ()) -> dict[str, Kept]:
        """What has been read of loaded modules, by path: of all of them for the cache; without a cache, for processes
        with other shares, of the modules outside this process's share."""
        is_kept = self._cache.is_kept
        if not (is_kept or self._spill_file.modules):
            return {}
        changed = (module for module in self.loaded() if module.facts.is_changed)
        wanted = (module for module in changed if is_kept or module.path not in share)
        return {module.path: (module.digest if is_kept else b"", module.facts.to_keep()) for module in wanted}

    def digests(self) -> dict[str, bytes]:
        """The digest of the text of every file read so far; empty for a file that could not be read."""
        loaded = {path: each.digest if isinstance(each, Module) else b"" for path, each in self._by_path.items()}
        return {**{path: spilled.digest for path, spilled in self._spill_file.modules.items()}, **loaded}

    def digests_of_statements(self) -> dict[str, bytes]:
        """The same digests without comment lines and blank lines."""
        loaded = {
            path: each.digest_of_statements if isinstance(each, Module) else b"" for path, each in self._by_path.items()
        }
        return {**{path: spilled.of_statements for path, spilled in self._spill_file.modules.items()}, **loaded}

    def broken(self) -> Iterator[tuple[str, BrokenSyntax]]:
        """The modules in which syntax errors were found, by path."""
        for path, module in self._by_path.items():
            if isinstance(module, Module) and module.facts.broken is not None:
                yield path, module.facts.broken

    def take_over(self, kept: Mapping[str, Kept], broken: Mapping[str, BrokenSyntax]) -> None:
        """Add what another process has read: its `to_keep` and its `broken`. Processes that are started later find it
        in the spill file."""
        for path, (digest, facts) in kept.items():
            is_spilled = path in self._spill_file.modules and self._spill_file.renew(path, facts)
            if self._cache.is_kept and not is_spilled:
                self._from_others[digest] = facts
        for path, error in broken.items():
            module = self.load(path)
            if isinstance(module, Module) and module.facts.broken is None:
                module.facts.broken = error

    def asked(self) -> dict[str, set[str]]:
        """The files that were searched for the imports of each file."""
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

    def is_unread(self, name: str, importer: Module) -> bool:
        """Whether what `importer` would import by that dotted name stands in a file of the program that cannot be read:
        Python 2, say."""
        file = self.file_of(name, importer)
        if file is None or not file.first_party or not file.path:
            return False
        module = self.load(file.path)
        return not isinstance(module, Module) or module.facts.broken is not None

    def file_of(self, name: str, importer: Module | None = None) -> ModuleFile | None:
        """The file of the module with that name, if it may be read; libraries that the catalog describes may not."""
        return self.file_from(name, importer.path if importer is not None else None)

    def file_from(self, name: str, importer: str | None) -> ModuleFile | None:
        """The same for a file that imports the module, given by its path."""
        key = (name, importer)
        if key not in self._files:
            found = self.finder.find(name, importer)
            if found is not None and not found.first_party and name.partition(".")[0] in self._opaque:
                found = None
            self._files[key] = found
        return self._files[key]


def _has_same_statements(before: Module | Unread, now: Module | Unread) -> TypeGuard[Module]:
    """Whether both versions of a file can be read, and differ only in comment lines and blank lines."""
    if isinstance(before, Module) and isinstance(now, Module):
        return before.digest_of_statements == now.digest_of_statements
    return False


def _is_same(before: Module | Unread, now: Module | Unread) -> bool:
    """Whether two versions of a file have the same text, and can be read or not for the same reason."""
    if isinstance(before, Module) and isinstance(now, Module):
        return before.document.text == now.document.text and before.document.cells == now.document.cells
    return before == now
