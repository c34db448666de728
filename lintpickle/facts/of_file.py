"""Everything that depends on the bytes of one file alone: its outline, its marks, the facts of its parsed blocks. It is
read on demand, once, and cached between runs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING

from lintpickle.diagnostics import Span
from lintpickle.facts.kept_facts import KeptFacts, MarksKey
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
from lintpickle.parsing.syntax import BrokenSyntax, parse, parse_in_older_words
from lintpickle.prefilter.glance import may_hold_marks
from lintpickle.prefilter.marks import Mark, Vocabulary, marks
from lintpickle.prefilter.returned import returned
from lintpickle.prefilter.words import Lexicon, Words
from lintpickle.profiling import Part, running

if TYPE_CHECKING:
    from lintpickle.source.document import Code


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
        self.outline: Outline
        self.broken: BrokenSyntax | None = None
        self._document = document
        self.lexicon = Lexicon(document)
        self._path = document.path
        self._vocabulary = vocabulary
        self._marks: dict[MarksKey, frozenset[Mark]] = {}
        self._block_facts: dict[int, BlockFacts | None] = {}
        self._methods_of: dict[int, list[tuple[str, Span]]] = {}
        self._kept = KeptFacts(document.path)
        self._stored_from: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._parsed_as: dict[int, str | None] = {}
        known = self._kept.take_over(kept, kept_by) if kept is not None else None
        if known is not None:
            self.outline, self.broken = known
        else:
            with running(Part.MAP, self._path), noted(self._path):
                self.outline = outline(document.code)

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
        """The `ast` of the block's text, parsed anew; an empty module if its syntax is broken. What has to be done to
        the text first is remembered: a class of half a million characters may be asked for a hundred times."""
        start = block.span.start
        text = self._parsed_as.get(start, self.text(block))
        if text is None:
            return ast.Module([], [])
        try:
            tree, parsed = parse_in_older_words(text)
        except BrokenSyntax:
            self._parsed_as[start] = None
            self.check()
            return ast.Module([], [])
        if parsed is not text:
            self._parsed_as[start] = parsed
        return tree

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
        if self._kept.is_unreadable(block.span.start):
            return None
        return self._kept.block(block.span.start, partial(self._methods, block)) or self._read_block(block)

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

    def _methods(self, block: Block, eager: Mapping[str, FunctionFacts], known: tuple[Member, ...]) -> Methods:
        return Methods(eager, known, partial(self._member, block))

    def _read_block(self, block: Block) -> BlockFacts | None:
        import_libcst()
        from lintpickle.facts.read import read_facts

        with running(Part.WALK, self._path), noted(self._path):
            facts = read_facts(self.code, block, self._members(block), partial(self._member, block))
        if facts is None:
            self.check()
        self._kept.add_block(block.span.start, facts)
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
        known = self._kept.member(key, partial(self._methods, block))
        if known is not None:
            return known
        import_libcst()
        from lintpickle.facts.read import read_member

        with running(Part.WALK, self._path), noted(self._path):
            read = read_member(self.code, block.names[0], member)
        if not read.exact:
            self.check()
        self._kept.add_member(key, read)
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

    def _marks_of(self, key: MarksKey, block: Block) -> frozenset[Mark]:
        if key not in self._marks:
            found = self._kept.marks(key)
            if found is None:
                with running(Part.SCREEN, self._path):
                    found = self._find_marks(block, *key[1:])
                self._kept.add_marks(key, found)
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
                self._kept.add_marks(key, found)

    @property
    def is_changed(self) -> bool:
        """Whether anything was read that is not in the cache."""
        return self._kept.is_changed

    def to_keep(self) -> bytes:
        """What is known of the file, for the cache."""
        return self._kept.data(self.outline, self.broken)


def _meanings(outline: Outline) -> tuple[object, ...]:
    """The parts of a file, outside a block, on which the block's marks depend."""
    return outline.imports, outline.import_ways, outline.lambdas
