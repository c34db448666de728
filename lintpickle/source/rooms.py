"""Rooms: the top-level statements that libcst parses, with the position of every expression in the file's text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import accumulate
from types import TracebackType

import libcst as cst
from libcst._nodes.internal import CodegenState
from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.profiling import Part, running

_LONE_RETURN = re.compile(r"\r(?!\n)")


class Room(Struct, frozen=True):
    """A parsed part of a file.

    `spans` gives, for every expression, argument and compound statement of `tree`, its range in the whole file's
    text, without surrounding whitespace and parentheses. `exact` says whether libcst gives the text back
    unchanged; if not (form feeds in indentation, for example), spans are approximate and no fix may use them.
    """

    tree: cst.Module
    spans: Spans
    exact: bool


def read_room(source: str, start: int) -> Room | None:
    """Parse whole lines whose first one stands at the offset `start` of a file. None if libcst does not take them."""
    if "\r" in source:
        source = _LONE_RETURN.sub("\n", source)  # as Python reads it; libcst does not give lone returns back
    try:
        with running(Part.PARSE):
            tree = cst.parse_module(source)
    except (cst.ParserSyntaxError, RecursionError):
        return None
    recorder = _SpanRecorder(tree.default_indent, tree.default_newline)
    try:
        with running(Part.POSITIONS):
            tree._codegen(recorder)
    except RecursionError:
        return None
    return Room(tree, Spans(recorder, start), "".join(recorder.tokens) == source)


class Spans:
    """Where nodes stand in the file's text: worked out for a node when it is asked for."""

    def __init__(self, recorder: _SpanRecorder, start: int) -> None:
        self._ranges = recorder.token_ranges
        self._offsets = [start, *accumulate(map(len, recorder.tokens), initial=start)][1:]

    def get(self, node: cst.CSTNode) -> Span | None:
        """The span of a node; None for trivia and for nodes of other rooms."""
        found = self._ranges.get(node)
        if found is None:
            return None
        last = len(self._offsets) - 1
        return Span(self._offsets[min(found[0], last)], self._offsets[min(found[1], last)])


@dataclass
class _SpanRecorder(CodegenState):
    """Writes the tree out as libcst would, noting between which tokens each node lies."""

    token_ranges: dict[cst.CSTNode, tuple[int, int]] = field(default_factory=dict)

    def record_syntactic_position(  # type: ignore[override]
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> _Recording:
        return _Recording(self, node, start_node, end_node)


class _Recording:
    """The context manager that libcst enters around the syntactic part of a node."""

    __slots__ = ("end_node", "node", "recorder", "start", "start_node")

    def __init__(
        self,
        recorder: _SpanRecorder,
        node: cst.CSTNode,
        start_node: cst.CSTNode | None,
        end_node: cst.CSTNode | None,
    ) -> None:
        self.recorder = recorder
        self.node = node
        self.start_node = start_node
        self.end_node = end_node

    def __enter__(self) -> None:
        self.start = len(self.recorder.tokens)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ranges = self.recorder.token_ranges
        start, end = self.start, len(self.recorder.tokens)
        if self.start_node is not None and self.start_node in ranges:
            start = ranges[self.start_node][0]
        if self.end_node is not None and self.end_node in ranges:
            end = ranges[self.end_node][1]
        ranges[self.node] = (start, end)
