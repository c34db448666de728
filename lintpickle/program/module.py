"""One module as the analysis sees it: its outline at once, its parsed blocks on demand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from msgspec import Struct

from lintpickle.cache.facts import digest_of, digest_of_statements
from lintpickle.diagnostics import Span
from lintpickle.facts.of_file import FileFacts
from lintpickle.facts.records import BlockFacts
from lintpickle.facts.values import Expr
from lintpickle.imports.module_finder import ModuleFile, ModuleFinder
from lintpickle.parsing.imports import ImportedName
from lintpickle.parsing.outline import Block, Outline
from lintpickle.parsing.syntax import BrokenSyntax, expression_in
from lintpickle.prefilter.words import Lexicon
from lintpickle.program.remembering import Remembering
from lintpickle.program.spill_file import LateDocument
from lintpickle.source.broken import explained
from lintpickle.source.document import Document


class Module(Remembering):
    """One module of the program. Each block is parsed once, when it is first needed. It remembers what depends on its
    text alone."""

    def __init__(self, file: ModuleFile, source: Document | LateDocument, facts: FileFacts) -> None:
        super().__init__()
        self.file = file
        self.facts = facts
        self._source = source
        self.outline: Outline = facts.outline
        self._ends: dict[tuple[re.Pattern[str], int, int | None], int] = {}

    def __repr__(self) -> str:
        return f"Module({self.file.name})"

    @property
    def name(self) -> str:
        return self.file.name

    @property
    def path(self) -> str:
        """The absolute path of its file."""
        return self.file.path

    @property
    def document(self) -> Document:
        return self._source if isinstance(self._source, Document) else self._source.document

    @property
    def code(self) -> str:
        """The text that parsers get, without comment lines; of the same length as the document's text."""
        return self.document.statements

    @property
    def lexicon(self) -> Lexicon:
        """The words of the text."""
        return self.facts.lexicon

    @cached_property
    def digest(self) -> bytes:
        """The digest of the text."""
        return digest_of(self.document)

    @cached_property
    def digest_of_statements(self) -> bytes:
        """The digest of the text without comment lines and blank lines."""
        return digest_of_statements(self.document)

    @property
    def first_party(self) -> bool:
        return self.file.first_party

    def has(self, form: re.Pattern[str]) -> bool:
        """Whether text of the form occurs in the module."""
        return self.end_of_first(form, 0, None) >= 0

    def end_of_first(self, form: re.Pattern[str], start: int, end: int | None) -> int:
        """The end of the first text of a form between two offsets; -1 if there is none. The result is kept, because
        every boundary in a function asks for it."""
        key = (form, start, end)
        if key not in self._ends:
            found = form.search(self.code, start, len(self.code) if end is None else end)
            self._ends[key] = found.end() if found is not None else -1
        return self._ends[key]

    def expression(self, span: Span) -> ast.expr | None:
        """The expression that stands at a span, as `ast` reads it by itself (shared: do not change it); None if there
        is none. It is read once: whoever asks what a call passes asks for each parameter."""
        return self.remembered(("expression", span), lambda: expression_in(self.code[span.start : span.end]))

    def keyword_written(self, call: Span, name: str) -> ast.expr | None:
        """What the call at a span is given by that keyword, as it is written (see `expression`)."""
        written = self.expression(call)
        keywords = written.keywords if isinstance(written, ast.Call) else ()
        return next((each.value for each in keywords if each.arg == name), None)

    def facts_of(self, block: Block) -> BlockFacts | None:
        """The facts of a block. None if libcst cannot or must not parse it, or if it only binds names to constants."""
        return self.facts.facts_of(block)

    def value_bound(self, name: str) -> Expr | None:
        """What the one block that binds a module-level name gives it; None of all other names."""
        blocks = self.outline.binding(name)
        facts = self.facts_of(blocks[0]) if len(blocks) == 1 else None
        return facts.values.get(name) if facts is not None else None

    def blocks_binding(self, name: str) -> Iterator[BlockFacts]:
        """The parsed blocks that bind a module-level name, in file order."""
        return filter(None, map(self.facts.block_binding, self.outline.binding(name)))

    def blocks_filling(self, name: str) -> Iterator[BlockFacts]:
        """The parsed blocks that add something to the object that a module-level name holds, in file order."""
        return self.facts_of_blocks(self.outline.filling(name))

    def blocks_touching(self, name: str) -> Iterator[BlockFacts]:
        """The parsed blocks that may change what a module-level name holds, in file order."""
        return self.facts_of_blocks(self.outline.touching(name))

    def facts_of_blocks(self, blocks: Iterable[Block] | None = None) -> Iterator[BlockFacts]:
        """The facts of the given blocks (by default all), in file order."""
        for block in self.outline.blocks if blocks is None else blocks:
            facts = self.facts_of(block)
            if facts is not None:
                yield facts

    def absolute(self, imported: ImportedName, finder: ModuleFinder) -> str | None:
        """The absolute dotted name of an import's module. None if it points above the top package."""
        return finder.absolute(imported, self.file)


class Unread(Struct, frozen=True):
    """A file that could not be read as a module, and why. `row` and `column` are 1-based; in a notebook, the row
    counts through all cells of `document`, which is None if the file cannot even be decoded."""

    path: str
    row: int
    column: int
    reason: str
    document: Document | None = None
    given_up: bool = False
    """Whether the file could be read, but is left out because a process was killed while working on it."""

    @classmethod
    def for_broken(cls, path: str, error: BrokenSyntax, document: Document) -> Unread:
        """A file with broken syntax."""
        error = explained(document.code, error)
        return cls(path, error.row, error.column, error.reason, document)
