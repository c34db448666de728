"""Blocks of top-level statements parsed by libcst, with the position of every expression in the file's text."""

from __future__ import annotations

import re
from itertools import accumulate
from types import TracebackType

import libcst as cst
from libcst._nodes.internal import CodegenState
from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.profiling import Part, running

TEMPLATE_PREFIX = re.compile(r"(?<![\w'\"])([rR]?)[tT]([rR]?)(?=['\"])")
"""The start of a t-string, which has the syntax of an f-string. (libcst 1.9 cannot parse two adjacent ones.)"""
_LONE_RETURN = re.compile(r"\r(?!\n)")


class ParsedBlock(Struct, frozen=True):
    """A parsed block of a file. `spans` gives, for every expression, argument and compound statement of `tree`, its
    range in the whole file's text, without surrounding whitespace and parentheses. `exact` says whether libcst
    reproduces the text unchanged; if not (form feeds in indentation, for example), spans are approximate and no fix may
    use them."""

    tree: cst.Module
    spans: Spans
    exact: bool


def read_block(source: str, start: int) -> ParsedBlock | None:
    """Parse whole lines that begin at the offset `start` of a file. None if libcst cannot parse them."""
    if "\r" in source:
        source = _LONE_RETURN.sub("\n", source)  # as Python reads it; libcst does not give lone returns back
    try:
        with running(Part.PARSE):
            tree = cst.parse_module(source)
    except (cst.ParserSyntaxError, cst.CSTLogicError, cst.CSTValidationError, RecursionError):
        # the second about `t"" t""`, by libcst 1.9, the third about `"" b""`
        return None
    recorder = _SpanRecorder(tree.default_indent, tree.default_newline)
    try:
        with running(Part.POSITIONS):
            tree._codegen(recorder)
    except RecursionError:
        return None
    return ParsedBlock(tree, Spans(recorder, start), "".join(recorder.tokens) == source)


class Spans:
    """The spans of nodes in the file's text, computed on demand. The tree must live as long as this object, because
    nodes are known by their `id`, which is many times cheaper than their hash."""

    def __init__(self, recorder: _SpanRecorder, start: int) -> None:
        self._ranges = recorder.token_ranges
        self._offsets = [*accumulate(map(len, recorder.tokens), initial=start)]
        self._offsets.append(self._offsets[-1])  # for the last token, if libcst has taken it back

    def get(self, node: cst.CSTNode) -> Span | None:
        """The span of a node; None for trivia and for nodes of other parsed blocks."""
        found = self._ranges.get(id(node))
        return Span(self._offsets[found[0]], self._offsets[found[1]]) if found is not None else None


class _SpanRecorder(CodegenState):
    """Writes the tree as libcst does, and records between which tokens each node is. It is also the context manager
    that libcst enters around the syntactic part of each node, immediately after requesting it."""

    def __init__(self, default_indent: str, default_newline: str) -> None:
        super().__init__(default_indent, default_newline)
        self.token_ranges: dict[int, tuple[int, int]] = {}
        self._open: list[tuple[cst.CSTNode, int, cst.CSTNode | None, cst.CSTNode | None]] = []

    def record_syntactic_position(  # type: ignore[override]
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> _SpanRecorder:
        self._open.append((node, len(self.tokens), start_node, end_node))
        return self

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ranges = self.token_ranges
        node, start, start_node, end_node = self._open.pop()
        end = len(self.tokens)
        if start_node is not None and id(start_node) in ranges:
            start = ranges[id(start_node)][0]
        if end_node is not None and id(end_node) in ranges:
            end = ranges[id(end_node)][1]
        ranges[id(node)] = (start, end)
