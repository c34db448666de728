"""Everything that depends on the bytes of one file alone: its outline, its marks, the facts of its parsed blocks. It is
read on demand, once, and cached between runs."""

from __future__ import annotations

import ast
import marshal
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import msgspec

from lintpickle.diagnostics import Span
from lintpickle.facts.codec import MakeMethods, NotEncodable, decode, encode
from lintpickle.facts.methods import Methods, ReadMethod
from lintpickle.facts.origins import Derivations, derivations, stored_from
from lintpickle.facts.records import BlockFacts, FunctionFacts
from lintpickle.marker import noted
from lintpickle.parsing.blocks import methods, without_methods
from lintpickle.parsing.members import Member, members
from lintpickle.parsing.names_read import dotted_names
from lintpickle.parsing.nesting import is_absurd
from lintpickle.parsing.outline import Block, Outline, outline
from lintpickle.parsing.quick_libcst import import_libcst
from lintpickle.parsing.syntax import BrokenSyntax, parse
from lintpickle.prefilter.glance import may_hold_marks
from lintpickle.prefilter.marks import Mark, Vocabulary, marks
from lintpickle.prefilter.returned import returned
from lintpickle.prefilter.words import Lexicon, Words
from lintpickle.profiling import Part, running

if TYPE_CHECKING:
    from lintpickle.source.document import Code

_Record = TypeVar("_Record")
_MarksKey: TypeAlias = "tuple[int, tuple[str, ...] | None, bool]"
"""The offset of a block, the methods that are searched (None: all), and whether only returned values count."""
_UNEXPECTED = (EOFError, LookupError, TypeError, ValueError, AttributeError, AssertionError, RecursionError)
"""What decoding raises for a value that does not come from `to_keep`."""
_MAP_ENCODER = msgspec.msgpack.Encoder()
_MAP_DECODER = msgspec.msgpack.Decoder(Outline)


class FileFacts:
    """The facts of a document. `kept` is the result of `to_keep` for a document with the same bytes and vocabulary,
    which need not be read again; `kept_by` is the part of a run that is credited for it. The constructor raises
    BrokenSyntax, except for errors in the body of a class or function: `broken` is set when that body is read."""

    def __init__(
        self,
        document: Code,
        vocabulary: Vocabulary,
        kept: bytes | None = None,
        kept_by: Part = Part.MAP_KNOWN,
    ) -> None:
        self.broken: BrokenSyntax | None = None
        self._document = document
        self.lexicon = Lexicon(document)
        self._path = document.path
        self._vocabulary = vocabulary
        self._marks: dict[_MarksKey, frozenset[Mark]] = {}
        self._block_facts: dict[int, BlockFacts | None] = {}
        self._methods_of: dict[int, list[tuple[str, Span]]] = {}
        self._kept_marks: dict[_MarksKey, bytes] = {}
        self._kept_blocks: dict[int, bytes | None] = {}
        self._kept_members: dict[tuple[int, str], bytes] = {}
        self._kept: bytes | None = None
        self._new_blocks: list[int] = []
        self._new_members: dict[tuple[int, str], ReadMethod] = {}
        self._new_marks: list[_MarksKey] = []
        self._kept_outline = b""
        self._stored_from: dict[tuple[str, ...], tuple[str, ...]] = {}
        known = self._take_over(kept, kept_by) if kept is not None else None
        if known is None:
            with running(Part.MAP, self._path), noted(self._path):
                known = outline(document.code)
        self.outline: Outline = known

    def _take_over(self, kept: bytes, part: Part) -> Outline | None:
        """The cached outline; None, and nothing is used, if it does not come from `to_keep`."""
        with running(part, self._path):
            try:
                made, broken, *parts = marshal.loads(kept)
                known = _MAP_DECODER.decode(made)
                known_marks, known_blocks, known_members = map(dict, parts)
                self.broken = BrokenSyntax(*broken) if broken else None
            except (*_UNEXPECTED, msgspec.DecodeError):
                return None
        self._kept, self._kept_outline = kept, made
        self._kept_marks, self._kept_blocks, self._kept_members = known_marks, known_blocks, known_members
        return known

    @property
    def code(self) -> str:
        """The text that parsers get."""
        return self._document.code

    @cached_property
    def derivations(self) -> Derivations:
        """The names bound at module level, each with the names that it may stand for."""
        return derivations(self.code, self.outline)

    def stored_from(self, makers: Words) -> tuple[str, ...]:
        """The names bound at module level by code that reads the name of a maker."""
        if makers.words not in self._stored_from:
            blocks = makers.plots_in(self.lexicon, self.outline.blocks)
            self._stored_from[makers.words] = tuple(stored_from(makers, self.code, blocks))
        return self._stored_from[makers.words]

    def text(self, block: Block) -> str:
        """The text of a block."""
        return self.code[block.span.start : block.span.end]

    def tree(self, block: Block) -> ast.Module:
        """The `ast` of the block's text, parsed anew; an empty module if its syntax is broken."""
        try:
            return parse(self.text(block))
        except BrokenSyntax:
            self.check()
            return ast.Module([], [])

    def tree_holding(self, block: Block, words: Words) -> ast.Module:
        """The `ast` of the block's text; methods of a class that contain none of the words are left out."""
        if not block.is_class:
            return self.tree(block)
        text = self.text(block)
        return self._tree_with(block, {name for name, span in self.methods(block) if words.stand_at(text, span)})

    def _tree_with(self, block: Block, names: Collection[str]) -> ast.Module:
        """The `ast` of the block's text; of the methods of its class, only those with the given names."""
        try:
            return parse(self._with_methods(block, names))
        except BrokenSyntax:
            return self.tree(block)

    def check(self) -> None:
        """Parse the whole file, and set `broken` if its syntax is broken."""
        if self.broken is None:
            try:
                parse(self.code)
            except BrokenSyntax as error:
                self.broken = error

    def read_all(self) -> None:
        """Read everything in the file. Otherwise only what is asked for is read."""
        for block in self.outline.blocks:
            self.block_binding(block)
            for member in self._members(block):
                self._member(block, member)

    def facts_of(self, block: Block) -> BlockFacts | None:
        """The facts of a block. None if libcst cannot or must not parse it, or if it only binds names to constants."""
        return None if block.bare else self.block_binding(block)

    def block_binding(self, block: Block) -> BlockFacts | None:
        """The facts of a block that binds names, to constants too. None if libcst cannot or must not parse it."""
        if block.span.start not in self._block_facts:
            self._block_facts[block.span.start] = self._known_block(block)
        return self._block_facts[block.span.start]

    def _known_block(self, block: Block) -> BlockFacts | None:
        """The facts of the block from the cache, otherwise read now."""
        kept = self._kept_blocks.get(block.span.start, b"")
        if kept is None:
            return None
        return self._read_back(kept, BlockFacts, block) or self._read_block(block)

    def absurd(self) -> Iterator[Block]:
        """The blocks (except blocks of constants) that libcst must not parse, because it could crash on them."""
        for block in self.outline.blocks:
            text = self.text(block) if not block.bare else ""
            if is_absurd(text) and any(map(is_absurd, self._parts(block, text))):
                yield block

    def _parts(self, block: Block, text: str) -> Iterator[str]:
        """The texts that libcst parses for a block: a class without its methods, then the methods."""
        inside = [
            Span(each.span.start - block.span.start, each.span.end - block.span.start) for each in self._members(block)
        ]
        yield without_methods(text, inside)
        yield from (text[span.start : span.end] for span in inside)

    def _read_back(self, kept: bytes, kind: type[_Record], block: Block) -> _Record | None:
        """The cached record of a block; None if there is none, or if it cannot be decoded."""
        if not kept:
            return None
        with running(Part.WALK_KNOWN, self._path):
            return _decoded(kept, kind, partial(self._methods, block))

    def _methods(self, block: Block, eager: Mapping[str, FunctionFacts], known: tuple[Member, ...]) -> Methods:
        return Methods(eager, known, partial(self._member, block))

    def _read_block(self, block: Block) -> BlockFacts | None:
        import_libcst()
        from lintpickle.facts.read import read_facts

        with running(Part.WALK, self._path), noted(self._path):
            facts = read_facts(self.code, block, self._members(block), partial(self._member, block))
        if facts is None:
            self.check()
        self._new_blocks.append(block.span.start)
        return facts

    def _members(self, block: Block) -> tuple[Member, ...]:
        """The functions of the block's class, if the block is exactly one class."""
        if not block.is_class:
            return ()
        with running(Part.GUARD):
            try:
                return members(self.text(block), block.span.start)
            except BrokenSyntax:
                self.check()
                return ()

    def _member(self, block: Block, member: Member) -> ReadMethod:
        key = (block.span.start, f"{member.name} {member.span.start}")
        known = self._read_back(self._kept_members.get(key, b""), ReadMethod, block)
        if known is not None:
            return known
        import_libcst()
        from lintpickle.facts.read import read_member

        with running(Part.WALK, self._path), noted(self._path):
            read = read_member(self.code, block.names[0], member)
        if not read.exact:
            self.check()
        self._new_members[key] = read
        return read

    def marks(self, block: Block, given: bool = False) -> frozenset[Mark]:
        """The marks of a block (see `lintpickle.prefilter.marks`). With `given`, only what functions and methods give
        to their callers counts (see `lintpickle.prefilter.returned`)."""
        return self._marks_of((block.span.start, None, given), block)

    def may_hold_marks(self, block: Block, names: Collection[str], leads: Callable[[str, str], bool]) -> bool:
        """Whether `marks_of_methods` can find relevant marks (see `lintpickle.prefilter.marks`)."""
        with running(Part.SCREEN, self._path):
            return may_hold_marks(self._with_methods(block, names), self._vocabulary, self.outline, leads)

    def methods(self, block: Block) -> list[tuple[str, Span]]:
        """The functions of the block's class as `lintpickle.parsing.blocks` finds them: name, and span in the block's
        text."""
        if block.span.start not in self._methods_of:
            self._methods_of[block.span.start] = methods(self.text(block))
        return self._methods_of[block.span.start]

    def _with_methods(self, block: Block, names: Collection[str]) -> str:
        return without_methods(self.text(block), (span for name, span in self.methods(block) if name not in names))

    def marks_of_methods(self, block: Block, names: Collection[str], given: bool = False) -> frozenset[Mark]:
        """Like `marks`, for a class of whose methods only those with the given names count."""
        return self._marks_of((block.span.start, tuple(sorted(names)), given), block)

    def _marks_of(self, key: _MarksKey, block: Block) -> frozenset[Mark]:
        if key not in self._marks:
            found = _known_marks(self._kept_marks.get(key, b""))
            if found is None:
                with running(Part.SCREEN, self._path):
                    found = self._find_marks(block, *key[1:])
                self._new_marks.append(key)
            self._marks[key] = found
        return self._marks[key]

    def _find_marks(self, block: Block, names: Collection[str] | None, given: bool) -> frozenset[Mark]:
        tree = self.tree(block) if names is None else self._tree_with(block, names)
        return marks(returned(tree) if given else tree, self._vocabulary, self.outline)

    def boundary_names(self, block: Block) -> frozenset[str]:
        """Dotted names in the text of the block whose last part is that of a boundary."""
        with running(Part.SCREEN, self._path):
            return dotted_names(self.text(block), self._vocabulary.boundaries)

    def inherit(self, before: FileFacts) -> None:
        """Reuse the facts of another version of this file for blocks with the same text."""
        if _meanings(self.outline) != _meanings(before.outline):
            return
        starts = {before.text(block): block.span.start for block in before.outline.blocks}
        moved = {starts.get(self.text(block)): block.span.start for block in self.outline.blocks}
        for (start, names, given), found in before._marks.items():
            if start in moved:
                key = (moved[start], names, given)
                self._marks[key] = found
                self._new_marks.append(key)

    @property
    def is_changed(self) -> bool:
        """Whether anything was read that is not in the cache."""
        return self._kept is None or bool(self._new_blocks or self._new_members or self._new_marks)

    def to_keep(self) -> bytes:
        """What is known of the file, for the cache."""
        if self._kept is None or self.is_changed:
            self._kept_outline = self._kept_outline or _MAP_ENCODER.encode(self.outline)
            for start in self._new_blocks:
                with suppress(NotEncodable):
                    self._kept_blocks[start] = _encoded(self._block_facts[start])
            for place, read in self._new_members.items():
                with suppress(NotEncodable):
                    self._kept_members[place] = marshal.dumps(encode(read))
            for key in self._new_marks:
                self._kept_marks[key] = marshal.dumps(sorted((mark.form, mark.name) for mark in self._marks[key]))
            self._new_blocks, self._new_members, self._new_marks = [], {}, []
            parts = (self._kept_marks, self._kept_blocks, self._kept_members)
            broken = (self.broken.reason, self.broken.row, self.broken.column) if self.broken else ()
            self._kept = marshal.dumps((self._kept_outline, broken, *parts))
        return self._kept


def outline_of(kept: bytes) -> Outline:
    """The outline in a result of `FileFacts.to_keep` from this process or one that it was forked from."""
    return _MAP_DECODER.decode(marshal.loads(kept)[0])


def _meanings(outline: Outline) -> tuple[object, ...]:
    """The parts of a file, outside a block, on which the block's marks depend."""
    return outline.imports, outline.import_ways, outline.lambdas


def _encoded(block: BlockFacts | None) -> bytes | None:
    return marshal.dumps(encode(block)) if block is not None else None


def _decoded(kept: bytes, kind: type[_Record], methods: MakeMethods | None = None) -> _Record | None:
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
