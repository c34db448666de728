"""Everything that the bytes of one file decide: its map, its marks, the facts of its rooms. Read on demand, once, and
kept from run to run."""

from __future__ import annotations

import ast
import marshal
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

from lintpickle.facts.codec import NotEncodable, decode, encode
from lintpickle.facts.methods import Methods, ReadMethod
from lintpickle.facts.records import FunctionFacts, RoomFacts
from lintpickle.profiling import Part, importing, running
from lintpickle.source.marks import Mark, Vocabulary, marks
from lintpickle.source.outline import Member, Outline, Plot, outline, parse, stored
from lintpickle.source.reads import dotted_names, names_read
from lintpickle.source.screen import Words

if TYPE_CHECKING:
    from lintpickle.source.document import Document

_Record = TypeVar("_Record")
_WORD = re.compile(r"\w+")
_ALIAS = re.compile(r"^\w+(?:\s*:[^=\n]+)?\s*=\s*(?:[\w.]*\bpartial\(|[\w.]+\s*$)", re.MULTILINE)
_UNEXPECTED = (EOFError, LookupError, TypeError, ValueError, AttributeError, AssertionError, RecursionError)
"""What reading back raises for a value that `to_keep` has not given."""


class FileFacts:
    """The facts of a document. `kept` is what `to_keep` gave for a document of the same bytes and vocabulary: what is
    in it is not read again.

    Raises BrokenSyntax.
    """

    def __init__(self, document: Document, vocabulary: Vocabulary, kept: bytes | None = None) -> None:
        self.code = document.code
        self._path = document.path
        self._vocabulary = vocabulary
        self._marks: dict[int, frozenset[Mark]] = {}
        self._rooms: dict[int, RoomFacts | None] = {}
        self._kept_marks: dict[int, bytes] = {}
        self._kept_rooms: dict[int, bytes | None] = {}
        self._kept_members: dict[tuple[int, str], bytes] = {}
        self._kept: bytes | None = None
        self._new_rooms: list[int] = []
        self._new_members: dict[tuple[int, str], ReadMethod] = {}
        self._new_marks: list[int] = []
        self._kept_outline = b""
        self._words: frozenset[str] | None = None
        self._stored_from: dict[tuple[str, ...], tuple[str, ...]] = {}
        known = self._take_over(kept) if kept is not None else None
        if known is None:
            with running(Part.MAP, self._path):
                known = outline(document.code, document.lines)
        self.outline: Outline = known

    def _take_over(self, kept: bytes) -> Outline | None:
        """The map that was kept; None, and nothing is taken over, if `to_keep` has not given this."""
        with running(Part.MAP_KNOWN, self._path):
            try:
                made, words, *parts = marshal.loads(kept)
                words = frozenset[str](words)
                known_marks, known_rooms, known_members = map(dict, parts)
            except _UNEXPECTED:
                return None
            known = _decoded(made, Outline)
        if known is not None:
            self._kept, self._kept_outline, self._words = kept, made, words
            self._kept_marks, self._kept_rooms, self._kept_members = known_marks, known_rooms, known_members
        return known

    @property
    def words(self) -> frozenset[str]:
        """Every identifier, keyword and number that stands anywhere in the code."""
        if self._words is None:
            self._words = frozenset(_WORD.findall(self.code))
        return self._words

    @cached_property
    def derivations(self) -> tuple[tuple[tuple[str, ...], frozenset[str]], ...]:
        """Names bound at module level, with those that they may stand for, as far as outline and text tell: what they
        import under another name, derive from, or are set to."""
        found: list[tuple[tuple[str, ...], frozenset[str]]] = []
        for alias, imported in self.outline.imports.items():
            if imported.name is not None and alias != imported.name:
                found.append(((alias,), frozenset({imported.name})))
        for plot in self.outline.plots:
            for header in plot.classes:
                found.append(((header.name,), frozenset(base.rpartition(".")[2] for base in header.bases)))
            if plot.names and not plot.classes and not plot.defines_function and _ALIAS.search(self.text(plot)):
                found.append((plot.names, frozenset(_WORD.findall(self.text(plot)))))
        return tuple(found)

    def stored_from(self, makers: Words) -> tuple[str, ...]:
        """The names bound at module level to something in which the name of a maker is read."""
        if makers.words not in self._stored_from:
            self._stored_from[makers.words] = tuple(self._find_stored(makers))
        return self._stored_from[makers.words]

    def _find_stored(self, makers: Words) -> Iterator[str]:
        for plot in makers.plots_in(self.code, self.outline.plots):
            if plot.names and not plot.defines_function:
                for names, value in stored(self.tree(plot)):
                    if any(name.rpartition(".")[2] in makers.words for name in names_read(value)):
                        yield from names

    def text(self, plot: Plot) -> str:
        """The text of a plot."""
        return self.code[plot.span.start : plot.span.end]

    def tree(self, plot: Plot) -> ast.Module:
        """The `ast` of the plot's text, parsed anew."""
        return parse(self.text(plot))

    def room(self, plot: Plot) -> RoomFacts | None:
        """The facts of a plot, or None if libcst must not or cannot read it, or nothing is to be learnt there."""
        if plot.bare:
            return None
        if plot.row not in self._rooms:
            self._rooms[plot.row] = self._known_room(plot)
        return self._rooms[plot.row]

    def _known_room(self, plot: Plot) -> RoomFacts | None:
        """What was kept of the room, else what is read now."""
        kept = self._kept_rooms.get(plot.row, b"")
        if kept is None:
            return None
        return self._read_back(kept, RoomFacts, plot) or self._read_room(plot)

    def _read_back(self, kept: bytes, kind: type[_Record], plot: Plot) -> _Record | None:
        """The record of a plot that was kept; None if there is none, or what is there is none."""
        if not kept:
            return None
        with running(Part.WALK_KNOWN, self._path):
            return _decoded(kept, kind, partial(self._methods, plot))

    def _methods(self, plot: Plot, eager: Mapping[str, FunctionFacts]) -> Methods:
        return Methods(eager, plot.members, partial(self._member, plot))

    def _read_room(self, plot: Plot) -> RoomFacts | None:
        with importing("libcst"):
            from lintpickle.facts.read import read_facts

        with running(Part.WALK, self._path):
            room = read_facts(self.code, plot, partial(self._member, plot))
        self._new_rooms.append(plot.row)
        return room

    def _member(self, plot: Plot, member: Member) -> ReadMethod:
        key = (plot.row, f"{member.name} {member.span.start}")
        known = self._read_back(self._kept_members.get(key, b""), ReadMethod, plot)
        if known is not None:
            return known
        with importing("libcst"):
            from lintpickle.facts.read import read_member

        with running(Part.WALK, self._path):
            read = read_member(self.code, plot.names[0], member)
        self._new_members[key] = read
        return read

    def marks(self, plot: Plot) -> frozenset[Mark]:
        """What the plot holds that could be a hazard on an object (see `lintpickle.source.marks`)."""
        if plot.row not in self._marks:
            found = _known_marks(self._kept_marks.get(plot.row, b""))
            if found is None:
                with running(Part.SCREEN, self._path):
                    found = marks(self.tree(plot), self._vocabulary, self.outline)
                self._new_marks.append(plot.row)
            self._marks[plot.row] = found
        return self._marks[plot.row]

    def boundary_names(self, plot: Plot) -> frozenset[str]:
        """Dotted names in the text of the plot that end like a boundary's."""
        with running(Part.SCREEN, self._path):
            return dotted_names(self.text(plot), self._vocabulary.boundaries)

    def inherit(self, before: FileFacts) -> None:
        """Take over from another version of this file what is known of the plots whose text is the same."""
        if self.outline.imports != before.outline.imports or self.outline.lambdas != before.outline.lambdas:
            return
        rows = {before.text(plot): plot.row for plot in before.outline.plots if plot.row in before._marks}
        for plot in self.outline.plots:
            row = rows.get(self.text(plot))
            if row is not None:
                self._marks[plot.row] = before._marks[row]
                self._new_marks.append(plot.row)

    @property
    def is_changed(self) -> bool:
        """Whether anything has been read that was not kept."""
        return self._kept is None or bool(self._new_rooms or self._new_members or self._new_marks)

    def to_keep(self) -> bytes:
        """What is known of the file, for the next run."""
        if self._kept is None or self.is_changed:
            self._kept_outline = self._kept_outline or marshal.dumps(encode(self.outline))
            for row in self._new_rooms:
                with suppress(NotEncodable):
                    self._kept_rooms[row] = _encoded(self._rooms[row])
            for key, read in self._new_members.items():
                with suppress(NotEncodable):
                    self._kept_members[key] = marshal.dumps(encode(read))
            for row in self._new_marks:
                self._kept_marks[row] = marshal.dumps(sorted((mark.form, mark.name) for mark in self._marks[row]))
            self._new_rooms, self._new_members, self._new_marks = [], {}, []
            parts = (self._kept_marks, self._kept_rooms, self._kept_members)
            self._kept = marshal.dumps((self._kept_outline, sorted(self.words), *parts))
        return self._kept


def _encoded(room: RoomFacts | None) -> bytes | None:
    return marshal.dumps(encode(room)) if room is not None else None


def _decoded(kept: bytes, kind: type[_Record], methods: Callable[..., Methods] | None = None) -> _Record | None:
    try:
        found = decode(marshal.loads(kept), methods)
    except _UNEXPECTED:
        return None
    return found if isinstance(found, kind) else None


def _known_marks(kept: bytes) -> frozenset[Mark] | None:
    try:
        return frozenset(Mark(form, name) for form, name in marshal.loads(kept))
    except _UNEXPECTED:
        return None
