"""Everything that the bytes of one file decide: its map, its marks, the facts of its parsed blocks. Read on demand,
once, and kept from run to run."""

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
"""Where a block begins, the methods that are looked into (None: all), and whether only what functions return counts."""
_UNEXPECTED = (EOFError, LookupError, TypeError, ValueError, AttributeError, AssertionError, RecursionError)
"""What reading back raises for a value that `to_keep` has not given."""
_MAP_ENCODER = msgspec.msgpack.Encoder()
_MAP_DECODER = msgspec.msgpack.Decoder(Outline)


class FileFacts:
    """The facts of a document. `kept` is what `to_keep` gave for a document of the same bytes and vocabulary: what is
    in it is not read again. `kept_by` is the part of a run for which it was kept.

    Raises BrokenSyntax, but not for what is broken in the body of a class or function: when that is read, `broken`
    says so from then on.
    """

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
        """The map that was kept; None, and nothing is taken over, if `to_keep` has not given this."""
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
        """Names bound at module level, with those that they may stand for."""
        return derivations(self.code, self.outline)

    def stored_from(self, makers: Words) -> tuple[str, ...]:
        """The names bound at module level to something in which the name of a maker is read."""
        if makers.words not in self._stored_from:
            blocks = makers.plots_in(self.lexicon, self.outline.blocks)
            self._stored_from[makers.words] = tuple(stored_from(makers, self.code, blocks))
        return self._stored_from[makers.words]

    def text(self, block: Block) -> str:
        """The text of a block."""
        return self.code[block.span.start : block.span.end]

    def tree(self, block: Block) -> ast.Module:
        """The `ast` of the block's text, parsed anew; an empty one if the text is broken."""
        try:
            return parse(self.text(block))
        except BrokenSyntax:
            self.check()
            return ast.Module([], [])

    def tree_holding(self, block: Block, words: Words) -> ast.Module:
        """The same; of a class, without the methods in which none of the words stands."""
        if not block.is_class:
            return self.tree(block)
        text = self.text(block)
        return self._tree_with(block, {name for name, span in self.methods(block) if words.stand_at(text, span)})

    def _tree_with(self, block: Block, names: Collection[str]) -> ast.Module:
        """The `ast` of the block's text without the methods of its class but those of the given names."""
        try:
            return parse(self._with_methods(block, names))
        except BrokenSyntax:
            return self.tree(block)

    def check(self) -> None:
        """See whether all of the file can be parsed, and set `broken` if not."""
        if self.broken is None:
            try:
                parse(self.code)
            except BrokenSyntax as error:
                self.broken = error

    def facts_of(self, block: Block) -> BlockFacts | None:
        """The facts of a block, or None if libcst must not or cannot read it, or nothing is to be learnt there but what
        constants the names have that it binds."""
        return None if block.bare else self.block_binding(block)

    def block_binding(self, block: Block) -> BlockFacts | None:
        """The facts of a block that binds names, those of constants too; None if libcst must not or cannot read it."""
        if block.span.start not in self._block_facts:
            self._block_facts[block.span.start] = self._known_block(block)
        return self._block_facts[block.span.start]

    def _known_block(self, block: Block) -> BlockFacts | None:
        """What was kept of the parsed block, else what is read now."""
        kept = self._kept_blocks.get(block.span.start, b"")
        if kept is None:
            return None
        return self._read_back(kept, BlockFacts, block) or self._read_block(block)

    def absurd(self) -> Iterator[Block]:
        """The blocks that libcst must not be asked to read, of those that hold more than constants."""
        for block in self.outline.blocks:
            text = self.text(block) if not block.bare else ""
            if is_absurd(text) and any(map(is_absurd, self._parts(block, text))):
                yield block

    def _parts(self, block: Block, text: str) -> Iterator[str]:
        """The texts that libcst reads of a block: that of a class without its methods, then those."""
        inside = [
            Span(each.span.start - block.span.start, each.span.end - block.span.start) for each in self._members(block)
        ]
        yield without_methods(text, inside)
        yield from (text[span.start : span.end] for span in inside)

    def _read_back(self, kept: bytes, kind: type[_Record], block: Block) -> _Record | None:
        """The record of a block that was kept; None if there is none, or what is there is none."""
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
        """The functions of the block's class, if it is one class and nothing else."""
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
        """What the block holds that could be a hazard on an object (see `lintpickle.prefilter.marks`); with `given`, of
        functions and methods, only what they give to their callers (see `lintpickle.prefilter.returned`)."""
        return self._marks_of((block.span.start, None, given), block)

    def may_hold_marks(self, block: Block, names: Collection[str], leads: Callable[[str, str], bool]) -> bool:
        """Whether `marks_of_methods` can find marks that mean something (see `lintpickle.prefilter.marks`)."""
        with running(Part.SCREEN, self._path):
            return may_hold_marks(self._with_methods(block, names), self._vocabulary, self.outline, leads)

    def methods(self, block: Block) -> list[tuple[str, Span]]:
        """The functions of the block's class by their lines, as `lintpickle.parsing.blocks` sees them: name, and where
        in the block's text each stands."""
        if block.span.start not in self._methods_of:
            self._methods_of[block.span.start] = methods(self.text(block))
        return self._methods_of[block.span.start]

    def _with_methods(self, block: Block, names: Collection[str]) -> str:
        return without_methods(self.text(block), (span for name, span in self.methods(block) if name not in names))

    def marks_of_methods(self, block: Block, names: Collection[str], given: bool = False) -> frozenset[Mark]:
        """As `marks`, of a class without its methods but those of the given names."""
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
        """Dotted names in the text of the block that end like a boundary's."""
        with running(Part.SCREEN, self._path):
            return dotted_names(self.text(block), self._vocabulary.boundaries)

    def inherit(self, before: FileFacts) -> None:
        """Take over from another version of this file what is known of the blocks whose text is the same."""
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
        """Whether anything has been read that was not kept."""
        return self._kept is None or bool(self._new_blocks or self._new_members or self._new_marks)

    def to_keep(self) -> bytes:
        """What is known of the file, for the next run."""
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
    """The map in what `FileFacts.to_keep` gave in this process, or one that it was forked from."""
    return _MAP_DECODER.decode(marshal.loads(kept)[0])


def _meanings(outline: Outline) -> tuple[object, ...]:
    """What marks depend on outside of the block in which they are."""
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
