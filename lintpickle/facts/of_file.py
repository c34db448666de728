"""Everything that the bytes of one file decide: its map, its marks, the facts of its rooms. Read on demand, once, and
kept from run to run."""

from __future__ import annotations

import ast
import marshal
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from lintpickle.facts.codec import NotEncodable, decode, encode
from lintpickle.facts.methods import Methods, ReadMethod
from lintpickle.facts.records import FunctionFacts, RoomFacts
from lintpickle.source.marks import Mark, Vocabulary, marks
from lintpickle.source.outline import Member, Outline, Plot, outline, parse
from lintpickle.source.reads import dotted_names

if TYPE_CHECKING:
    from lintpickle.source.document import Document


class FileFacts:
    """The facts of a document. `kept` is what `to_keep` gave for a document of the same bytes and vocabulary: what is
    in it is not read again.

    Raises BrokenSyntax.
    """

    def __init__(self, document: Document, vocabulary: Vocabulary, kept: bytes | None = None) -> None:
        self.code = document.code
        self._vocabulary = vocabulary
        self._marks: dict[int, frozenset[Mark]] = {}
        self._rooms: dict[int, RoomFacts | None] = {}
        self._kept_marks: dict[int, bytes] = {}
        self._kept_rooms: dict[int, bytes | None] = {}
        self._kept_members: dict[tuple[int, str], tuple[bytes, bool]] = {}
        self._kept = kept
        self._is_changed = kept is None
        if kept is None:
            self.outline: Outline = outline(document.code, document.lines)
            self._kept_outline = b""
        else:
            self._kept_outline, self._kept_marks, self._kept_rooms, self._kept_members = marshal.loads(kept)
            self.outline = decode(marshal.loads(self._kept_outline))

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
            self._rooms[plot.row] = self._known_room(plot) if plot.row in self._kept_rooms else self._read_room(plot)
        return self._rooms[plot.row]

    def _known_room(self, plot: Plot) -> RoomFacts | None:
        kept = self._kept_rooms[plot.row]
        if kept is None:
            return None
        room: RoomFacts = decode(marshal.loads(kept), partial(self._methods, plot))
        return room

    def _methods(self, plot: Plot, eager: Mapping[str, FunctionFacts]) -> Methods:
        return Methods(eager, plot.members, partial(self._member, plot))

    def _read_room(self, plot: Plot) -> RoomFacts | None:
        from lintpickle.facts.read import read_facts

        room = read_facts(self.code, plot, partial(self._member, plot))
        try:
            self._kept_rooms[plot.row] = marshal.dumps(encode(room)) if room is not None else None
        except NotEncodable:
            return room
        self._is_changed = True
        return room

    def _member(self, plot: Plot, member: Member) -> ReadMethod:
        key = (plot.row, f"{member.name} {member.span.start}")
        if key in self._kept_members:
            kept, exact = self._kept_members[key]
            return ReadMethod(decode(marshal.loads(kept)), exact)
        from lintpickle.facts.read import read_member

        read = read_member(self.code, plot.names[0], member)
        try:
            self._kept_members[key] = (marshal.dumps(encode(read.facts)), read.exact)
        except NotEncodable:
            return read
        self._is_changed = True
        return read

    def marks(self, plot: Plot) -> frozenset[Mark]:
        """What the plot holds that could be a hazard on an object (see `lintpickle.source.marks`)."""
        if plot.row not in self._marks:
            kept = self._kept_marks.get(plot.row)
            if kept is None:
                found = marks(self.tree(plot), self._vocabulary, self.outline)
                self._kept_marks[plot.row] = marshal.dumps(sorted((mark.form, mark.name) for mark in found))
                self._is_changed = True
            else:
                found = frozenset(Mark(form, name) for form, name in marshal.loads(kept))
            self._marks[plot.row] = found
        return self._marks[plot.row]

    def boundary_names(self, plot: Plot) -> frozenset[str]:
        """Dotted names in the text of the plot that end like a boundary's."""
        return dotted_names(self.text(plot), self._vocabulary.boundaries)

    def inherit(self, before: FileFacts) -> None:
        """Take over from another version of this file what is known of the plots whose text is the same."""
        if self.outline.imports != before.outline.imports or self.outline.lambdas != before.outline.lambdas:
            return
        rows = {before.text(plot): plot.row for plot in before.outline.plots if plot.row in before._kept_marks}
        for plot in self.outline.plots:
            row = rows.get(self.text(plot))
            if row is not None:
                self._kept_marks[plot.row] = before._kept_marks[row]

    @property
    def is_changed(self) -> bool:
        """Whether anything has been read that was not kept."""
        return self._is_changed

    def to_keep(self) -> bytes:
        """What is known of the file, for the next run."""
        if self._kept is None or self._is_changed:
            made = self._kept_outline or marshal.dumps(encode(self.outline))
            self._kept = marshal.dumps((made, self._kept_marks, self._kept_rooms, self._kept_members))
            self._is_changed = False
        return self._kept
