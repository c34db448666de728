"""The facts of one file in encoded form, as the cache keeps them: each is decoded when it is asked for."""

from __future__ import annotations

import marshal
from contextlib import suppress
from typing import TypeAlias, TypeVar

import msgspec

from lintpickle.facts.codec import MakeMethods, NotEncodable, decode, encode
from lintpickle.facts.methods import ReadMethod
from lintpickle.facts.records import BlockFacts
from lintpickle.parsing.outline import Outline
from lintpickle.parsing.syntax import BrokenSyntax
from lintpickle.prefilter.marks import Mark
from lintpickle.profiling import Part, running

_Record = TypeVar("_Record")
MarksKey: TypeAlias = "tuple[int, tuple[str, ...] | None, bool]"
"""The offset of a block, the methods that are searched (None: all), and whether only returned values count."""
MemberKey: TypeAlias = "tuple[int, str]"
"""The offset of a block, and the name and offset of a member of its class."""
_UNEXPECTED = (EOFError, LookupError, TypeError, ValueError, AttributeError, AssertionError, RecursionError)
"""What decoding raises for a value that does not come from `KeptFacts.data`."""
_MAP_ENCODER = msgspec.msgpack.Encoder()
_MAP_DECODER = msgspec.msgpack.Decoder(Outline)


class KeptFacts:
    """What was kept of the file at `path`, and what has been read since and is to be kept, too."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._data: bytes | None = None
        self._outline = b""
        self._marks: dict[MarksKey, bytes] = {}
        self._blocks: dict[int, bytes | None] = {}
        self._members: dict[MemberKey, bytes] = {}
        self._new_blocks: dict[int, BlockFacts | None] = {}
        self._new_members: dict[MemberKey, ReadMethod] = {}
        self._new_marks: dict[MarksKey, frozenset[Mark]] = {}

    def take_over(self, data: bytes, part: Part) -> tuple[Outline, BrokenSyntax | None] | None:
        """The outline in a result of `data`, and what is broken in the file; the rest is decoded later. None, and
        nothing is used, if it does not come from `data`. `part` is the part of a run that is credited for it."""
        with running(part, self._path):
            try:
                made, said, *parts = marshal.loads(data)
                outline = _MAP_DECODER.decode(made)
                marks, blocks, members = map(dict, parts)
                broken = BrokenSyntax(*said) if said else None
            except (*_UNEXPECTED, msgspec.DecodeError):
                return None
        self._data, self._outline = data, made
        self._marks, self._blocks, self._members = marks, blocks, members
        return outline, broken

    def is_unreadable(self, start: int) -> bool:
        """Whether libcst cannot or must not parse the block at an offset, as far as is known."""
        return self._blocks.get(start, b"") is None

    def block(self, start: int, methods: MakeMethods) -> BlockFacts | None:
        """The kept facts of the block at an offset, with methods made by `methods`."""
        return self._decoded(self._blocks.get(start), BlockFacts, methods)

    def member(self, key: MemberKey, methods: MakeMethods) -> ReadMethod | None:
        """A kept member of a class."""
        return self._decoded(self._members.get(key), ReadMethod, methods)

    def marks(self, key: MarksKey) -> frozenset[Mark] | None:
        """The kept marks of a block."""
        try:
            return frozenset(Mark(form, name) for form, name in marshal.loads(self._marks.get(key, b"")))
        except _UNEXPECTED:
            return None

    def add_block(self, start: int, facts: BlockFacts | None) -> None:
        """Keep the facts of the block at an offset; None if libcst cannot or must not parse it."""
        self._new_blocks[start] = facts

    def add_member(self, key: MemberKey, read: ReadMethod) -> None:
        """Keep a member of a class."""
        self._new_members[key] = read

    def add_marks(self, key: MarksKey, found: frozenset[Mark]) -> None:
        """Keep the marks of a block."""
        self._new_marks[key] = found

    @property
    def is_changed(self) -> bool:
        """Whether there is anything that was not taken over."""
        return self._data is None or bool(self._new_blocks or self._new_members or self._new_marks)

    def data(self, outline: Outline, broken: BrokenSyntax | None) -> bytes:
        """All that is kept, for `take_over`, with the outline of the file and what is broken in it."""
        if self._data is None or self.is_changed:
            self._outline = self._outline or _MAP_ENCODER.encode(outline)
            for start, block in self._new_blocks.items():
                with suppress(NotEncodable):
                    self._blocks[start] = marshal.dumps(encode(block)) if block is not None else None
            for place, read in self._new_members.items():
                with suppress(NotEncodable):
                    self._members[place] = marshal.dumps(encode(read))
            for key, found in self._new_marks.items():
                self._marks[key] = marshal.dumps(sorted((mark.form, mark.name) for mark in found))
            self._new_blocks, self._new_members, self._new_marks = {}, {}, {}
            said = (broken.reason, broken.row, broken.column) if broken else ()
            self._data = marshal.dumps((self._outline, said, self._marks, self._blocks, self._members))
        return self._data

    def _decoded(self, data: bytes | None, kind: type[_Record], methods: MakeMethods) -> _Record | None:
        """A record; None if there is none, or if it cannot be decoded."""
        if not data:
            return None
        with running(Part.WALK_KNOWN, self._path):
            try:
                found = decode(marshal.loads(data), methods)
            except _UNEXPECTED:
                return None
            return found if isinstance(found, kind) else None


def outline_of(kept: bytes) -> Outline:
    """The outline in a result of `KeptFacts.data` from this process or one that it was forked from."""
    return _MAP_DECODER.decode(marshal.loads(kept)[0])
