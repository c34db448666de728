"""One module as the analysis reads it: its map at once, rooms when something asks for them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from msgspec import Struct

from lintpickle.cache.facts import digest_of
from lintpickle.facts.of_file import FileFacts
from lintpickle.facts.records import RoomFacts
from lintpickle.project.modules import ModuleFile, ModuleFinder
from lintpickle.project.shelf import LateDocument
from lintpickle.source.branches import conditions_around, exclude_each_other, share_a_loop
from lintpickle.source.document import Document
from lintpickle.source.imports import ImportedName
from lintpickle.source.lines import LineIndex
from lintpickle.source.outline import Outline, Plot
from lintpickle.source.syntax import BrokenSyntax
from lintpickle.source.words import Lexicon


class Module:
    """One module of the program. Rooms are parsed once, on first demand."""

    def __init__(self, file: ModuleFile, source: Document | LateDocument, facts: FileFacts) -> None:
        self.file = file
        self.facts = facts
        self._source = source
        self.outline: Outline = facts.outline
        self._plot_read: tuple[Plot, ast.Module, LineIndex] | None = None

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
        """The text that parsers get (magics of notebooks masked, same length as the document's text)."""
        return self._source.code

    @property
    def lexicon(self) -> Lexicon:
        """The words of the text."""
        return self.facts.lexicon

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

    def exclude_each_other(self, first: int, second: int) -> bool:
        """Whether no single run of a function gets to both of two offsets (see `lintpickle.source.branches`)."""
        return self._ask_plot(first, second, exclude_each_other)

    def share_a_loop(self, first: int, second: int) -> bool:
        """Whether one loop is around both of two offsets."""
        return self._ask_plot(first, second, share_a_loop)

    def _ask_plot(self, first: int, second: int, question: Callable[[ast.AST, int, int], bool]) -> bool:
        plot = self.outline.plot_at(first)
        if plot is None or plot is not self.outline.plot_at(second):
            return False
        tree, lines = self._read_plot(plot)
        return question(tree, lines.row(first - plot.span.start), lines.row(second - plot.span.start))

    def conditions_around(self, offset: int) -> tuple[tuple[ast.expr, bool], ...]:
        """The conditions on the way to an offset in a function (see `lintpickle.source.branches`)."""
        plot = self.outline.plot_at(offset)
        if plot is None:
            return ()
        tree, lines = self._read_plot(plot)
        return conditions_around(tree, lines.row(offset - plot.span.start))

    def _read_plot(self, plot: Plot) -> tuple[ast.Module, LineIndex]:
        """The `ast` of a plot, and its rows; those of the plot asked for last are kept."""
        if self._plot_read is None or self._plot_read[0] is not plot:
            self._plot_read = (plot, self.facts.tree(plot), LineIndex(self.facts.text(plot)))
        return self._plot_read[1:]

    def rooms_binding(self, name: str) -> Iterator[RoomFacts]:
        """The rooms that bind a module-level name, in file order."""
        return filter(None, map(self.facts.room_binding, self.outline.binding(name)))

    def rooms_filling(self, name: str) -> Iterator[RoomFacts]:
        """The rooms that put something into what a module-level name holds, in file order."""
        return self.rooms(self.outline.filling(name))

    def rooms(self, plots: Iterable[Plot] | None = None) -> Iterator[RoomFacts]:
        """The rooms of the given plots (all of them by default), in file order."""
        for plot in self.outline.plots if plots is None else plots:
            room = self.room(plot)
            if room is not None:
                yield room

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

    @classmethod
    def for_broken(cls, path: str, error: BrokenSyntax, document: Document) -> Unread:
        """A file with broken syntax."""
        return cls(path, error.row, error.column, error.reason, document)
